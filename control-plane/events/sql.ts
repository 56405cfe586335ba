import { EVENT_TYPES, type EventType } from '../../shared/contract/schemas/events.js';
import type { EventRow } from '../../shared/webhooks/body.js';
import type { Queryable } from '../db/database.js';
import type { PageRequest } from '../http/cursor.js';
import type { DeliveryRow } from '../webhooks/webhook-row.js';

export interface EventFilter {
  readonly type: EventType | null;
  readonly fromMs: number;
  readonly toMs: number | null;
}

/**
 * Bodies of an environment's events, newest first by keyset; the window prunes the day partitions. One range of
 * `events_newest` for each type, merged: so one index serves lists of all types and of one, and a rare type is not searched
 * for among millions of clicks.
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

/** Has the environment's clicks made events until then. Writes at most every half minute, however often it is called. */
export async function listenToClicks(database: Queryable, environmentId: string, until: Date): Promise<void> {
  await database.query({
    text: `INSERT INTO click_listeners AS listener (environment_id, until) VALUES ($1, $2)
           ON CONFLICT (environment_id) DO UPDATE SET until = excluded.until
           WHERE listener.until < excluded.until - interval '30 seconds'`,
    values: [environmentId, until.toISOString()],
  });
}

/** Enabled endpoints of the environment that want the type. */
export async function findSubscribers(database: Queryable, environmentId: string, type: EventType): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>({
    text: `SELECT id FROM webhook_endpoints WHERE environment_id = $1 AND status = 'active' AND $2 = ANY (events) ORDER BY id`,
    values: [environmentId, type],
  });
  return rows.map(({ id }) => id);
}

/** An event and its deliveries, all of one kind and due at once: not through `insert_events`, whose deliveries are tried again. */
export async function insertTriggeredEvent(database: Queryable, event: EventRow, deliveries: readonly DeliveryRow[]): Promise<void> {
  await database.query({
    text: `WITH event AS (
             INSERT INTO events (id, created_at, environment_id, type, body) VALUES ($1, $2, $3, $4, $5)
           )
           INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at)
           SELECT delivery.id, $2, delivery.webhook_id, $3, $1, $4, 'test', 1, 'pending', clock_timestamp()
           FROM unnest($6::text[], $7::text[]) AS delivery (id, webhook_id)`,
    values: [
      event.id,
      new Date(event.created_at_ms).toISOString(),
      event.environment_id,
      event.type,
      event.body,
      deliveries.map(({ id }) => id),
      deliveries.map(({ webhook_id }) => webhook_id),
    ],
  });
}
