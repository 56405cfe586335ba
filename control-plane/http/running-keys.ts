import { within } from '../../shared/base/within.js';
import type { Queryable } from '../db/database.js';
import { type Refusal, refuse } from './problems.js';

/** A request with an `Idempotency-Key`. */
export interface Run {
  readonly keyId: string;
  /** Value of `Idempotency-Key`. */
  readonly idempotencyKey: string;
  readonly requestId: string;
}

/** A check that takes no longer is not recorded, to save the write. Two such requests are kept apart by the lock of the effect. */
const NOTED_AFTER_MS = 50;

/** Longer than any check waits: look-ups and calls take a few seconds. Rows of a process that crashed block their keys until then. */
const RUN_SECONDS = 30;

export function stillRunning(): Refusal {
  return refuse('conflict', 'The first request with this Idempotency-Key is still running: try again in a moment.');
}

/**
 * Waits for a check that may wait for another server, then does the rest. If the check is slow, a committed row shows to every control
 * plane that the key is running until both are done. Throws a refusal if the key has another run by then, and abandons the check.
 */
export async function whileNoted<Result>(
  database: Queryable,
  run: Run,
  check: () => Promise<void>,
  rest: () => Promise<Result>,
): Promise<Result> {
  const checking = check();
  let isNoted = false;
  try {
    if (await isSlow(checking)) {
      isNoted = await noteRun(database, run);
      if (!isNoted) throw stillRunning();
    }
    await checking;
    return await rest();
  } finally {
    // The response is valid even if the row cannot be deleted; the row expires by itself.
    if (isNoted) await forgetRun(database, run).catch(() => {});
  }
}

/** Whether the check takes longer than `NOTED_AFTER_MS`. Never rejects. */
async function isSlow(checking: Promise<void>): Promise<boolean> {
  const ended = checking.then(
    () => true,
    () => true,
  );
  return (await within(NOTED_AFTER_MS, ended)) === null;
}

/** Records the run. Returns false if another request with the key has a row that has not expired. */
async function noteRun(database: Queryable, run: Run): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'note_idempotent_run',
    text: `INSERT INTO idempotency_runs AS old (key_id, idempotency_key, request_id, ends_at)
           VALUES ($1, $2, $3, now() + make_interval(secs => $4))
           ON CONFLICT (key_id, idempotency_key) DO UPDATE SET request_id = excluded.request_id, ends_at = excluded.ends_at
             WHERE old.ends_at <= now()`,
    values: [run.keyId, run.idempotencyKey, run.requestId, RUN_SECONDS],
  });
  return rowCount === 1;
}

async function forgetRun(database: Queryable, run: Run): Promise<void> {
  await database.query({
    name: 'forget_idempotent_run',
    text: 'DELETE FROM idempotency_runs WHERE key_id = $1 AND idempotency_key = $2 AND request_id = $3',
    values: [run.keyId, run.idempotencyKey, run.requestId],
  });
}

/** Deletes the rows of processes that crashed. Returns the number of deleted rows; call it until it returns 0. */
export async function forgetEndedRuns(database: Queryable, rowsMax: number): Promise<number> {
  const { rowCount } = await database.query({
    text: `DELETE FROM idempotency_runs WHERE (key_id, idempotency_key) IN (
             SELECT key_id, idempotency_key FROM idempotency_runs WHERE ends_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    values: [rowsMax],
  });
  return rowCount;
}
