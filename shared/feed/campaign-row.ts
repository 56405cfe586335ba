import { type CampaignRecord, type Utm, utmOrNull } from '../records/records.js';

/** What a campaign's record is built from, as `CAMPAIGN_RECORD_COLUMNS` selects it. */
export interface CampaignRow extends Utm {
  readonly id: string;
  readonly environment_number: number;
  readonly key: string;
}

/** Select list over `campaigns JOIN environments` that gives `CampaignRow`s. */
export const CAMPAIGN_RECORD_COLUMNS = `campaigns.id, environments.number AS environment_number, campaigns.key,
  campaigns.utm_source, campaigns.utm_medium, campaigns.utm_campaign, campaigns.utm_term, campaigns.utm_content`;

export function campaignRecordFromRow(row: CampaignRow): CampaignRecord {
  return { id: row.id, environment_number: row.environment_number, key: row.key, utm: utmOrNull(row) };
}
