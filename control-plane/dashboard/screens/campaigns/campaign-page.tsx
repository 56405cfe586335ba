import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Campaign } from '../../../../shared/contract/schemas/campaign.js';
import { tagOf } from '../../api/client.js';
import { CLICKS_REFRESH_MS, Clicks } from '../../charts/clicks.js';
import { useClicksRange } from '../../charts/clicks-asked.js';
import { TopLinks } from '../../charts/top-links.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { fieldRefusal } from '../../forms/field-refusal.js';
import { Form } from '../../forms/form.js';
import { changedMembers } from '../../forms/merge.js';
import { useSavedObject } from '../../forms/saved-object.js';
import { rich } from '../../language/rich.js';
import { text } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { Card, Page } from '../../parts/page.js';
import { Rows } from '../../parts/paged.js';
import { Empty, FailedScreen, Loading } from '../../parts/states.js';
import { toast, toastFailure } from '../../parts/toasts.js';
import { useLeftList } from '../../session/list-filters.js';
import { useRead, useRows, useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { analyticsOf } from '../analytics/asked.js';
import { LinkRow } from '../links/link-row.js';
import { CampaignFields } from './campaign-fields.js';
import { campaignBody, campaignValues } from './campaign-values.js';

export function CampaignPage({ id }: { readonly id: string }) {
  const campaign = useRead('GET /campaigns/{campaign}', { params: { campaign: id } });
  const { timeZone } = useSignedIn();
  const list = useLeftList('/campaigns');
  const [resuming, setResuming] = useState(false);
  if (campaign.isPending) return <Loading lines={8} />;
  if (campaign.data === undefined)
    return <FailedScreen title={text('Campaigns')} error={campaign.error} onRetry={() => void campaign.refetch()} />;
  return (
    <Page
      title={campaign.data.name}
      back={{ to: list, label: text('Campaigns') }}
      badge={<StatusBadge status={campaign.data.status} />}
      actions={
        <>
          <ButtonLink needs="analytics:read" to={analyticsOf({ campaign: campaign.data.key }, timeZone, 'link')}>
            {text('Analytics')}
          </ButtonLink>
          <EndButton campaign={campaign.data} onAnotherEnd={() => setResuming(true)} />
        </>
      }
    >
      <div className="stack">
        <CampaignFigures id={id} />
        <EditCampaign campaign={campaign.data} resuming={resuming} onSaved={() => setResuming(false)} />
        <CampaignLinks campaign={campaign.data} />
      </div>
    </Page>
  );
}

function CampaignFigures({ id }: { readonly id: string }) {
  const [range, setRange] = useClicksRange();
  const stats = useRead(
    'GET /campaigns/{campaign}/stats',
    { params: { campaign: id }, query: { range } },
    { refreshMs: CLICKS_REFRESH_MS },
  );
  return (
    <Clicks stats={stats} range={range} onRange={setRange}>
      {({ top_links: links }) => <TopLinks links={links} />}
    </Clicks>
  );
}

/** Whether the campaign has ended by itself, so that it cannot become active again without another end. */
function isOver({ ends_at }: Pick<Campaign, 'ends_at'>): boolean {
  return ends_at !== null && Date.parse(ends_at) <= Date.now();
}

interface EndButtonProps {
  readonly campaign: Campaign;
  /** Called when the campaign needs another end before it can become active again. */
  readonly onAnotherEnd: () => void;
}

function EndButton({ campaign, onAnotherEnd }: EndButtonProps) {
  const ended = campaign.status === 'ended';
  const update = useWrite('PATCH /campaigns/{campaign}', {
    outdates: ['/campaigns'],
    onDone: () =>
      toast(ended ? text('{name} is active again.', { name: campaign.name }) : text('{name} has ended.', { name: campaign.name })),
    onFailed: toastFailure,
  });
  return (
    <Button
      needs="links:write"
      busy={update.isPending}
      onClick={() => {
        if (ended && isOver(campaign)) return onAnotherEnd();
        update.mutate({ params: { campaign: campaign.id }, body: { status: ended ? 'active' : 'ended' }, ifMatch: tagOf(campaign) });
      }}
    >
      {ended ? text('Reactivate') : text('End campaign')}
    </Button>
  );
}

interface EditCampaignProps {
  readonly campaign: Campaign;
  /** Whether the campaign becomes active again when the form is saved. */
  readonly resuming: boolean;
  readonly onSaved: () => void;
}

function EditCampaign({ campaign, resuming, onSaved }: EditCampaignProps) {
  const [, navigate] = useLocation();
  const { timeZone } = useSignedIn();
  const update = useWrite('PATCH /campaigns/{campaign}', { outdates: ['/campaigns'] });
  const form = useDraftForm({
    name: `campaign/${campaign.id}`,
    ...useSavedObject('GET /campaigns/{campaign}', { params: { campaign: campaign.id } }, campaign, (saved) =>
      campaignValues(saved, timeZone),
    ),
    submit: async (values, { base, ifMatch }) => {
      const { ends_at = null } = campaignBody(values, timeZone);
      if (resuming && isOver({ ends_at })) throw fieldRefusal('/ends_at', 'invalid_range', text('must be later than now, or empty'));
      const body = {
        ...changedMembers(campaignBody(base, timeZone), campaignBody(values, timeZone)),
        ...(resuming ? { status: 'active' as const } : {}),
      };
      await update.mutateAsync({ params: { campaign: campaign.id }, body, ifMatch });
      onSaved();
      toast(text('The campaign was changed. The change applies to all its links.'));
    },
  });
  return (
    <Form form={form} submit={text('Save changes')} onCancel={form.changed ? form.discard : () => navigate('/campaigns')} bar>
      <CampaignFields isNew={false} resuming={resuming} />
    </Form>
  );
}

function CampaignLinks({ campaign }: { readonly campaign: Campaign }) {
  const page = useRows('GET /links', { query: { campaign: campaign.key } });
  return (
    <Card title={text('Links')}>
      <Rows
        page={page}
        label={text('Links of the campaign')}
        empty={
          <Empty icon="link" title={text('No links yet')}>
            {rich('To add a link, choose the campaign when you create the link, or send {key} with it.', {
              key: <code>"campaign": "{campaign.key}"</code>,
            })}
          </Empty>
        }
      >
        {(link) => <LinkRow link={link} inCampaign />}
      </Rows>
    </Card>
  );
}
