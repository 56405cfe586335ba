import type { ClientBase } from 'pg';
import { CAMPAIGN_RECORD_COLUMNS, type CampaignRow } from '../../shared/feed/campaign-row.js';

const SELECT_CAMPAIGNS = `SELECT ${CAMPAIGN_RECORD_COLUMNS}
  FROM campaigns JOIN environments ON environments.id = campaigns.environment_id`;

/** The campaigns of these ids that exist, in no order. */
export async function readCampaignsById(client: ClientBase, ids: readonly string[]): Promise<readonly CampaignRow[]> {
  const { rows } = await client.query<CampaignRow>({
    name: 'read_campaigns_by_id',
    text: `${SELECT_CAMPAIGNS} WHERE campaigns.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every campaign, for a cursor, in the order of the store's keys. */
export const SCAN_CAMPAIGNS = `${SELECT_CAMPAIGNS} ORDER BY environments.number, campaigns.id`;
