import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';

/**
 * Disables the links that are active and that nobody has changed here since they were created, and writes their feed rows. They were
 * disabled at their source before, so no event is emitted.
 */
export async function disableLinks(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query({
    text: `WITH link AS (
             UPDATE links SET state = 'disabled' WHERE id = ANY ($1::text[]) AND state = 'active' AND updated_at = created_at
             RETURNING id, environment_id, path
           )
           ${FEED_INSERT} SELECT 'link', environment_id, id, path FROM link`,
    values: [ids],
  });
}
