import pg from 'pg';
import { percentile } from '../load/statistics.js';
import { startDispatcher } from './dispatcher.js';
import { Emitter } from './emitter.js';
import { type BenchQueue, withQueue } from './queue.js';
import { withReceiver } from './receivers.js';

/** One minute of a steady rate. */
export interface SteadyMinute {
  readonly minute: number;
  readonly deliveries: number;
  readonly arrival_p99_ms: number;
  readonly claim_p50_ms: number;
  readonly claim_p99_ms: number;
  readonly dead_tuples: number;
  /** The share of updates that touched no index. */
  readonly hot_update_share: number;
  readonly heap_mb: number;
  readonly index_mb: number;
}

export interface SteadyMeasurement {
  readonly events_per_second: number;
  readonly endpoints: number;
  readonly minutes: readonly SteadyMinute[];
}

const EVENTS_PER_SECOND = 200;
const ENDPOINTS = 5;
/** The time to compile code and to open connections, which does not count. */
const WARM_UP_SECONDS = 5;

/**
 * Measures what an open transaction does to the queue: while its snapshot is held, no dead tuple can be removed, and a
 * queue that reads over dead tuples becomes slower every minute. A report that runs for half an hour, or a dump, is
 * such a transaction.
 */
export async function measureSteadyRate(minutes: number, onMinute: (minute: number) => void): Promise<SteadyMeasurement> {
  return withQueue((queue) =>
    withReceiver({ tls: null, noteArrivals: true }, async (receiver) => {
      await queue.addEndpoints(receiver.origin, ENDPOINTS);
      const dispatcher = await startDispatcher(queue, [receiver.origin], null);
      const snapshot = await holdSnapshot(queue);
      const emitter = new Emitter(queue);
      await emitter.run(EVENTS_PER_SECOND, WARM_UP_SECONDS);
      emitter.waits(await receiver.arrivals());
      const measured: SteadyMinute[] = [];
      for (let minute = 1; minute <= minutes; minute++) {
        onMinute(minute);
        await emitter.run(EVENTS_PER_SECOND, 60);
        const waits = emitter.waits(await receiver.arrivals());
        const { claim } = await dispatcher.stats();
        measured.push({
          minute,
          deliveries: waits.length,
          arrival_p99_ms: percentile(waits, 0.99),
          claim_p50_ms: claim.p50_ms,
          claim_p99_ms: claim.p99_ms,
          ...(await tableFigures(queue)),
        });
      }
      await snapshot.end();
      await dispatcher.stop();
      return { events_per_second: EVENTS_PER_SECOND, endpoints: ENDPOINTS, minutes: measured };
    }),
  );
}

async function holdSnapshot(queue: BenchQueue): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: queue.url });
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query('SELECT count(*) FROM webhook_deliveries');
  return client;
}

async function tableFigures(queue: BenchQueue) {
  const { rows } = await queue.pool.query<{ dead: number; hot: number; updates: number; heap: number; indexes: number }>(
    `SELECT sum(n_dead_tup)::float8 AS dead, sum(n_tup_hot_upd)::float8 AS hot, sum(n_tup_upd)::float8 AS updates,
       sum(pg_relation_size(relid))::float8 AS heap, sum(pg_indexes_size(relid))::float8 AS indexes
     FROM pg_stat_user_tables WHERE relname LIKE 'webhook_deliveries_%'`,
  );
  const { dead = 0, hot = 0, updates = 0, heap = 0, indexes = 0 } = rows[0] ?? {};
  return { dead_tuples: dead, hot_update_share: updates === 0 ? 0 : hot / updates, heap_mb: heap / 1e6, index_mb: indexes / 1e6 };
}
