import type { Pool } from 'pg';
import { idTimeMs } from '../../shared/base/ids.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Bodies of events by id. An id carries its event's time, which prunes the search to the partitions of that day and its
 * neighbours; by id alone every one of the 30 partitions would be probed. An id without a time is searched for everywhere.
 */
export async function eventBodies(pool: Pool, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const times = ids.map((id) => idTimeMs('event', id));
  const { rows } = await pool.query<{ id: string; body: string }>({
    name: 'event_bodies',
    text: `
      SELECT event.id, event.body
      FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) AS wanted (id, since, until)
      CROSS JOIN LATERAL (
        SELECT id, body
        FROM events
        WHERE events.id = wanted.id AND events.created_at >= wanted.since AND events.created_at < wanted.until
        LIMIT 1
      ) AS event`,
    values: [
      ids,
      times.map((time) => (time === null ? '-infinity' : new Date(time - DAY_MS))),
      times.map((time) => (time === null ? 'infinity' : new Date(time + DAY_MS))),
    ],
  });
  return new Map(rows.map((row) => [row.id, row.body]));
}
