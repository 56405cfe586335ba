import type { Queryable } from '../db/database.js';

/** How many of their `max_clicks` these links have left, by link id. */
export async function clicksLeftOf(database: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.query<{ id: string; clicks_left: number }>({
    name: 'clicks_left',
    text: `SELECT id, greatest(0, max_clicks - coalesce(used, 0))::float8 AS clicks_left
           FROM links LEFT JOIN link_uses ON link_uses.link_id = links.id
           WHERE id = ANY ($1::text[]) AND max_clicks IS NOT NULL`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row.clicks_left]));
}
