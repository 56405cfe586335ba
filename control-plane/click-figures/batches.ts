import { CLICK_SHARDS, COUNTED_CLICKS_MAX } from '../../shared/base/limits.js';
import type { Queryable } from '../db/database.js';
import { ANY_SHARD } from './shards.js';

/** Clicks that one shipping transaction stored for one shard. */
export interface WaitingBatch {
  readonly batch_id: string;
  readonly shard: number;
  readonly clicks: number;
  readonly from_at: Date;
  readonly to_at: Date;
}

/** Rows of one transaction: a shipper that finds something every 100 ms makes as many in three minutes. */
const BATCHES_MAX = 2000;

/** The oldest batches of the shards that are not counted: one at least, and otherwise no more than `COUNTED_CLICKS_MAX` clicks. */
export async function waitingBatches(database: Queryable, shards: readonly number[]): Promise<readonly WaitingBatch[]> {
  const { rows } = await database.query<WaitingBatch>({
    name: 'waiting_click_batches',
    text: `SELECT batch_id, shard::integer, clicks, from_at, to_at FROM click_batches WHERE shard = ANY ($1::integer[])
           ORDER BY batch_id, shard LIMIT ${BATCHES_MAX}`,
    values: [shards],
  });
  let clicks = 0;
  const end = rows.findIndex((batch, index) => {
    clicks += batch.clicks;
    return index > 0 && clicks > COUNTED_CLICKS_MAX;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** Gives a row for every shard to batches that name none: those of an engine of the release before. */
export async function nameShards(database: Queryable): Promise<void> {
  await database.query({
    name: 'name_click_shards',
    text: `
      WITH unnamed AS (DELETE FROM click_batches WHERE shard = ${ANY_SHARD} RETURNING *)
      INSERT INTO click_batches (batch_id, shard, clicks, from_at, to_at, stored_at)
      SELECT batch_id, number, (clicks + number) / ${CLICK_SHARDS}, from_at, to_at, stored_at FROM unnamed, generate_series(0, ${CLICK_SHARDS - 1}) AS number`,
    values: [],
  });
}

/** Removes batches that are counted. */
export async function takeBatches(database: Queryable, batches: readonly WaitingBatch[]): Promise<number> {
  const { rowCount } = await database.query({
    name: 'take_click_batches',
    text: `DELETE FROM click_batches AS batch USING unnest($1::bigint[], $2::smallint[]) AS counted (batch_id, shard)
           WHERE (batch.batch_id, batch.shard) = (counted.batch_id, counted.shard)`,
    values: [batches.map(({ batch_id }) => batch_id), batches.map(({ shard }) => shard)],
  });
  return rowCount;
}

/** Those of the batches that nobody has counted meanwhile. */
export async function stillWaiting(database: Queryable, batches: readonly WaitingBatch[]): Promise<readonly WaitingBatch[]> {
  const { rows } = await database.query<{ batch_id: string; shard: number }>({
    name: 'still_waiting_click_batches',
    text: `SELECT batch_id, shard::integer FROM click_batches
           JOIN unnest($1::bigint[], $2::smallint[]) AS wanted (batch_id, shard) USING (batch_id, shard)`,
    values: [batches.map(({ batch_id }) => batch_id), batches.map(({ shard }) => shard)],
  });
  const waiting = new Set(rows.map(({ batch_id, shard }) => `${batch_id} ${shard}`));
  return batches.filter(({ batch_id, shard }) => waiting.has(`${batch_id} ${shard}`));
}
