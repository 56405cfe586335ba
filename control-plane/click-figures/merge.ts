import { CLICK_MERGE_CLICKS_MAX } from '../../shared/base/limits.js';
import type { Database, Queryable } from '../db/database.js';
import { addFigures } from './counting.js';
import { closedSpan, type EnvironmentDay, type FigureDays } from './days.js';
import { createParameters, type Parameters } from './parameters.js';
import { ensureFigurePartitions } from './partitions.js';
import { closedDays } from './reading.js';
import { cutDayPrefixes, forgetRangePrefixes } from './top-prefixes.js';
import { tryLockFigures } from './transaction.js';

/** Clicks that one shipping transaction stored. */
export interface ClickBatch {
  readonly batch_id: string;
  readonly clicks: number;
  readonly from_at: Date;
  readonly to_at: Date;
}

export interface MergeOutcome {
  readonly batches: number;
  readonly clicks: number;
}

const NOTHING: MergeOutcome = { batches: 0, clicks: 0 };

/** Batches of one transaction: a shipper that finds something every 100 ms makes as many in three minutes. */
const BATCHES_MAX = 2000;

/** Batches that are not counted, oldest first. */
export async function waitingBatches(database: Queryable): Promise<readonly ClickBatch[]> {
  const { rows } = await database.query<ClickBatch>({
    name: 'waiting_click_batches',
    text: 'SELECT batch_id, clicks, from_at, to_at FROM click_batches ORDER BY batch_id LIMIT $1',
    values: [BATCHES_MAX],
  });
  return rows;
}

/**
 * Counts the oldest batches that wait, one at least and no more than `CLICK_MERGE_CLICKS_MAX` clicks otherwise, in one
 * transaction with the deletion of their rows: whatever dies when, a batch is counted once. Does nothing while another
 * server counts.
 */
export async function mergeClickBatches(database: Database, days: FigureDays): Promise<MergeOutcome> {
  const batches = oldest(await waitingBatches(database));
  if (batches.length === 0) return NOTHING;
  const touched = await readDays(database, batches);
  const kept = touched.filter(({ day }) => day >= days.keptFrom);
  await ensureFigurePartitions(database, [...new Set(kept.map(({ day }) => day))], days.openFrom);
  return database.transaction(async (transaction) => {
    if (!(await tryLockFigures(transaction))) return NOTHING;
    // The process that had the lock before may have counted some of them.
    if ((await stillWaiting(transaction, batches)) < batches.length) return NOTHING;
    await addBatches(transaction, batches, days);
    await takeBatches(transaction, batches);
    await cutDayPrefixes(transaction, kept);
    await forgetRangePrefixes(transaction, kept);
    return { batches: batches.length, clicks: sumOf(batches) };
  });
}

function oldest(waiting: readonly ClickBatch[]): readonly ClickBatch[] {
  let sum = 0;
  const end = waiting.findIndex(({ clicks }, index) => {
    sum += clicks;
    return index > 0 && sum > CLICK_MERGE_CLICKS_MAX;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

function sumOf(batches: readonly ClickBatch[]): number {
  return batches.reduce((sum, { clicks }) => sum + clicks, 0);
}

/** When the clicks of the batches were made; before `end_at`, since a Date has no microseconds. */
function spanOf(batches: readonly ClickBatch[]): { readonly from_at: Date; readonly end_at: Date } {
  return {
    from_at: new Date(Math.min(...batches.map(({ from_at }) => from_at.getTime()))),
    end_at: new Date(Math.max(...batches.map(({ to_at }) => to_at.getTime())) + 1),
  };
}

/** The clicks of the batches. Instants at hand leave the partitions of other days out of the plan. */
function conditionOf(batches: readonly ClickBatch[], { add }: Parameters): string {
  const { from_at, end_at } = spanOf(batches);
  return `batch_id = ANY (${add(batches.map(({ batch_id }) => batch_id))}::bigint[])
    AND batch_id BETWEEN ${add(batches[0]?.batch_id)} AND ${add(batches.at(-1)?.batch_id)}
    AND occurred_at >= ${add(from_at)} AND occurred_at < ${add(end_at)}`;
}

/** Days of projects that the batches have clicks of. */
async function readDays(database: Queryable, batches: readonly ClickBatch[]): Promise<readonly EnvironmentDay[]> {
  const parameters = createParameters();
  const { rows } = await database.query<EnvironmentDay>({
    text: `
      WITH slot AS (
        SELECT DISTINCT environment_number, date_bin('15 minutes', occurred_at, 'epoch') AS at
        FROM clicks
        WHERE ${conditionOf(batches, parameters)}
      )
      SELECT DISTINCT slot.environment_number, (slot.at AT TIME ZONE project.time_zone)::date::text AS day
      FROM slot
      JOIN environments AS environment ON environment.number = slot.environment_number
      JOIN projects AS project ON project.id = environment.project_id`,
    values: parameters.values,
  });
  return rows;
}

async function stillWaiting(database: Queryable, batches: readonly ClickBatch[]): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: 'count_waiting_click_batches',
    text: 'SELECT count(*)::integer AS count FROM click_batches WHERE batch_id = ANY ($1::bigint[])',
    values: [batches.map(({ batch_id }) => batch_id)],
  });
  return rows[0]?.count ?? 0;
}

async function takeBatches(database: Queryable, batches: readonly ClickBatch[]): Promise<void> {
  await database.query({
    name: 'take_click_batches',
    text: 'DELETE FROM click_batches WHERE batch_id = ANY ($1::bigint[])',
    values: [batches.map(({ batch_id }) => batch_id)],
  });
}

/** Not prepared: planned with the instants at hand, PostgreSQL leaves the other days' partitions out. */
async function addBatches(database: Queryable, batches: readonly ClickBatch[], { keptFrom, openFrom }: FigureDays): Promise<void> {
  const parameters = createParameters();
  const { from_at, end_at } = spanOf(batches);
  const source = {
    condition: conditionOf(batches, parameters),
    days: `day >= ${parameters.add(keptFrom)}::date`,
    ...closedDays(closedSpan(from_at, end_at, openFrom), openFrom, parameters),
  };
  const text = addFigures(source, { openFrom: `${parameters.add(openFrom)}::date`, growsDayPrefixes: true });
  await database.query({ text, values: parameters.values });
}
