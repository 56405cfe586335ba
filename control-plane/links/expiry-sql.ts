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
};

/**
 * Returns the links of all environments that have expired, by their time or by their last click, and were not reported yet, and marks them
 * as reported. Links that another transaction is changing are left to the next round. Writes no feed row, because engines find out about an
 * expiry by themselves.
 */
export async function tellDueExpiries(database: Queryable, rowsMax: number): Promise<readonly ExpiredLink[]> {
  const { rows } = await database.query<ExpiredLink>({
    text: `WITH over AS MATERIALIZED (
             SELECT id FROM links
             WHERE state = 'active' AND told_expires_at IS DISTINCT FROM expires_at AND expires_at <= now()
             ORDER BY expires_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
           ), used_up AS MATERIALIZED (
             SELECT id FROM links
             WHERE state = 'active' AND used_up_at IS NOT NULL AND told_used_up_at IS DISTINCT FROM used_up_at
             ORDER BY used_up_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
           ), due AS (
             SELECT id FROM over UNION SELECT id FROM used_up
           ), told AS (
             UPDATE links SET told_used_up_at = used_up_at,
               told_expires_at = CASE WHEN expires_at <= now() THEN expires_at ELSE told_expires_at END
             FROM due WHERE links.id = due.id
             RETURNING links.*
           )
           SELECT ${linkSelect('told')}, environment.id AS environment_id, environment.name AS environment, environment.link_host,
             floor(extract(epoch FROM now()) * 1000)::float8 AS now_ms
           FROM told JOIN environments AS environment ON environment.id = told.environment_id
           ORDER BY told.id`,
    values: [rowsMax],
  });
  return rows;
}

/** Marks the expiry of a locked link as reported. Returns false if there is nothing to report, by the database's clock. */
export async function markExpiryTold(database: Queryable, linkId: string): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'mark_expiry_told',
    text: `UPDATE links SET told_used_up_at = used_up_at,
             told_expires_at = CASE WHEN expires_at <= now() THEN expires_at ELSE told_expires_at END
           WHERE id = $1 AND state = 'active'
             AND ((told_expires_at IS DISTINCT FROM expires_at AND expires_at <= now())
               OR (used_up_at IS NOT NULL AND told_used_up_at IS DISTINCT FROM used_up_at))`,
    values: [linkId],
  });
  return rowCount === 1;
}
