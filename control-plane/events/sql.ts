import { EVENT_TYPES, type EventType } from '../../shared/contract/schemas/events.js';
import type { Queryable } from '../db/database.js';
import type { PageRequest } from '../http/cursor.js';

export interface EventFilter {
  readonly type: EventType | null;
  readonly fromMs: number;
  readonly toMs: number | null;
}

/**
 * Lists bodies of an environment's events, newest first, by keyset; the window prunes the day partitions. It merges one range of
 * `events_newest` for each type. So one index serves lists of all types and of one type, and a rare type is not searched for among
 * millions of clicks.
 */
export async function listEventBodies(
  database: Queryable,
  environmentId: string,
  filter: EventFilter,
  page: PageRequest,
): Promise<readonly string[]> {
  const { rows } = await database.query<{ body: string }>({
    text: `SELECT event.body
           FROM unnest($2::text[]) AS wanted (type)
           CROSS JOIN LATERAL (
             SELECT events.id, events.body FROM events
             WHERE events.environment_id = $1 AND events.type = wanted.type AND events.created_at >= $3::timestamptz
               AND ($4::timestamptz IS NULL OR events.created_at <= $4) AND ($5::text IS NULL OR events.id < $5)
             ORDER BY events.id DESC LIMIT $6
           ) AS event
           ORDER BY event.id DESC LIMIT $6`,
    values: [
      environmentId,
      filter.type === null ? EVENT_TYPES : [filter.type],
      new Date(filter.fromMs).toISOString(),
      filter.toMs === null ? null : new Date(filter.toMs).toISOString(),
      page.belowId,
      page.limit + 1,
    ],
  });
  return rows.map(({ body }) => body);
}

/**
 * Makes the environment's clicks become events for `listenedMs` from now, by the database's clock. Writes at most every half minute,
 * however often it is called.
 */
export async function listenToClicks(database: Queryable, environmentId: string, listenedMs: number): Promise<void> {
  await database.query({
    text: `INSERT INTO click_listeners AS listener (environment_id, until) VALUES ($1, now() + $2::integer * interval '1 millisecond')
           ON CONFLICT (environment_id) DO UPDATE SET until = excluded.until
           WHERE listener.until < excluded.until - interval '30 seconds'`,
    values: [environmentId, listenedMs],
  });
}

/** Returns the active endpoints of the environment that subscribe to the type. */
export async function findSubscribers(database: Queryable, environmentId: string, type: EventType): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>({
    text: `SELECT id FROM webhook_endpoints WHERE environment_id = $1 AND status = 'active' AND $2 = ANY (events) ORDER BY id`,
    values: [environmentId, type],
  });
  return rows.map(({ id }) => id);
}
