import type { Clock } from '../../shared/base/clock.js';
import { DELIVERY_LOG_DAYS, EVENT_LOG_DAYS, METADATA_FIGURES_DAYS } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { createWake } from '../../shared/base/wake.js';
import type { Database, Queryable } from '../db/database.js';
import { forgetOldKeys } from '../http/idempotency.js';
import { forgetOldAnswers, forgetOldFigures, forgetReplacedAnswers } from '../resources/invalidate.js';
import { destroyOldHashKeys } from './hash-keys.js';

/**
 * What the database needs every hour: day partitions a week ahead, old ones dropped, what is past its time forgotten or destroyed. Every
 * step does nothing where it is done already, so that any number of control planes may run it.
 */
export interface Maintenance {
  start(): void;
  /** Ends after the step under way. */
  stop(): Promise<void>;
  stats(): {
    readonly runs: number;
    readonly failures: number;
    readonly partitionsDropped: number;
    readonly keysForgotten: number;
    readonly answersForgotten: number;
    readonly hashKeysDestroyed: number;
  };
  health(): { readonly part: string; readonly ok: boolean; readonly reason: string };
}

export interface MaintenanceOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  /** How long the click log goes back; a day is dropped as a whole. */
  readonly clickRetentionDays: number;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 3_600_000;

/** After a failure, for example while PostgreSQL restarts. */
const RETRY_MS = 30_000;

/** Partitions are made this far ahead, so that rows find one even after days without a run. */
const PARTITION_DAYS_AHEAD = 7;

/** Without a run for this long the partitions ahead run out: time to tell the operator, while there is some left. */
const OVERDUE_MS = 2 * 86_400_000;

/** Rows of one deletion. */
const FORGET_ROWS = 5_000;

const PARTITIONED_TABLES = ['clicks', 'events', 'webhook_deliveries'] as const;
type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const { database, log, clock, clickRetentionDays, intervalMs = INTERVAL_MS } = options;
  const wake = createWake();
  const stats = { runs: 0, failures: 0, partitionsDropped: 0, keysForgotten: 0, answersForgotten: 0, hashKeysDestroyed: 0 };
  let stopping = false;
  let lastSuccessMs = clock();
  let loop: Promise<void> = Promise.resolve();

  const forgetAll = async (forget: (database: Queryable, rowsMax: number) => Promise<number>): Promise<number> => {
    let sum = 0;
    for (let forgotten = FORGET_ROWS; forgotten === FORGET_ROWS && !stopping; sum += forgotten)
      forgotten = await forget(database, FORGET_ROWS);
    return sum;
  };

  const drop = (parent: PartitionedTable, daysKept: number) => async (): Promise<void> => {
    stats.partitionsDropped += await dropPartitions(database, parent, daysKept);
  };

  const steps: Readonly<Record<string, () => Promise<void>>> = {
    'making partitions': () => ensurePartitions(database, PARTITION_DAYS_AHEAD),
    'destroying hash keys': async () => {
      stats.hashKeysDestroyed += await destroyOldHashKeys(database);
    },
    'dropping deliveries': drop('webhook_deliveries', DELIVERY_LOG_DAYS),
    'dropping events': drop('events', EVENT_LOG_DAYS),
    'dropping clicks': drop('clicks', clickRetentionDays),
    'forgetting idempotency keys': async () => {
      stats.keysForgotten += await forgetAll(forgetOldKeys);
    },
    'forgetting metadata': async () => {
      stats.answersForgotten += (await forgetAll(forgetOldAnswers)) + (await forgetAll(forgetReplacedAnswers));
      await forgetOldFigures(database, METADATA_FIGURES_DAYS);
    },
  };

  /** Every step, whatever became of the one before: a lock that one cannot get must not keep another from its promise. */
  const runOnce = async (): Promise<boolean> => {
    let done = true;
    for (const [step, work] of Object.entries(steps)) {
      try {
        if (!stopping) await work();
      } catch (error) {
        done = false;
        log.warn({ err: error, step }, 'maintenance failed and is tried again');
      }
    }
    return done;
  };

  const run = async (): Promise<void> => {
    while (!stopping) {
      const done = await runOnce();
      if (done) {
        stats.runs++;
        lastSuccessMs = clock();
      } else stats.failures++;
      if (!stopping) await wake.wait(done ? intervalMs : Math.min(intervalMs, RETRY_MS));
    }
  };

  return {
    start() {
      loop = run();
    },
    async stop() {
      stopping = true;
      wake.raise();
      await loop;
    },
    stats: () => ({ ...stats }),
    health() {
      const overdue = clock() - lastSuccessMs > OVERDUE_MS;
      const reason = overdue ? `no maintenance since ${new Date(lastSuccessMs).toISOString()}; partitions run out` : '';
      return { part: 'maintenance', ok: !overdue, reason };
    },
  };
}

async function ensurePartitions(database: Queryable, daysAhead: number): Promise<void> {
  await database.query({
    text: `SELECT ensure_day_partition(parent, (now() AT TIME ZONE 'UTC')::date + day)
           FROM unnest($1::text[]) AS parent, generate_series(-1, $2::integer) AS day`,
    values: [PARTITIONED_TABLES, daysAhead],
  });
}

async function dropPartitions(database: Queryable, parent: PartitionedTable, daysKept: number): Promise<number> {
  const { rows } = await database.query<{ dropped: number }>({
    text: `SELECT drop_day_partitions($1, (now() AT TIME ZONE 'UTC')::date - $2::integer) AS dropped`,
    values: [parent, daysKept],
  });
  return rows[0]?.dropped ?? 0;
}
