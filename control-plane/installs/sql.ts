import type { EventType } from '../../shared/contract/schemas/events.js';
import type { Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import type { PageRequest } from '../http/cursor.js';
import type { InstallRow } from './install-row.js';

/** Events that name an installation in `data.install_id`. */
const EVENTS_OF_INSTALLS: readonly EventType[] = ['install.attributed', 'install.organic', 'open.reengaged', 'event.tracked'];

const UNREADABLE_ESCAPES = String.raw`(\\\\)|\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})`;

/**
 * Whether anything is stored about the installation, including a response stored for an idempotency key. The log of events need not be
 * searched, because every event in it has left a row that is kept longer: the installation's own, or a tracked event's.
 */
export async function isInstallKnown(database: Queryable, environmentId: string, installId: string): Promise<boolean> {
  const { rows } = await database.query<{ known: boolean }>({
    text: `SELECT EXISTS (SELECT FROM installs WHERE environment_id = $1 AND install_id = $2)
               OR EXISTS (SELECT FROM tracked_events WHERE environment_id = $1 AND install_id = $2)
               OR EXISTS (SELECT FROM app_opens WHERE environment_id = $1 AND install_id = $2)
               OR EXISTS (SELECT FROM idempotency_keys a JOIN api_keys k ON k.id = a.key_id WHERE k.environment_id = $1 AND a.install_id = $2)
               AS known`,
    values: [environmentId, installId],
  });
  return rows[0]?.known === true;
}

/** Deletes the installation, the events that it reported, and the stored responses to requests that named it. */
export async function deleteInstall(database: Queryable, environmentId: string, installId: string): Promise<void> {
  await database.query({
    text: `WITH install AS (
             DELETE FROM installs WHERE environment_id = $1 AND install_id = $2
           ), tracked AS (
             DELETE FROM tracked_events WHERE environment_id = $1 AND install_id = $2
           ), answers AS (
             DELETE FROM idempotency_keys a USING api_keys k WHERE k.id = a.key_id AND k.environment_id = $1 AND a.install_id = $2
           )
           DELETE FROM app_opens WHERE environment_id = $1 AND install_id = $2`,
    values: [environmentId, installId],
  });
}

/** An event's or delivery's day, as SQL. */
const OF_DAY = "created_at >= $3::timestamptz AND created_at < $3::timestamptz + interval '1 day'";

/**
 * Returns the ids of the day's events that name the installation. There is no index by installation, so one day is read at a time to keep
 * each statement within its timeout. Searching for the text first avoids parsing most bodies. Escapes of NUL and of halves of surrogate
 * pairs, which PostgreSQL cannot parse, are removed; a pair of backslashes is not the beginning of such an escape.
 */
export async function findInstallEvents(
  database: Queryable,
  environmentId: string,
  installId: string,
  day: Date,
): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>({
    text: `SELECT id FROM events
           WHERE environment_id = $1 AND type = ANY ($2) AND ${OF_DAY}
             AND strpos(body, to_json($4::text)::text) > 0
             AND regexp_replace(body, $5, '\\1', 'g')::json #>> '{data,install_id}' = $4`,
    values: [environmentId, EVENTS_OF_INSTALLS, day.toISOString(), installId, UNREADABLE_ESCAPES],
  });
  return rows.map(({ id }) => id);
}

/** Deletes events of the day. */
export async function deleteEvents(database: Queryable, environmentId: string, eventIds: readonly string[], day: Date): Promise<void> {
  await database.query({
    text: `DELETE FROM events WHERE environment_id = $1 AND id = ANY ($2) AND ${OF_DAY}`,
    values: [environmentId, eventIds, day.toISOString()],
  });
}

/** Deletes what receivers have responded to the events in deliveries of the day, because they may have repeated what they were sent. */
export async function forgetResponses(database: Queryable, environmentId: string, eventIds: readonly string[], day: Date): Promise<void> {
  await database.query({
    text: `UPDATE webhook_deliveries SET response_body = NULL
           WHERE environment_id = $1 AND event_id = ANY ($2) AND response_body IS NOT NULL AND ${OF_DAY}`,
    values: [environmentId, eventIds, day.toISOString()],
  });
}

const COLUMNS = `id, install_id, opened_at, platform, os_version, model, attribution, match_type, reason, click_id, link_id, campaign,
  resource_type, item_id, (answer ->> 'guaranteed')::boolean AS guaranteed`;

export const findInstall = rowReader<InstallRow>({
  name: 'find_install',
  text: `SELECT ${COLUMNS} FROM installs WHERE environment_id = $1 AND install_id = $2`,
});

/** The filters of a list; null does not restrict it. */
export interface InstallFilter {
  readonly attribution: string | null;
  readonly link: string | null;
  readonly campaign: string | null;
}

/** Lists installations, newest first, by keyset. */
export async function selectInstalls(
  database: Queryable,
  environmentId: string,
  { attribution, link, campaign }: InstallFilter,
  page: PageRequest,
): Promise<readonly InstallRow[]> {
  const { rows } = await database.query<InstallRow>({
    text: `SELECT ${COLUMNS} FROM installs
           WHERE environment_id = $1 AND ($2::text IS NULL OR attribution = $2) AND ($3::text IS NULL OR link_id = $3)
             AND ($4::text IS NULL OR campaign = $4) AND ($5::text IS NULL OR id < $5)
           ORDER BY id DESC LIMIT $6`,
    values: [environmentId, attribution, link, campaign, page.belowId, page.limit + 1],
  });
  return rows;
}
