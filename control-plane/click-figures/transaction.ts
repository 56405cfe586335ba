import type { Database, Queryable } from '../db/database.js';

/**
 * Settings for the rest of a transaction. Statements on figures join intermediate results whose size PostgreSQL cannot know. If it
 * wrongly expects one row and joins by nested loops, milliseconds become minutes. A hash join is never far from the best plan.
 * Compiling such a statement takes longer than running it.
 */
const PLANNING = `set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`;

/**
 * Enough memory to sort the figures of a round of counting without files. The clicks of a batch must be found by the index of
 * batches, but in a partition that has not been analyzed yet this looks as expensive as reading all of it. Parallel workers do not
 * help, because one process reads as fast as the clicks are counted.
 */
const COUNTING = `${PLANNING}, set_config('work_mem', '96MB', true), set_config('enable_seqscan', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true)`;

/** Enough memory to add up the links and items of a busy day without files; 4 MB hold 30,000 of them. */
const READING = `${PLANNING}, set_config('work_mem', '32MB', true)`;

/** Applies the settings of a transaction that changes figures. */
export async function planCounting(transaction: Queryable): Promise<void> {
  await transaction.query({ name: 'plan_counting', text: `SELECT ${COUNTING}`, values: [] });
}

/** Runs `work` in a read-only transaction that sees figures as they were at one moment. */
export function readInSnapshot<Result>(database: Database, work: (snapshot: Database) => Promise<Result>): Promise<Result> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', values: [] });
    await transaction.query({ name: 'plan_figures', text: `SELECT ${READING}`, values: [] });
    return work(transaction);
  });
}
