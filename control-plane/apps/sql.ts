import type { CandidateClick } from '../../shared/attribution/choose-click.js';
import type { ClickKind } from '../../shared/records/records.js';
import type { EventRow } from '../../shared/webhooks/body.js';
import type { Queryable } from '../db/database.js';
import type { ConvertedSubject } from '../events/conversion.js';

/** A click that no installation has used yet. */
export interface OpenClick extends CandidateClick {
  /** As `uuid` text. */
  readonly id: string;
  readonly kind: ClickKind;
  /** `uuid` of the link or the template. */
  readonly subject_id: string;
  readonly item_id: string | null;
  /** The query string that was passed on, unchanged. */
  readonly params: string | null;
}

const COLUMNS = `id, occurred_at, kind, subject_id, item_id, params, language, model, screen,
  encode(user_agent_hash, 'hex') || subject_id || coalesce(item_id, '') AS visit`;

/** The statement of `findOpenClick`; a test checks its plan. */
export const FIND_OPEN_CLICK = `SELECT ${COLUMNS} FROM open_clicks WHERE id = $1 AND occurred_at = $2 AND environment_number = $3`;

/** Finds the open click of the environment with this id. The id contains `occurredAt`. */
export async function findOpenClick(
  database: Queryable,
  environmentNumber: number,
  id: string,
  occurredAt: Date,
): Promise<OpenClick | null> {
  const { rows } = await database.query<OpenClick>({
    name: 'find_open_click',
    text: FIND_OPEN_CLICK,
    values: [id, occurredAt.toISOString(), environmentNumber],
  });
  return rows[0] ?? null;
}

/**
 * The statement of `listCandidates`; a test checks its plan. The second half finds clicks by what their pages have reported.
 * A report counts if it came from the click's own network, which `seen_key` shows.
 */
export const LIST_CANDIDATES = `SELECT click.* FROM unnest($1::bigint[]) AS key,
    LATERAL (
      (SELECT ${COLUMNS}, false AS gone FROM open_clicks
        WHERE match_key = key AND occurred_at >= $2 AND occurred_at <= $3 ORDER BY occurred_at DESC LIMIT $4)
      UNION ALL
      (SELECT device.click_id, device.occurred_at, kind, subject_id, item_id, params, language, coalesce(click.model, device.model), screen,
          visit, click.id IS NULL
        FROM (SELECT click_id, occurred_at, seen_key, model FROM click_devices
          WHERE match_key = key AND occurred_at >= $2 AND occurred_at <= $3 ORDER BY occurred_at DESC LIMIT $4) AS device
        LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM open_clicks
          WHERE id = device.click_id AND occurred_at = device.occurred_at AND match_key = device.seen_key) AS click ON true)
    ) AS click
  LIMIT $4`;

/**
 * Returns open clicks with one of the match keys between the times. Reports whose click is not open count towards the limit, so
 * that a flood of reports cannot hide a click. If the limit is reached, only the length of the result is meaningful. The statement reads
 * key by key in the order of the index, so that PostgreSQL does not collect all entries of a frequent key first: it reads at most
 * `limit` entries for each key, whatever the size of the table. With `= ANY` it read 5,000 for a limit of 21.
 */
export async function listCandidates(
  database: Queryable,
  keys: readonly string[],
  { since, until }: { readonly since: Date; readonly until: Date },
  limit: number,
): Promise<readonly OpenClick[]> {
  const { rows } = await database.query<OpenClick & { readonly gone: boolean }>({
    name: 'list_candidates',
    text: LIST_CANDIDATES,
    values: [keys, since.toISOString(), until.toISOString(), limit],
  });
  return rows.length < limit ? rows.filter(({ gone }) => !gone) : rows;
}

/** Whether an installation of the environment has used the click. */
export async function isClickUsed(database: Queryable, environmentId: string, id: string): Promise<boolean> {
  const { rows } = await database.query<{ used: boolean }>({
    name: 'is_click_used',
    text: 'SELECT EXISTS (SELECT 1 FROM installs WHERE click_id = $2 AND environment_id = $1) AS used',
    values: [environmentId, id],
  });
  return rows[0]?.used === true;
}

/** Reads the address keys of the days since the time: as many as the longest attribution window has days, plus one or two. */
export async function readAddressKeys(database: Queryable, since: Date): Promise<readonly Buffer[]> {
  const { rows } = await database.query<{ address_key: Buffer }>({
    name: 'read_address_keys',
    text: `SELECT address_key FROM hash_keys WHERE day >= ($1::timestamptz AT TIME ZONE 'UTC')::date`,
    values: [since.toISOString()],
  });
  return rows.map((row) => row.address_key);
}

/** Makes every other first open of the installation wait until the transaction ends. */
export async function lockInstall(database: Queryable, environmentId: string, installId: string): Promise<void> {
  await database.query({
    name: 'lock_install',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`install/${environmentId}/${installId}`],
  });
}

/** Returns the answer to the first open of the installation, as JSON text; null if there was none. */
export async function findInstallAnswer(database: Queryable, environmentId: string, installId: string): Promise<string | null> {
  const { rows } = await database.query<{ answer: string }>({
    name: 'find_install_answer',
    text: 'SELECT answer::text AS answer FROM installs WHERE environment_id = $1 AND install_id = $2',
    values: [environmentId, installId],
  });
  return rows[0]?.answer ?? null;
}

export interface NewInstall {
  readonly install_id: string;
  readonly platform: string;
  readonly os_version: string | null;
  readonly model: string | null;
  readonly attribution: string;
  readonly match_type: string | null;
  readonly reason: string;
  /** `uuid` of the click that it has used. */
  readonly click_id: string | null;
  /** JSON text. */
  readonly answer: string;
}

/** Inserts the installation and its event in one statement. */
export async function insertInstall(database: Queryable, environmentId: string, install: NewInstall, event: EventRow): Promise<void> {
  await database.query({
    name: 'insert_install',
    text: `WITH install AS (
             INSERT INTO installs (environment_id, install_id, opened_at, platform, os_version, model, attribution, match_type, reason,
               click_id, answer, id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
             RETURNING environment_id, opened_at
           )
           SELECT insert_events(ARRAY[$12], ARRAY[opened_at], ARRAY[environment_id], ARRAY[$13], ARRAY[$14]) FROM install`,
    values: [
      environmentId,
      install.install_id,
      new Date(event.created_at_ms).toISOString(),
      install.platform,
      install.os_version,
      install.model,
      install.attribution,
      install.match_type,
      install.reason,
      install.click_id,
      install.answer,
      event.id,
      event.type,
      event.body,
    ],
  });
}

/** Records that an installation was opened again through a link or an item, with the id of its event. */
export async function insertAppOpen(
  database: Queryable,
  event: EventRow,
  installId: string,
  { link_id, campaign, resource_type, item_id }: ConvertedSubject,
): Promise<void> {
  await database.query({
    name: 'insert_app_open',
    text: `INSERT INTO app_opens (id, created_at, environment_id, install_id, link_id, campaign, resource_type, item_id)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      event.id,
      new Date(event.created_at_ms).toISOString(),
      event.environment_id,
      installId,
      link_id,
      campaign,
      resource_type,
      item_id,
    ],
  });
}
