import type { Pool } from 'pg';

export type EndpointStatus = 'active' | 'disabled' | 'auto_disabled';

export interface QueuedEndpoint {
  readonly webhook_id: string;
  readonly status: EndpointStatus;
  /** When the earliest queued row that nobody holds is due. */
  readonly due_at: Date;
}

export interface QueueLook {
  /** By the database's clock, taken before anything was looked at. */
  readonly looked_at: Date;
  /** Endpoints that have something queued, in order of id. */
  readonly queued: readonly QueuedEndpoint[];
}

/** From when on each endpoint's queue is searched; null searches it whole. */
export interface QueueFloors {
  /** Of all endpoints that have no floor of their own. */
  readonly common: Date | null;
  /** By endpoint. */
  readonly lower: ReadonlyMap<string, Date>;
}

/**
 * Looks at the queue of every endpoint: one probe of webhook_deliveries_due each, from the endpoint's floor on.
 *
 * The floors are what keeps a queue fast beside an old snapshot. A row that was delivered leaves a dead index entry at the
 * head of its endpoint's range, and while any transaction of the server is older than it, nobody may clean it away: every
 * look would walk over all of them. In the fourth minute of 1,000 deliveries a second beside such a snapshot a look and its
 * claim took 183 ms at the median and 767 at the 99th percentile without floors, growing with every minute; with them they
 * take 4 and 9 ms (npm run bench -- webhooks --minutes 4).
 *
 * A search of the endpoints, not of the queue: a loose index scan over the distinct endpoints of the queue does not know
 * which endpoint comes next, so it cannot begin at that one's floor. What it would save is one probe, some 10 µs, for each
 * endpoint that has nothing queued. The floors come as one jsonb object, in which a key is found by bisection: an array
 * would be joined by comparing each with each, since these connections may not hash (`queue-pool.ts`).
 */
export async function dueEndpoints(pool: Pool, floors: QueueFloors, now: Date): Promise<QueueLook> {
  const { rows } = await pool.query<{ looked_at: Date } & { [Name in keyof QueuedEndpoint]: QueuedEndpoint[Name] | null }>({
    name: 'due_endpoints',
    text: `
      WITH look AS MATERIALIZED (
        SELECT clock_timestamp() AS looked_at
      ), queued AS (
        SELECT endpoint.id AS webhook_id, endpoint.status, earliest.due_at
        FROM webhook_endpoints AS endpoint
        CROSS JOIN LATERAL (
          SELECT delivery.due_at
          FROM webhook_deliveries AS delivery
          WHERE delivery.webhook_id = endpoint.id AND delivery.due_at >= coalesce(($1::jsonb ->> endpoint.id)::timestamptz, $3::timestamptz, '-infinity')
            AND (delivery.leased_until IS NULL OR delivery.leased_until <= $2::timestamptz)
          ORDER BY delivery.due_at
          LIMIT 1
        ) AS earliest
      )
      SELECT look.looked_at, queued.webhook_id, queued.status, queued.due_at
      FROM look
      LEFT JOIN queued ON true
      ORDER BY queued.webhook_id`,
    values: [JSON.stringify(Object.fromEntries(floors.lower)), now, floors.common],
  });
  const queued = rows.filter((row) => row.webhook_id !== null) as readonly (QueuedEndpoint & { looked_at: Date })[];
  return { looked_at: rows[0]?.looked_at as Date, queued };
}
