import type { Queryable } from '../../db/database.js';

/** Clicks of one shard that were stored by one transaction. */
export interface WaitingBatch {
  readonly batch_id: string;
  readonly shard: number;
  readonly clicks: number;
  readonly from_at: Date;
  readonly to_at: Date;
}

/** Maximum number of rows read at once. A shipper that finds clicks every 100 ms writes this many in three minutes. */
const BATCHES_MAX = 2000;

/** Which batches to look for. */
export interface WaitingWanted {
  readonly shards: readonly number[];
  /** Batches to leave out: they are being counted, and their rows still exist. */
  readonly beside: readonly WaitingBatch[];
  readonly roundClicks: number;
}

/** A round counts one in `BACKLOG_PART` of a long backlog, at most `BACKLOG_ROUNDS_MAX` usual rounds. Larger rounds cost less per click. */
const BACKLOG_PART = 4;
const BACKLOG_ROUNDS_MAX = 3;

/** The oldest uncounted batches of the shards: at least one, and otherwise about `roundClicks` clicks, or more if the backlog is long. */
export async function waitingBatches(
  database: Queryable,
  { shards, beside, roundClicks }: WaitingWanted,
): Promise<readonly WaitingBatch[]> {
  const { rows } = await database.query<WaitingBatch>({
    name: 'waiting_click_batches',
    text: `SELECT batch_id, shard::integer, clicks, from_at, to_at FROM click_batches WHERE shard = ANY ($1::integer[])
             AND (batch_id, shard) NOT IN (SELECT * FROM unnest($2::bigint[], $3::integer[]))
           ORDER BY batch_id, shard LIMIT ${BATCHES_MAX}`,
    values: [shards, ...keysOf(beside)],
  });
  const waiting = rows.reduce((sum, { clicks }) => sum + clicks, 0);
  const clicksMax = Math.min(Math.max(roundClicks, waiting / BACKLOG_PART), BACKLOG_ROUNDS_MAX * roundClicks);
  let clicks = 0;
  const end = rows.findIndex((batch, index) => {
    clicks += batch.clicks;
    return index > 0 && clicks > clicksMax;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** Removes batches that have been counted. */
export async function takeBatches(database: Queryable, batches: readonly WaitingBatch[]): Promise<number> {
  const { rowCount } = await database.query({
    name: 'take_click_batches',
    text: `DELETE FROM click_batches AS batch USING unnest($1::bigint[], $2::smallint[]) AS counted (batch_id, shard)
           WHERE (batch.batch_id, batch.shard) = (counted.batch_id, counted.shard)`,
    values: keysOf(batches),
  });
  return rowCount;
}

function keysOf(batches: readonly WaitingBatch[]): readonly [readonly string[], readonly number[]] {
  return [batches.map(({ batch_id }) => batch_id), batches.map(({ shard }) => shard)];
}
