import type { CampaignStatus } from '../../shared/contract/schemas/campaign.js';
import { type EnvironmentName, UTM_FIELDS } from '../../shared/records/records.js';
import { type EventRow, eventColumns } from '../../shared/webhooks/body.js';
import { containing } from '../db/containing.js';
import type { Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { PageRequest } from '../http/cursor.js';
import type { CampaignRow } from './campaign-row.js';

const COLUMNS = `id, key, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, status, starts_at, ends_at, created_at, updated_at`;

/** Inserts campaign, feed row and events in one statement. Returns false if the key is taken; then nothing is written. */
export async function insertCampaign(
  database: Queryable,
  environmentId: string,
  row: CampaignRow,
  events: readonly EventRow[],
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'insert_campaign',
    text: `WITH campaign AS (
             INSERT INTO campaigns (id, environment_id, key, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, status,
               starts_at, ends_at, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
             ON CONFLICT (environment_id, key) DO NOTHING
             RETURNING id, environment_id
           ), feed AS (
             ${FEED_INSERT} SELECT 'campaign', environment_id, id, id FROM campaign
           )
           SELECT insert_events($14, $15, $16, $17, $18) FROM campaign`,
    values: [
      row.id,
      environmentId,
      row.key,
      row.name,
      ...UTM_FIELDS.map((field) => row[field]),
      row.status,
      row.starts_at?.toISOString() ?? null,
      row.ends_at?.toISOString() ?? null,
      row.created_at.toISOString(),
      ...eventColumns(events),
    ],
  });
  return rowCount === 1;
}

const SELECT_CAMPAIGN = `SELECT ${COLUMNS} FROM campaigns WHERE id = $2 AND environment_id = $1`;

export const findCampaign = rowReader<CampaignRow>({ name: 'find_campaign', text: SELECT_CAMPAIGN });

/** Reads the same row, and locks it against other changes until the transaction ends. */
export const lockCampaign = rowReader<CampaignRow>({ name: 'lock_campaign', text: `${SELECT_CAMPAIGN} FOR NO KEY UPDATE` });

/** Writes a changed campaign, and its feed row if links get other fields from it. */
export async function updateCampaign(database: Queryable, row: CampaignRow, changesLinks: boolean): Promise<void> {
  await database.query({
    name: 'update_campaign',
    text: `WITH campaign AS (
             UPDATE campaigns SET name = $2, utm_source = $3, utm_medium = $4, utm_campaign = $5, utm_term = $6, utm_content = $7,
               status = $8, starts_at = $9, ends_at = $10, updated_at = $11
             WHERE id = $1
             RETURNING id, environment_id
           )
           ${FEED_INSERT}
           SELECT 'campaign', environment_id, id, id FROM campaign WHERE $12::boolean`,
    values: [
      row.id,
      row.name,
      ...UTM_FIELDS.map((field) => row[field]),
      row.status,
      row.starts_at?.toISOString() ?? null,
      row.ends_at?.toISOString() ?? null,
      row.updated_at.toISOString(),
      changesLinks,
    ],
  });
}

export interface CampaignFilter {
  readonly status?: CampaignStatus;
  readonly key?: string;
  /** Part of the key or of the name, in either case. */
  readonly search?: string;
  readonly nowMs: number;
}

/** Newest first by keyset, one row more than the page holds. */
export async function listCampaigns(
  database: Queryable,
  environmentId: string,
  { status, key, search, nowMs }: CampaignFilter,
  page: PageRequest,
): Promise<readonly CampaignRow[]> {
  const values: unknown[] = [environmentId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['environment_id = $1'];
  if (page.belowId !== null) conditions.push(`id < ${parameter(page.belowId)}`);
  if (status !== undefined) {
    const ended = `(status = 'ended' OR coalesce(ends_at <= ${parameter(new Date(nowMs).toISOString())}::timestamptz, false))`;
    conditions.push(status === 'ended' ? ended : `NOT ${ended}`);
  }
  if (key !== undefined) conditions.push(`key = ${parameter(key)}`);
  if (search !== undefined) {
    const text = parameter(containing(search));
    conditions.push(`(key ILIKE ${text} OR name COLLATE "default" ILIKE ${text})`);
  }
  const { rows } = await database.query<CampaignRow>({
    text: `SELECT ${COLUMNS} FROM campaigns WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ${parameter(page.limit + 1)}`,
    values,
  });
  return rows;
}

export interface DueCampaign extends CampaignRow {
  readonly environment_id: string;
  readonly environment: EnvironmentName;
}

/** Campaigns that have ended and whose end was not reported, locked. Those that another server is about to report are skipped. */
export async function lockDueCampaigns(database: Queryable, rowsMax: number): Promise<readonly DueCampaign[]> {
  const { rows } = await database.query<DueCampaign>({
    text: `SELECT ${COLUMNS.replaceAll(/\w+/g, 'campaign.$&')}, campaign.environment_id, environment.name AS environment
           FROM campaigns AS campaign JOIN environments AS environment ON environment.id = campaign.environment_id
           WHERE campaign.status = 'active' AND campaign.ends_at <= now()
           ORDER BY campaign.ends_at LIMIT $1 FOR NO KEY UPDATE OF campaign SKIP LOCKED`,
    values: [rowsMax],
  });
  return rows;
}

export async function endCampaigns(database: Queryable, ids: readonly string[], nowMs: number): Promise<void> {
  await database.query({
    text: `UPDATE campaigns SET status = 'ended', updated_at = greatest(updated_at, $2) WHERE id = ANY ($1::text[])`,
    values: [ids, new Date(nowMs).toISOString()],
  });
}
