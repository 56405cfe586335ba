import { Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { screenOf } from '../parts/addresses.js';
import { late } from '../parts/late.js';
import { Loading } from '../parts/states.js';
import { NotFound } from './not-found.js';
import { ScreenBoundary } from './screen-boundary.js';

const LinkList = late('LinkList', () => import('../screens/links/link-list.js'));
const NewLink = late('NewLink', () => import('../screens/links/new-link.js'));
const LinkPage = late('LinkPage', () => import('../screens/links/link-page.js'));
const EditLink = late('EditLink', () => import('../screens/links/edit-link.js'));
const ImportLinks = late('ImportLinks', () => import('../screens/imports/import-links.js'));
const CampaignList = late('CampaignList', () => import('../screens/campaigns/campaign-list.js'));
const NewCampaign = late('NewCampaign', () => import('../screens/campaigns/new-campaign.js'));
const CampaignPage = late('CampaignPage', () => import('../screens/campaigns/campaign-page.js'));
const DomainList = late('DomainList', () => import('../screens/domains/domain-list.js'));
const ResourceTypeList = late('ResourceTypeList', () => import('../screens/resource-types/resource-type-list.js'));
const ResourceTypePage = late('ResourceTypePage', () => import('../screens/resource-types/resource-type-page.js'));
const MetadataEditor = late('MetadataEditor', () => import('../screens/metadata-api/metadata-editor.js'));
const TemplateList = late('TemplateList', () => import('../screens/url-templates/template-list.js'));
const NewTemplate = late('NewTemplate', () => import('../screens/url-templates/new-template.js'));
const TemplatePage = late('TemplatePage', () => import('../screens/url-templates/template-page.js'));
const Stats = late('Stats', () => import('../screens/stats.js'));
const Analytics = late('Analytics', () => import('../screens/analytics/analytics.js'));
const WebhookList = late('WebhookList', () => import('../screens/webhooks/webhook-list.js'));
const NewWebhook = late('NewWebhook', () => import('../screens/webhooks/new-webhook.js'));
const WebhookPage = late('WebhookPage', () => import('../screens/webhooks/webhook-page.js'));
const EditWebhook = late('EditWebhook', () => import('../screens/webhooks/edit-webhook.js'));
const Keys = late('Keys', () => import('../screens/keys/keys.js'));
const Settings = late('Settings', () => import('../screens/settings/settings.js'));
const Health = late('Health', () => import('../screens/health.js'));
const Overview = late('Overview', () => import('../screens/overview.js'));

/**
 * Every screen, by its address. A new screen is a component in `screens/` with a route here, and an entry in `NAVIGATION` if the side bar
 * leads to it. Its texts need German ones. Tours visit it in both themes, on a phone and in German once it is in the list of
 * `test/browser/dashboard/every-screen.ts`.
 */
export function Screens() {
  const [location] = useLocation();
  const screen = screenOf(location);
  return (
    <ScreenBoundary key={screen}>
      <Suspense fallback={<Loading lines={6} />}>
        <Switch location={screen}>
          <Route path="/" component={Overview} />
          <Route path="/links" component={LinkList} />
          <Route path="/links/new" component={NewLink} />
          <Route path="/links/bulk" component={ImportLinks} />
          <Route path="/links/:id">{({ id }) => <LinkPage id={id} />}</Route>
          <Route path="/links/:id/edit">{({ id }) => <EditLink id={id} />}</Route>
          <Route path="/campaigns" component={CampaignList} />
          <Route path="/campaigns/new" component={NewCampaign} />
          <Route path="/campaigns/:id">{({ id }) => <CampaignPage id={id} />}</Route>
          <Route path="/domains" component={DomainList} />
          <Route path="/resource-types" component={ResourceTypeList} />
          <Route path="/resource-types/:id">{({ id }) => <ResourceTypePage id={id} />}</Route>
          <Route path="/resource-types/:id/metadata-api">{({ id }) => <MetadataEditor id={id} />}</Route>
          <Route path="/url-templates" component={TemplateList} />
          <Route path="/url-templates/new">{() => <NewTemplate />}</Route>
          <Route path="/url-templates/new/:type">{({ type }) => <NewTemplate resourceTypeId={type} />}</Route>
          <Route path="/url-templates/:id">{({ id }) => <TemplatePage id={id} />}</Route>
          <Route path="/stats" component={Stats} />
          <Route path="/analytics" component={Analytics} />
          <Route path="/webhooks" component={WebhookList} />
          <Route path="/webhooks/new" component={NewWebhook} />
          <Route path="/webhooks/:id">{({ id }) => <WebhookPage id={id} />}</Route>
          <Route path="/webhooks/:id/edit">{({ id }) => <EditWebhook id={id} />}</Route>
          <Route path="/keys" component={Keys} />
          <Route path="/settings" component={Settings} />
          <Route path="/health" component={Health} />
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ScreenBoundary>
  );
}
