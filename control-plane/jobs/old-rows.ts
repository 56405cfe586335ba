import { idFloor, idToUuid } from '../../shared/base/ids.js';
import { PATH_RESERVATION_DAYS } from '../../shared/base/limits.js';
import type { Queryable } from '../db/database.js';
import { deletedLinks } from '../links/release-addresses.js';

/**
 * Deletes old rows in batches, through an index, from tables that are not partitioned by day. Of tables that are, such as the click
 * log, `db/day-partitions.ts` drops the old days (shared/decisions/2026-11-22-retention.md).
 */

/** Deletes links whose path is no longer reserved, with feed rows for engines, which store them too. Returns how many. */
export async function forgetDeletedLinks(database: Queryable, rowsMax: number): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    text: `WITH ${deletedLinks(`SELECT id FROM links WHERE state = 'deleted' AND deleted_at <= now() - make_interval(days => $1)
             ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED`)}
           SELECT count(*)::integer AS count FROM gone`,
    values: [PATH_RESERVATION_DAYS, rowsMax],
  });
  return rows[0]?.count ?? 0;
}

/**
 * Deletes installations whose first open was more than `daysKept` days ago, by whole days in UTC, as tables of days are dropped: of a day,
 * either all installations are kept or none. Returns how many.
 */
export async function forgetInstalls(database: Queryable, daysKept: number, rowsMax: number): Promise<number> {
  const { rowCount } = await database.query({
    text: `DELETE FROM installs WHERE (environment_id, install_id) IN (
             SELECT environment_id, install_id FROM installs
             WHERE opened_at < (date_trunc('day', now() AT TIME ZONE 'UTC') - make_interval(days => $1)) AT TIME ZONE 'UTC'
             ORDER BY opened_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    values: [daysKept, rowsMax],
  });
  return rowCount;
}

/**
 * Deletes the counts of segments that were begun before this time and never finished, because their host is gone or could not
 * report the end. The id of a segment contains the time at which it was begun. A count is kept as long as the click log has
 * clicks of the segment, so that a file that turns up again is not stored twice.
 */
export async function forgetUnfinishedSegments(database: Queryable, begunBeforeMs: number): Promise<number> {
  const { rowCount } = await database.query({
    text: 'DELETE FROM click_segments WHERE finished_at IS NULL AND segment_id < $1::uuid',
    values: [idToUuid('click', idFloor('click', begunBeforeMs))],
  });
  return rowCount;
}

/** Deletes the records of erased environments after the time when a host may still have their clicks. */
export async function forgetErasedEnvironments(database: Queryable, erasedBeforeMs: number): Promise<void> {
  await database.query({
    text: 'DELETE FROM erased_environments WHERE erased_at < $1::timestamptz',
    values: [new Date(erasedBeforeMs).toISOString()],
  });
}

/**
 * Deletes the secrets of webhook endpoints that a rotation has replaced and whose time is over. No delivery is signed with them any more, and
 * they would keep a lost key of SECRETS_KEYS in demand.
 */
export async function forgetReplacedSecrets(database: Queryable): Promise<void> {
  await database.query({
    text: `UPDATE webhook_endpoints SET previous_secret = NULL, previous_secret_expires_at = NULL WHERE id IN (
             SELECT id FROM webhook_endpoints WHERE previous_secret_expires_at <= now() FOR NO KEY UPDATE SKIP LOCKED)`,
    values: [],
  });
}
