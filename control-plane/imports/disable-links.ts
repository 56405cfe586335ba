import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import { findImported } from './existing-links.js';
import type { PlannedLink } from './plan-link.js';

/** Switches off the links that the plans have made, and tells engines. They were so where they come from: nobody is sent an event. */
export async function disableLinks(database: Queryable, environmentId: string, plans: readonly PlannedLink[]): Promise<void> {
  const found = await findImported(database, environmentId, plans);
  await database.query({
    text: `WITH link AS (
             UPDATE links SET state = 'disabled' WHERE id = ANY ($1::text[]) AND state = 'active' RETURNING id, environment_id, path
           )
           ${FEED_INSERT} SELECT 'link', environment_id, id, path FROM link`,
    values: [[...found.values()].map(({ id }) => id)],
  });
}
