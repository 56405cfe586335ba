import type { Database, Queryable } from '../db/database.js';

/**
 * For the rest of a transaction. Statements of figures join intermediate results whose size PostgreSQL cannot know: where it
 * takes them for one row, joins them by nested loops and is wrong, milliseconds become minutes. A hash join is never far from
 * the best. Compiling such a statement takes longer than running it.
 */
const PLANNING = `set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`;

/**
 * Memory in which the figures of a round of counting are sorted without files. The clicks of a batch are found by the
 * index of batches: a partition that was not analyzed yet looks as if that would take as long as reading all of it. One process
 * reads as fast as the clicks are counted.
 */
const COUNTING = `${PLANNING}, set_config('work_mem', '96MB', true), set_config('enable_seqscan', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true)`;

/** Memory in which the links and items of a busy day are added up without files; 4 MB take 30,000 of them. */
const READING = `${PLANNING}, set_config('work_mem', '32MB', true)`;

/** Settings of a transaction that changes figures. */
export async function planCounting(transaction: Queryable): Promise<void> {
  await transaction.query({ name: 'plan_counting', text: `SELECT ${COUNTING}`, values: [] });
}

/** Reads figures as they were at one moment, in one transaction that changes nothing. */
export function readInSnapshot<Result>(database: Database, work: (snapshot: Queryable) => Promise<Result>): Promise<Result> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', values: [] });
    await transaction.query({ name: 'plan_figures', text: `SELECT ${READING}`, values: [] });
    return work(transaction);
  });
}
