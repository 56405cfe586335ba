import { CLICK_SHARDS } from '../../shared/base/limits.js';

/** The parts into which environments are divided for counting. */
export const ALL_SHARDS: readonly number[] = Array.from({ length: CLICK_SHARDS }, (_, shard) => shard);

/** The shard of an environment: its clicks wait there, and one process at a time counts them. */
export function shardOf(environmentNumber: number): number {
  return environmentNumber & (CLICK_SHARDS - 1);
}

/** The shard of the row of `clicks` or `environments`, as SQL. */
export const SHARD = shardSql('environment_number');

/**
 * Whether clicks of the row's shard and batch are waiting, as SQL over `clicks`. PostgreSQL looks rows up in a hash of the batches. For
 * `NOT EXISTS` it would join, and sort or hash all clicks of a day for that, in files.
 */
export const IS_WAITING = `(batch_id, ${SHARD}) IN (SELECT batch_id, shard::integer FROM click_batches)`;

/** The shard in which the batches of an environment wait, as SQL. */
export function shardSql(environmentNumber: string): string {
  return `(${environmentNumber} & ${CLICK_SHARDS - 1})`;
}
