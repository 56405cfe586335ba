import type { EnvironmentName } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';
import type { LinkRow } from './link-row.js';
import { linkSelect } from './sql.js';

export type ExpiredLink = LinkRow & {
  readonly environment_id: string;
  readonly environment: EnvironmentName;
  readonly link_host: string;
  /** The time of the database's clock. */
  readonly now_ms: number;
  /** Whether the expiry was reported before, for another cause. */
  readonly is_reported: boolean;
};

/** Marks both causes of an expiry as reported, as SQL. */
const MARKS = `told_used_up_at = links.used_up_at,
               told_expires_at = CASE WHEN links.expires_at <= now() THEN links.expires_at ELSE links.told_expires_at END`;

/**
 * Whether the expiry of a link was reported for its other cause, as SQL. A link whose clicks are used up expires no second time at its
 * `expires_at`, and the other way round: the second cause is marked, and no event is emitted.
 */
const IS_REPORTED =
  'coalesce(links.told_used_up_at = links.used_up_at OR (links.told_expires_at = links.expires_at AND links.expires_at <= now()), false) AS is_reported';

/**
 * Returns the links of all environments that have expired, by their time or by their last click, and whose cause was not marked yet, and
 * marks it. Links that another transaction is changing are left to the next round. Writes no feed row, because engines find out about an
 * expiry by themselves.
 */
export async function tellDueExpiries(database: Queryable, rowsMax: number): Promise<readonly ExpiredLink[]> {
  const { rows } = await database.query<ExpiredLink>({
    text: `WITH over AS MATERIALIZED (
             SELECT id, ${IS_REPORTED} FROM links
             WHERE state = 'active' AND told_expires_at IS DISTINCT FROM expires_at AND expires_at <= now()
             ORDER BY expires_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
           ), used_up AS MATERIALIZED (
             SELECT id, ${IS_REPORTED} FROM links
             WHERE state = 'active' AND used_up_at IS NOT NULL AND told_used_up_at IS DISTINCT FROM used_up_at
             ORDER BY used_up_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
           ), due AS (
             SELECT id, is_reported FROM over UNION SELECT id, is_reported FROM used_up
           ), told AS (
             UPDATE links SET ${MARKS}
             FROM due WHERE links.id = due.id
             RETURNING links.*, due.is_reported
           )
           SELECT ${linkSelect('told')}, told.is_reported, environment.id AS environment_id, environment.name AS environment, environment.link_host,
             floor(extract(epoch FROM now()) * 1000)::float8 AS now_ms
           FROM told JOIN environments AS environment ON environment.id = told.environment_id
           ORDER BY told.id`,
    values: [rowsMax],
  });
  return rows;
}

/** Marks the expiry of a locked link as reported. Returns false if there is nothing to report, by the database's clock. */
export async function markExpiryTold(database: Queryable, linkId: string): Promise<boolean> {
  const { rows } = await database.query<{ is_reported: boolean }>({
    name: 'mark_expiry_told',
    text: `WITH due AS (
             SELECT id, ${IS_REPORTED} FROM links
             WHERE id = $1 AND state = 'active'
               AND ((told_expires_at IS DISTINCT FROM expires_at AND expires_at <= now())
                 OR (used_up_at IS NOT NULL AND told_used_up_at IS DISTINCT FROM used_up_at))
           )
           UPDATE links SET ${MARKS}
           FROM due WHERE links.id = due.id
           RETURNING due.is_reported`,
    values: [linkId],
  });
  return rows[0]?.is_reported === false;
}
