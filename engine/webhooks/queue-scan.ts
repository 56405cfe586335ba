import type { Pool } from 'pg';

export type EndpointStatus = 'active' | 'disabled' | 'auto_disabled';

export interface QueuedEndpoint {
  readonly webhook_id: string;
  /** Whether this is the endpoint's queue of replays and tests. */
  readonly manual: boolean;
  readonly url: string;
  readonly status: EndpointStatus;
  /** Whether the earliest queued row was queued before the endpoint was last disabled. The janitor abandons it. */
  readonly abandoned: boolean;
  /** When the earliest queued row without a lease is due. */
  readonly due_at: Date;
  /** How long until then by the database's clock, in milliseconds; 0 or less if it is due. */
  readonly wait_ms: number;
}

export interface QueueScan {
  /** By the database's clock, before anything was read. */
  readonly scanned_at: Date;
  /** Endpoints that have something queued, in order of id, once for each of their queues. */
  readonly queued: readonly QueuedEndpoint[];
}

/** Low-water marks: the time from which each endpoint's queue is scanned; null scans it in full. */
export interface QueueMarks {
  /** The mark of all endpoints that have none of their own. */
  readonly common: Date | null;
  /** Keyed by endpoint. */
  readonly lower: ReadonlyMap<string, Date>;
}

/** Identifies a queue of an endpoint: that of its events, or that of its replays and tests. */
export function queueOf({ webhook_id, manual }: Pick<QueuedEndpoint, 'webhook_id' | 'manual'>): string {
  return manual ? `${webhook_id} manual` : webhook_id;
}

/**
 * Scans the queues of every endpoint: one probe of webhook_deliveries_due each, from the endpoint's low-water mark on, and all
 * replays and tests that are queued. Those were requested by hand, so that they are few; they have an index of their own.
 *
 * The low-water marks keep a queue fast beside an old snapshot. A row that was delivered leaves a dead index entry at the head of
 * its endpoint's range. While any transaction of the server is older than the entry, it cannot be cleaned up, and every scan would
 * walk over all of them. In the fourth minute of 1,000 deliveries a second beside such a snapshot, a scan and its claim took 183
 * ms at the median and 767 at the 99th percentile without the marks, growing with every minute; with them they take 4 and 9 ms
 * (npm run bench -- webhooks --minutes 4).
 *
 * The statement iterates over the endpoints, not over the queue. A loose index scan over the distinct endpoints of the queue does
 * not know which endpoint comes next, so it cannot begin at that one's mark. It would save one probe, some 10 µs, for each
 * endpoint that has nothing queued. The marks are passed as one jsonb object, in which a key is found by binary search. An array
 * would be joined by comparing each with each, because these connections may not hash (`queue-pool.ts`).
 */
export async function scanQueues(pool: Pool, marks: QueueMarks): Promise<QueueScan> {
  const { rows } = await pool.query<{ scanned_at: Date } & { [Name in keyof QueuedEndpoint]: QueuedEndpoint[Name] | null }>({
    name: 'scan_queues',
    text: `
      WITH scan AS MATERIALIZED (
        SELECT statement_timestamp() AS scanned_at
      ), queued AS (
        SELECT endpoint.id AS webhook_id, false AS manual, endpoint.url, endpoint.status, earliest.due_at,
          earliest.created_at < endpoint.abandoned_until AS abandoned
        FROM webhook_endpoints AS endpoint
        CROSS JOIN LATERAL (
          SELECT delivery.due_at, delivery.created_at
          FROM webhook_deliveries AS delivery
          WHERE delivery.webhook_id = endpoint.id AND delivery.due_at >= coalesce(($1::jsonb ->> endpoint.id)::timestamptz, $2::timestamptz, '-infinity')
            AND (delivery.leased_until IS NULL OR delivery.leased_until <= statement_timestamp()) AND delivery.kind = 'automatic'
          ORDER BY delivery.due_at
          LIMIT 1
        ) AS earliest
        UNION ALL
        SELECT endpoint.id, true, endpoint.url, endpoint.status, earliest.due_at, false
        FROM (
          SELECT webhook_id, min(due_at) AS due_at
          FROM webhook_deliveries
          WHERE due_at IS NOT NULL AND kind <> 'automatic' AND (leased_until IS NULL OR leased_until <= statement_timestamp())
          GROUP BY webhook_id
        ) AS earliest
        JOIN webhook_endpoints AS endpoint ON endpoint.id = earliest.webhook_id
      )
      SELECT scan.scanned_at, queued.webhook_id, queued.manual, queued.url, queued.status, queued.due_at, queued.abandoned,
        (extract(epoch FROM queued.due_at - statement_timestamp()) * 1000)::float8 AS wait_ms
      FROM scan
      LEFT JOIN queued ON true
      ORDER BY queued.webhook_id, queued.manual`,
    values: [JSON.stringify(Object.fromEntries(marks.lower)), marks.common],
  });
  const queued = rows.filter((row) => row.webhook_id !== null) as readonly (QueuedEndpoint & { scanned_at: Date })[];
  return { scanned_at: rows[0]?.scanned_at as Date, queued };
}
