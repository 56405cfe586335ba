import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '../../db/database.js';
import { ALL_SHARDS, shardOf } from '../shards.js';
import { planCounting } from '../transaction.js';

/** A shard that this transaction has locked. */
export interface Shard {
  readonly shard: number;
  /** Grows with every change to the figures of the shard. */
  readonly version: string;
}

/** Locks those of the shards that nobody else has locked, until the transaction ends. Every writer of figures must lock their shard. */
export async function tryLockShards(database: Queryable, shards: readonly number[]): Promise<readonly Shard[]> {
  return lock(database, shards, 'SKIP LOCKED');
}

/** How often to retry a shard that is locked. */
export const LOOK_AGAIN_MS = 50;

/**
 * The same, but retries for a while if somebody else has locked some of them. It never blocks on a lock while it holds others, because a
 * session that waits for those in turn would deadlock with it.
 */
export async function lockShardsWithin(database: Queryable, shards: readonly number[], milliseconds: number): Promise<readonly Shard[]> {
  const untilMs = performance.now() + milliseconds;
  const locked = [...(await tryLockShards(database, shards))];
  while (locked.length < shards.length && performance.now() < untilMs) {
    await wait(LOOK_AGAIN_MS);
    const rest = shards.filter((shard) => !locked.some((one) => one.shard === shard));
    locked.push(...(await tryLockShards(database, rest)));
  }
  return locked;
}

/** Waits for the shards of the environments, or for all shards if `environmentNumbers` is null, and locks them. */
export async function lockShardsOf(database: Queryable, environmentNumbers: readonly number[] | null): Promise<readonly Shard[]> {
  return lock(database, shardsOfAll(environmentNumbers), '');
}

/** The shards of the environments, or all shards if `environmentNumbers` is null. */
export function shardsOfAll(environmentNumbers: readonly number[] | null): readonly number[] {
  return environmentNumbers === null ? ALL_SHARDS : [...new Set(environmentNumbers.map(shardOf))];
}

async function lock(database: Queryable, shards: readonly number[], mode: string): Promise<readonly Shard[]> {
  await planCounting(database);
  const { rows } = await database.query<Shard>({
    text: `SELECT shard::integer, version FROM click_shards WHERE shard = ANY ($1::integer[]) ORDER BY shard FOR UPDATE ${mode}`,
    values: [shards],
  });
  return rows;
}

/** Gives the shards new versions because their figures changed. A counter that finds a different version reads the visitors again. */
export async function changeShards(database: Queryable, shards: readonly number[]): Promise<readonly Shard[]> {
  const { rows } = await database.query<Shard>({
    name: 'change_click_shards',
    text: 'UPDATE click_shards SET version = version + 1 WHERE shard = ANY ($1::integer[]) RETURNING shard::integer, version',
    values: [shards],
  });
  return rows;
}
