import type { Pool } from 'pg';
import { DELIVERY_LOG_DAYS } from '../../shared/base/limits.js';
import { OF_CURRENT_EPOCH } from './sql.js';

export type EndpointStatus = 'active' | 'disabled' | 'auto_disabled';

export interface QueuedEndpoint {
  readonly webhook_id: string;
  /** Whether this is the endpoint's queue of replays and tests. */
  readonly manual: boolean;
  readonly url: string;
  readonly status: EndpointStatus;
  /** Whether the earliest queued row was queued before the endpoint was last disabled. Nothing is claimed before the janitor has abandoned it. */
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

/** Low-water marks: the time from which each queue is scanned; null scans it in full. */
export interface QueueMarks {
  /** The mark of all queues that have none of their own. */
  readonly common: Date | null;
  /** Keyed by `queueOf`. */
  readonly lower: ReadonlyMap<string, Date>;
}

/** Follows the id of an endpoint in the name of its queue of replays and tests. */
const MANUAL = ' manual';

/** Identifies a queue of an endpoint: that of its events, or that of its replays and tests. */
export function queueOf({ webhook_id, manual }: Pick<QueuedEndpoint, 'webhook_id' | 'manual'>): string {
  return manual ? `${webhook_id}${MANUAL}` : webhook_id;
}

/**
 * Scans the queues of every endpoint, each from its low-water mark on: one probe of webhook_deliveries_due for its events, and one
 * of webhook_deliveries_manual for its replays and tests.
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
 *
 * A replay or test is due when it is inserted, and is never retried. So only the days around the mark can have those that are
 * searched: 6 pages an endpoint, compared with 76 in all 38 days. `created_at` is by the clock of the machine that inserted the
 * row, hence a day on either side. Beside an old snapshot, 50,000 delivered replays cost each scan 10 ms without marks.
 *
 * `createdFrom` is the result of `readQueuedFrom`; null searches all days. An endpoint costs 50 µs if 45 days are searched, and 17 if they are three.
 */
export async function scanQueues(pool: Pool, marks: QueueMarks, createdFrom: string | null = null): Promise<QueueScan> {
  const { rows } = await pool.query<{ scanned_at: Date } & { [Name in keyof QueuedEndpoint]: QueuedEndpoint[Name] | null }>({
    name: 'scan_queues',
    text: `
      WITH scan AS MATERIALIZED (
        SELECT statement_timestamp() AS scanned_at
      ), queued AS (
        SELECT endpoint.id AS webhook_id, false AS manual, endpoint.url, endpoint.status, earliest.due_at,
          earliest.abandoned
        FROM webhook_endpoints AS endpoint
        CROSS JOIN LATERAL (
          SELECT delivery.due_at, NOT ${OF_CURRENT_EPOCH} AS abandoned
          FROM webhook_deliveries AS delivery
          WHERE delivery.webhook_id = endpoint.id AND delivery.due_at >= coalesce(($1::jsonb ->> endpoint.id)::timestamptz, $2::timestamptz, '-infinity')
            AND delivery.created_at >= coalesce($3::timestamptz, '-infinity')
            AND (delivery.leased_until IS NULL OR delivery.leased_until <= statement_timestamp()) AND delivery.kind = 'automatic'
          ORDER BY delivery.due_at
          LIMIT 1
        ) AS earliest
        UNION ALL
        SELECT endpoint.id, true, endpoint.url, endpoint.status, earliest.due_at, false
        FROM webhook_endpoints AS endpoint
        CROSS JOIN LATERAL (
          SELECT coalesce(($1::jsonb ->> (endpoint.id || '${MANUAL}'))::timestamptz, $2::timestamptz, '-infinity') AS due_at
        ) AS mark
        CROSS JOIN LATERAL (
          SELECT delivery.due_at
          FROM webhook_deliveries AS delivery
          WHERE delivery.webhook_id = endpoint.id AND delivery.due_at >= mark.due_at
            AND delivery.created_at >= mark.due_at - interval '1 day' AND delivery.created_at < statement_timestamp() + interval '1 day'
            AND (delivery.leased_until IS NULL OR delivery.leased_until <= statement_timestamp()) AND delivery.kind <> 'automatic'
          ORDER BY delivery.due_at
          LIMIT 1
        ) AS earliest
      )
      SELECT scan.scanned_at, queued.webhook_id, queued.manual, queued.url, queued.status, queued.due_at, queued.abandoned,
        (extract(epoch FROM queued.due_at - statement_timestamp()) * 1000)::float8 AS wait_ms
      FROM scan
      LEFT JOIN queued ON true
      ORDER BY queued.webhook_id, queued.manual`,
    values: [JSON.stringify(Object.fromEntries(marks.lower)), marks.common, createdFrom],
  });
  const queued = rows.filter((row) => row.webhook_id !== null) as readonly (QueuedEndpoint & { scanned_at: Date })[];
  return { scanned_at: rows[0]?.scanned_at as Date, queued };
}

/**
 * Returns a time, as PostgreSQL's text, before which no delivery was created that is still queued: the oldest day of the log that has one, and
 * at the latest yesterday, because `created_at` is by the clock of the machine that inserted the row. An attempt that is tried again is a new
 * row, so that days do not come back into the queue, and most of them are empty.
 */
export async function readQueuedFrom(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ created_from: string }>({
    name: 'read_queued_from',
    text: `
      SELECT least(min(day.from_at), statement_timestamp() - interval '1 day')::text AS created_from
      FROM (
        SELECT CASE WHEN ago = $1 THEN '-infinity' ELSE statement_timestamp() - ago * interval '1 day' END AS from_at,
          statement_timestamp() - (ago - 1) * interval '1 day' AS until_at
        FROM generate_series(1, $1::integer) AS ago
      ) AS day
      CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries AS delivery
        WHERE delivery.due_at IS NOT NULL AND delivery.created_at >= day.from_at AND delivery.created_at < day.until_at
        LIMIT 1
      ) AS queued`,
    values: [DELIVERY_LOG_DAYS + 2],
  });
  return (rows[0] as { created_from: string }).created_from;
}
