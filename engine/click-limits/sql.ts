import type { ClientBase } from 'pg';
import { columnsOf } from '../database/columns.js';

/** Clicks of a link for which visitors wait. */
export interface AskedClicks {
  readonly link_id: string;
  readonly clicks: number;
}

export interface GrantedClicks {
  readonly link_id: string;
  /** How many of the requested clicks were granted: from 0 to all of them. */
  readonly granted: number;
}

/**
 * Uses up to that many of the `max_clicks` of each link. Calls for the same link wait for its row, so that all link hosts
 * together grant no more than the link has. The last click marks the link as used up and notifies engines through the feed. A
 * link that no longer has a limit is missing from the result. Rows are taken in the order of their links, so that calls cannot
 * deadlock.
 */
export async function takeClicks(client: ClientBase, asked: readonly AskedClicks[]): Promise<readonly GrantedClicks[]> {
  const { rows } = await client.query<GrantedClicks>({
    name: 'take_clicks',
    text: `WITH asked AS (
             SELECT link.id, least(asked.clicks, link.max_clicks) AS clicks
             FROM unnest($1::text[], $2::bigint[]) AS asked (link_id, clicks) JOIN links AS link ON link.id = asked.link_id
             WHERE link.max_clicks IS NOT NULL
             ORDER BY link.id
           ), taken AS (
             INSERT INTO link_uses AS uses (link_id, used, granted)
             SELECT id, clicks, clicks FROM asked
             ON CONFLICT (link_id) DO UPDATE SET
               granted = greatest(0, least(excluded.granted, (SELECT max_clicks FROM links WHERE id = uses.link_id) - uses.used)),
               used = uses.used
                 + greatest(0, least(excluded.granted, (SELECT max_clicks FROM links WHERE id = uses.link_id) - uses.used))
             RETURNING link_id, used, granted
           ), used_up AS (
             UPDATE links SET used_up_at = now() FROM taken
             WHERE links.id = taken.link_id AND taken.used >= links.max_clicks AND links.used_up_at IS NULL
             RETURNING links.id, links.environment_id, links.path
           ), feed AS (
             INSERT INTO config_feed (kind, environment_id, object_id, object_key)
             SELECT 'link', environment_id, id, path FROM used_up
           )
           SELECT link_id, granted::float8 FROM taken`,
    values: columnsOf(asked, 'link_id', 'clicks'),
  });
  return rows;
}
