import { formatInstant, instantOrNull } from '../../shared/base/instant.js';
import type { Campaign, CampaignStatus } from '../../shared/contract/schemas/campaign.js';
import type { Utm } from '../../shared/records/records.js';

/** A row of `campaigns` as its statements read and write it. */
export interface CampaignRow extends Utm {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** The stored status: a campaign that has ended stays `active` until its event is written. */
  readonly status: CampaignStatus;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function campaignStatus(row: Pick<CampaignRow, 'status' | 'ends_at'>, nowMs: number): CampaignStatus {
  return row.ends_at !== null && row.ends_at.getTime() <= nowMs ? 'ended' : row.status;
}

/** The campaign as the API and its events show it. */
export function campaignOfRow(row: CampaignRow, nowMs: number): Campaign {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    utm_source: row.utm_source,
    utm_medium: row.utm_medium,
    utm_campaign: row.utm_campaign,
    utm_term: row.utm_term,
    utm_content: row.utm_content,
    status: campaignStatus(row, nowMs),
    starts_at: instantOrNull(row.starts_at),
    ends_at: instantOrNull(row.ends_at),
    created_at: formatInstant(row.created_at.getTime()),
    updated_at: formatInstant(row.updated_at.getTime()),
  };
}
