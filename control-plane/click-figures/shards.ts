import { CLICK_SHARDS } from '../../shared/base/limits.js';

/** The parts into which environments are divided for counting. */
export const ALL_SHARDS: readonly number[] = Array.from({ length: CLICK_SHARDS }, (_, shard) => shard);

/** The shard of an environment: its clicks wait there, and one process at a time counts them. */
export function shardOf(environmentNumber: number): number {
  return environmentNumber & (CLICK_SHARDS - 1);
}

/** The shard of the row of `clicks` or `environments`, as SQL. */
export const SHARD = shardSql('environment_number');

/** Whether clicks of the row's shard and batch are waiting, as SQL over `clicks`. */
export const IS_WAITING = `EXISTS (
  SELECT FROM click_batches AS batch WHERE batch.batch_id = clicks.batch_id AND batch.shard = ${SHARD})`;

/** The shard in which the batches of an environment wait, as SQL. */
export function shardSql(environmentNumber: string): string {
  return `(${environmentNumber} & ${CLICK_SHARDS - 1})`;
}
