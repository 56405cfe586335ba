import type { Database, Queryable } from '../db/database.js';
import { PLANNING } from './shards.js';

/** Memory in which the links and items of a busy day are added up without files; 4 MB take 30,000 of them. */
const READING = `${PLANNING}, set_config('work_mem', '32MB', true)`;

/** Reads figures as they were at one moment, in one transaction that changes nothing. */
export function readInSnapshot<Result>(database: Database, work: (snapshot: Queryable) => Promise<Result>): Promise<Result> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', values: [] });
    await transaction.query({ name: 'plan_figures', text: `SELECT ${READING}`, values: [] });
    return work(transaction);
  });
}
