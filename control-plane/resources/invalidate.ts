import { INVALIDATION_MARK_SECONDS } from '../../shared/base/limits.js';
import { INVALIDATION_KIND } from '../../shared/records/records.js';
import type { Database, Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';

/** The id of the environment's resource type with the key, also if it is archived; null if there is none. */
export async function findTypeByKey(database: Queryable, environmentId: string, key: string): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>({
    name: 'find_resource_type_by_key',
    text: 'SELECT id FROM resource_types WHERE environment_id = $1 AND key = $2',
    values: [environmentId, key],
  });
  return rows[0]?.id ?? null;
}

/**
 * Returns the generation of the type's configuration, locked until the transaction ends. So a PUT cannot begin a new generation in the
 * meantime, in which a call could run that the invalidation would miss, and two invalidations mark their items one after the other. Null if
 * the type has no metadata API.
 */
async function lockGeneration(database: Queryable, resourceTypeId: string): Promise<number | null> {
  const { rows } = await database.query<{ generation: number }>({
    name: 'lock_metadata_generation',
    text: 'SELECT generation FROM metadata_apis WHERE resource_type_id = $1 FOR NO KEY UPDATE',
    values: [resourceTypeId],
  });
  return rows[0]?.generation ?? null;
}

interface Items {
  readonly environmentId: string;
  readonly resourceTypeId: string;
  readonly generation: number;
  readonly ids: readonly string[];
}

/**
 * Marks the items, even those without a remembered answer, because a call for one of them may be in progress. Informs the engines by one
 * feed row for each item. Marks last for INVALIDATION_MARK_SECONDS. Rows are written in the order of the ids, as by every writer of this
 * table. Returns how many items had an answer that could still be used.
 */
async function markInvalidated(database: Queryable, { environmentId, resourceTypeId, generation, ids }: Items): Promise<number> {
  const { rows } = await database.query<{ removed: number }>({
    name: 'invalidate_metadata_answers',
    text: `
      WITH given AS (
        SELECT DISTINCT item_id FROM unnest($4::text[]) AS item_id
      ), mark AS (
        SELECT nextval('metadata_invalidations') AS invalidation
      ), marked AS (
        INSERT INTO metadata_answers (resource_type_id, generation, item_id, invalidation, keep_until)
        SELECT $2, $3, given.item_id, mark.invalidation, now() + make_interval(secs => $5)
        FROM given, mark
        ORDER BY given.item_id COLLATE "C"
        ON CONFLICT (resource_type_id, generation, item_id) DO UPDATE SET invalidation = excluded.invalidation, outcome = NULL,
          meaning = NULL, metadata = NULL, fetched_at = NULL, expires_at = NULL, keep_until = excluded.keep_until
      ), fed AS (
        ${FEED_INSERT}
        SELECT '${INVALIDATION_KIND}', $1, $2 || '/' || given.item_id, given.item_id FROM given
      )
      SELECT count(*)::integer AS removed
      FROM metadata_answers AS answer
      JOIN given ON given.item_id = answer.item_id
      WHERE answer.resource_type_id = $2 AND answer.generation = $3 AND answer.outcome IS NOT NULL AND answer.keep_until > now()`,
    values: [environmentId, resourceTypeId, generation, ids, INVALIDATION_MARK_SECONDS],
  });
  return rows[0]?.removed ?? 0;
}

/** Forgets the remembered answers for the items. Returns how many items had an answer that could still be used. */
export async function invalidateItems(
  database: Database,
  environmentId: string,
  resourceTypeId: string,
  ids: readonly string[],
): Promise<number> {
  return database.transaction(async (transaction) => {
    const generation = await lockGeneration(transaction, resourceTypeId);
    return generation === null ? 0 : markInvalidated(transaction, { environmentId, resourceTypeId, generation, ids });
  });
}

/** Deletes rows that have expired. Returns the number of deleted rows; call it until it returns 0. */
export async function forgetOldAnswers(database: Queryable, rowsMax: number): Promise<number> {
  const { rowCount } = await database.query({
    text: `DELETE FROM metadata_answers WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM metadata_answers WHERE keep_until <= now() ORDER BY keep_until LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    values: [rowsMax],
  });
  return rowCount;
}

/** Deletes up to `rowsMax` answers of configurations that have been replaced. Returns the number of deleted answers. */
export async function forgetReplacedAnswers(database: Queryable, rowsMax: number): Promise<number> {
  const { rowCount } = await database.query({
    text: `DELETE FROM metadata_answers WHERE ctid = ANY (ARRAY(
             SELECT answer.ctid FROM metadata_apis AS api
             CROSS JOIN LATERAL (
               SELECT ctid FROM metadata_answers
               WHERE resource_type_id = api.resource_type_id AND generation < api.generation
               LIMIT $1 FOR UPDATE SKIP LOCKED
             ) AS answer
             LIMIT $1))`,
    values: [rowsMax],
  });
  return rowCount;
}

/** Deletes figures that no range shows any more. Returns the number of deleted intervals. */
export async function forgetOldFigures(database: Queryable, daysKept: number): Promise<number> {
  const { rowCount } = await database.query({
    text: 'DELETE FROM metadata_figures WHERE interval_start < now() - make_interval(days => $1)',
    values: [daysKept],
  });
  return rowCount;
}
