import type { Queryable } from '../db/database.js';
import { type Refusal, refuse } from './problems.js';

/** A request with an `Idempotency-Key`. */
export interface Run {
  readonly keyId: string;
  /** Value of `Idempotency-Key`. */
  readonly idempotencyKey: string;
  readonly requestId: string;
}

/** A check that takes no longer is not noted: it costs nothing, and what two such requests do is decided by the lock of the effect. */
const NOTED_AFTER_MS = 50;

/** No check waits as long: look-ups and calls have a few seconds. A process that dies leaves its notes, which refuse their keys until then. */
const RUN_SECONDS = 30;

export function stillRunning(): Refusal {
  return refuse('conflict', 'The first request with this Idempotency-Key is still running.');
}

/**
 * Waits for a check that may wait for another server, then does the rest. As long as both run, a committed row says so to every control
 * plane. Throws a refusal if the key has another run by then, and gives up on the check.
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
    // The answer stands whatever becomes of the note, which ends by itself.
    if (isNoted) await forgetRun(database, run).catch(() => {});
  }
}

/** Never rejects. */
async function isSlow(checking: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const ended = checking.then(
    () => false,
    () => false,
  );
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, NOTED_AFTER_MS, true);
  });
  const slow = await Promise.race([ended, late]);
  clearTimeout(timer);
  return slow;
}

/** False if another request with the key has a note that has not ended. */
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

/** Notes of processes that died. Returns how many are gone; called until it is none. */
export async function forgetEndedRuns(database: Queryable, rowsMax: number): Promise<number> {
  const { rowCount } = await database.query({
    text: `DELETE FROM idempotency_runs WHERE (key_id, idempotency_key) IN (
             SELECT key_id, idempotency_key FROM idempotency_runs WHERE ends_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    values: [rowsMax],
  });
  return rowCount;
}
