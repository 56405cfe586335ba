import type { Database, Queryable } from '../db/database.js';

/**
 * For the rest of the transaction. Statements of figures are planned again each time and join intermediate results whose
 * size PostgreSQL cannot know: where it takes them for one row, joins them by nested loops and is wrong, milliseconds
 * become minutes. A hash join is never far from the best. Compiling such a statement takes longer than running it.
 */
const PLANNING = `set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`;

/** Memory in which the links and items of a busy day are added up without files; 4 MB take 30,000 of them. */
const READING = `${PLANNING}, set_config('work_mem', '32MB', true)`;

/** Reads figures and the tail of the log as they were at one moment, in one transaction that changes nothing. */
export function readInSnapshot<Result>(database: Database, work: (snapshot: Queryable) => Promise<Result>): Promise<Result> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', values: [] });
    await transaction.query({ name: 'plan_figures', text: `SELECT ${READING}`, values: [] });
    return work(transaction);
  });
}

/** Any number that nothing else in the database locks on: the bytes of "figr". */
const FIGURES_LOCK = 0x66696772;

/** Memory in which the keys of `CLICK_MERGE_CLICKS_MAX` clicks are sorted without files. */
const COUNTING = `${PLANNING}, set_config('work_mem', '96MB', true)`;

/** Takes the lock that a transaction which changes figures holds until its end; readers need none. Returns false if another one holds it. */
export async function tryLockFigures(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ locked: boolean }>({
    name: 'try_lock_figures',
    text: `SELECT pg_try_advisory_xact_lock($1) AS locked, ${COUNTING}`,
    values: [FIGURES_LOCK],
  });
  return rows[0]?.locked === true;
}

/** Waits for the same lock, and takes it. */
export async function lockFigures(database: Queryable): Promise<void> {
  await database.query({ name: 'lock_figures', text: `SELECT pg_advisory_xact_lock($1), ${COUNTING}`, values: [FIGURES_LOCK] });
}
