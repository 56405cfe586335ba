import type { Clock } from '../../shared/base/clock.js';
import { InvariantError } from '../../shared/base/invariant.js';
import type { Logger } from '../../shared/base/log.js';
import { createSignal } from '../../shared/base/signal.js';
import { DatabaseUnavailableError } from '../db/database.js';

/**
 * Work that every control plane does periodically. A round finds in the database what is due, so that any number of servers may
 * run it, and if one is killed in the middle, the next round of any of them continues its work.
 */
export interface PeriodicJob {
  start(): void;
  /** Stops after the current step. */
  stop(): Promise<void>;
  stats(): { readonly rounds: number; readonly failures: number };
  health(): { readonly part: string; readonly ok: boolean; readonly reason: string };
}

/** What a round of many steps uses between its steps. */
export interface Round {
  readonly isStopping: () => boolean;
  /** Reports that a step succeeded, which counts for health like a whole round. */
  readonly progressed: () => void;
}

export interface PeriodicJobOptions {
  /** Name in health and logs. */
  readonly part: string;
  readonly round: (round: Round) => Promise<void>;
  readonly intervalMs: number;
  /** The wait after a failed round, for example while PostgreSQL restarts, if it is shorter than the interval. */
  readonly retryMs?: number;
  /** After this time without a successful round, the job is reported as unhealthy. */
  readonly overdueMs: number;
  /** What the consequences are then, for the operator. */
  readonly overdueReason: string;
  /** Called once after the last round, if PostgreSQL can be reached. */
  readonly atEnd?: () => Promise<void>;
  readonly log: Logger;
  readonly clock: Clock;
}

/** The options that every job has. */
export interface JobSurroundings extends Pick<PeriodicJobOptions, 'log' | 'clock'> {
  readonly intervalMs?: number;
}

export function createPeriodicJob(options: PeriodicJobOptions): PeriodicJob {
  const { part, round, intervalMs, retryMs = intervalMs, overdueMs, overdueReason, atEnd, log, clock } = options;
  const signal = createSignal();
  const stats = { rounds: 0, failures: 0 };
  let stopping = false;
  let lastSuccessMs = clock();
  let loop: Promise<void> = Promise.resolve();

  const progressed = (): void => {
    lastSuccessMs = clock();
  };

  /** Rejects only because of a bug in the program; that error ends the process, which is then restarted. */
  const run = async (): Promise<void> => {
    while (!stopping) {
      let waitMs = intervalMs;
      try {
        await round({ isStopping: () => stopping, progressed });
        stats.rounds++;
        progressed();
      } catch (error) {
        if (error instanceof InvariantError) throw error;
        stats.failures++;
        waitMs = Math.min(intervalMs, retryMs);
        log.warn({ code: 'job_failed', err: error, part }, 'a periodic job failed and will be tried again');
      }
      if (!stopping) await signal.wait(waitMs);
    }
  };

  return {
    start() {
      loop = run();
    },
    async stop() {
      stopping = true;
      signal.raise();
      await loop;
      await atEnd?.().catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
      });
    },
    stats: () => ({ ...stats }),
    health() {
      const overdue = clock() - lastSuccessMs > overdueMs;
      const reason = overdue ? `no success since ${new Date(lastSuccessMs).toISOString()}; ${overdueReason}` : '';
      return { part, ok: !overdue, reason };
    },
  };
}
