import { useState } from 'react';
import type { Campaign } from '../../../../shared/contract/schemas/campaign.js';
import { Time } from '../../format/time.js';
import { rich } from '../../language/rich.js';
import { labelled, message, text } from '../../language/text.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { ExportFile } from '../../parts/export-file.js';
import { Icon } from '../../parts/icon.js';
import { Page } from '../../parts/page.js';
import { Rows } from '../../parts/paged.js';
import { Row } from '../../parts/row.js';
import { Segments } from '../../parts/segments.js';
import { Empty } from '../../parts/states.js';
import { useListFilters } from '../../session/list-filters.js';
import { useRows } from '../../session/queries.js';
import { UTM_NAMES } from '../links/link-words.js';

const STATES = [
  { value: '', label: message('All') },
  { value: 'active', label: message('Active') },
  { value: 'ended', label: message('Ended') },
] as const;

const NO_FILTERS: { readonly status: (typeof STATES)[number]['value'] } = { status: '' };

export function CampaignList() {
  const [{ status }, change] = useListFilters('/campaigns', NO_FILTERS);
  const [exporting, setExporting] = useState(false);
  const page = useRows('GET /campaigns', { query: status === '' ? {} : { status } });
  return (
    <Page
      title={text('Campaigns')}
      lead={text('UTM fields that many links share and that you change in one place.')}
      actions={
        <>
          <Button onClick={() => setExporting(true)}>
            <Icon name="download" /> {text('Export')}
          </Button>
          <ButtonLink needs="links:write" to="/campaigns/new" variant="primary">
            <Icon name="plus" /> {text('New campaign')}
          </ButtonLink>
        </>
      }
    >
      {exporting ? (
        <ExportFile kind="campaigns" onClose={() => setExporting(false)}>
          {rich('All campaigns. The files can be imported again with {command}.', { command: <code>linkd import campaigns</code> })}
        </ExportFile>
      ) : null}
      <div className="filters">
        <Segments label={text('State')} value={status} choices={labelled(STATES)} onChange={(status) => change({ status })} />
      </div>
      <Rows page={page} label={text('Campaigns')} empty={<NoCampaigns filtered={status !== ''} />}>
        {(campaign) => <CampaignRow campaign={campaign} />}
      </Rows>
    </Page>
  );
}

function NoCampaigns({ filtered }: { readonly filtered: boolean }) {
  if (filtered)
    return (
      <Empty icon="campaign" title={text('No campaign found')}>
        {text('No campaign is in this state.')}
      </Empty>
    );
  return (
    <Empty
      icon="campaign"
      title={text('Start a campaign')}
      action={
        <ButtonLink needs="links:write" to="/campaigns/new">
          {text('New campaign')}
        </ButtonLink>
      }
    >
      {text('Set a source and a medium once. Every link of the campaign uses them and follows their changes.')}
    </Empty>
  );
}

function CampaignRow({ campaign }: { readonly campaign: Campaign }) {
  const utm = UTM_NAMES.flatMap((name) => (campaign[name] === null ? [] : [`${name}=${campaign[name]}`]));
  return (
    <Row
      to={`/campaigns/${campaign.id}`}
      title={campaign.name}
      note={utm.length === 0 ? text('no UTM fields') : utm.join(' · ')}
      status={campaign.status}
    >
      <code>{campaign.key}</code>
      <Time at={campaign.created_at} relative />
    </Row>
  );
}
