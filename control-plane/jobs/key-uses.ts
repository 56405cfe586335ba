import type { Queryable } from '../db/database.js';
import { KeyUses } from '../keys/key-uses.js';
import { createPeriodicJob, type JobSurroundings, type PeriodicJob } from './periodic.js';

interface KeyUsesJob extends PeriodicJob, Pick<KeyUses, 'note'> {}

interface KeyUsesJobOptions extends JobSurroundings {
  readonly database: Queryable;
}

/** How long a use may be known only to this process. If the process is killed, the uses of this time are lost. */
const INTERVAL_MS = 60_000;
const RETRY_MS = 10_000;
const OVERDUE_MS = 600_000;

/** Writes when keys were last used, periodically and once more at the end. */
export function createKeyUsesJob({ database, log, clock, intervalMs = INTERVAL_MS }: KeyUsesJobOptions): KeyUsesJob {
  const uses = new KeyUses(clock);
  const job = createPeriodicJob({
    part: 'key-uses',
    round: () => uses.write(database),
    atEnd: () => uses.write(database),
    intervalMs,
    retryMs: RETRY_MS,
    overdueMs: OVERDUE_MS,
    overdueReason: 'the times of the last use of keys are not stored',
    log,
    clock,
  });
  return { ...job, note: uses.note };
}
