import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { text } from '../language/text.js';
import { Button } from '../parts/button.js';
import { Loading } from '../parts/states.js';
import { NotFound } from './not-found.js';

/** A screen, in a file of its own that is loaded when it is first seen. */
function screen<Name extends string, Props>(name: Name, load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>) {
  return lazy(() => load().then((module) => ({ default: module[name] })));
}

const LinkList = screen('LinkList', () => import('../screens/links/link-list.js'));
const NewLink = screen('NewLink', () => import('../screens/links/new-link.js'));
const LinkPage = screen('LinkPage', () => import('../screens/links/link-page.js'));
const EditLink = screen('EditLink', () => import('../screens/links/edit-link.js'));
const ImportLinks = screen('ImportLinks', () => import('../screens/imports/import-links.js'));
const CampaignList = screen('CampaignList', () => import('../screens/campaigns/campaign-list.js'));
const NewCampaign = screen('NewCampaign', () => import('../screens/campaigns/new-campaign.js'));
const CampaignPage = screen('CampaignPage', () => import('../screens/campaigns/campaign-page.js'));
const DomainList = screen('DomainList', () => import('../screens/domains/domain-list.js'));
const ResourceTypeList = screen('ResourceTypeList', () => import('../screens/resource-types/resource-type-list.js'));
const ResourceTypePage = screen('ResourceTypePage', () => import('../screens/resource-types/resource-type-page.js'));
const MetadataEditor = screen('MetadataEditor', () => import('../screens/metadata-api/metadata-editor.js'));
const TemplateList = screen('TemplateList', () => import('../screens/url-templates/template-list.js'));
const NewTemplate = screen('NewTemplate', () => import('../screens/url-templates/new-template.js'));
const TemplatePage = screen('TemplatePage', () => import('../screens/url-templates/template-page.js'));
const Stats = screen('Stats', () => import('../screens/stats.js'));
const Analytics = screen('Analytics', () => import('../screens/analytics/analytics.js'));
const WebhookList = screen('WebhookList', () => import('../screens/webhooks/webhook-list.js'));
const NewWebhook = screen('NewWebhook', () => import('../screens/webhooks/new-webhook.js'));
const WebhookPage = screen('WebhookPage', () => import('../screens/webhooks/webhook-page.js'));
const EditWebhook = screen('EditWebhook', () => import('../screens/webhooks/edit-webhook.js'));
const Keys = screen('Keys', () => import('../screens/keys.js'));
const Settings = screen('Settings', () => import('../screens/settings/settings.js'));
const Health = screen('Health', () => import('../screens/health.js'));
const Overview = screen('Overview', () => import('../screens/overview.js'));

export function Screens() {
  const [location] = useLocation();
  return (
    <ScreenBoundary key={screenOf(location)}>
      <Suspense fallback={<Loading lines={6} />}>
        <Switch>
          <Route path="/" component={Overview} />
          <Route path="/links" component={LinkList} />
          <Route path="/links/list/*" component={LinkList} />
          <Route path="/links/new" component={NewLink} />
          <Route path="/links/bulk" component={ImportLinks} />
          <Route path="/links/:id">{({ id }) => <LinkPage id={id} />}</Route>
          <Route path="/links/:id/edit">{({ id }) => <EditLink id={id} />}</Route>
          <Route path="/campaigns" component={CampaignList} />
          <Route path="/campaigns/list/*" component={CampaignList} />
          <Route path="/campaigns/new" component={NewCampaign} />
          <Route path="/campaigns/:id">{({ id }) => <CampaignPage id={id} />}</Route>
          <Route path="/domains" component={DomainList} />
          <Route path="/resource-types" component={ResourceTypeList} />
          <Route path="/resource-types/list/*" component={ResourceTypeList} />
          <Route path="/resource-types/:id">{({ id }) => <ResourceTypePage id={id} />}</Route>
          <Route path="/resource-types/:id/metadata-api">{({ id }) => <MetadataEditor id={id} />}</Route>
          <Route path="/url-templates" component={TemplateList} />
          <Route path="/url-templates/list/*" component={TemplateList} />
          <Route path="/url-templates/new">{() => <NewTemplate />}</Route>
          <Route path="/url-templates/new/:type">{({ type }) => <NewTemplate resourceTypeId={type} />}</Route>
          <Route path="/url-templates/:id">{({ id }) => <TemplatePage id={id} />}</Route>
          <Route path="/stats" component={Stats} />
          <Route path="/analytics/*?" component={Analytics} />
          <Route path="/webhooks" component={WebhookList} />
          <Route path="/webhooks/new" component={NewWebhook} />
          <Route path="/webhooks/:id">{({ id }) => <WebhookPage id={id} />}</Route>
          <Route path="/webhooks/:id/list/*">{({ id }) => <WebhookPage id={id} />}</Route>
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

/** What follows `/analytics` and the `/list` of a list is what readers ask for: they stay the same screens. */
function screenOf(location: string): string {
  return location.replace(/(?:(?<=^\/analytics)|\/list)\/\w+=.*/, '');
}

/** Keeps the page working if a screen fails, most often because its file is gone after an update. */
class ScreenBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="empty" role="alert">
        <h2>{text('This screen cannot be shown')}</h2>
        <p>{text('The service may have been updated since the page was loaded. Your entries in forms are kept.')}</p>
        <Button variant="primary" onClick={() => location.reload()}>
          {text('Reload the page')}
        </Button>
      </div>
    );
  }
}
