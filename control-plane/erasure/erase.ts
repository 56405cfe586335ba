import { changeShards, lockShardsOf } from '../click-figures/locks/shard-locks.js';
import { givingTurns } from '../click-figures/locks/turns.js';
import { forgetLinkClicks } from '../click-figures/prepared/link-clicks.js';
import { shardOf } from '../click-figures/shards.js';
import type { ClickStore } from '../click-store/click-store.js';
import { type Database, isUndefinedTable } from '../db/database.js';
import { deleteEnvironment, deleteOwned, deleteProject, type ErasedEnvironment, feedRemoval, listPartitions, markErased } from './sql.js';
import { CLICK_TABLES, CONFIGURATION_TABLES, type OwnedTable, PEOPLE_TABLES } from './tables.js';

/** Number of deleted rows, by table. */
export type ErasedRows = Readonly<Record<string, number>>;

export interface Erasure {
  readonly database: Database;
  readonly clickStore: Pick<ClickStore, 'erase'>;
  /** Called before each table, or each day of a table. */
  readonly onProgress?: (partition: string) => void;
}

/**
 * Deletes the data of the environment's visitors and apps: clicks, figures, installations, events, deliveries. Its configuration
 * stays. Each day of a table is one transaction, so an interrupted erasure can simply be run again.
 * Clicks that engines have not shipped yet are stored after this returns.
 */
export async function erasePeople({ database, clickStore, onProgress }: Erasure, environment: ErasedEnvironment): Promise<ErasedRows> {
  const rows: Record<string, number> = {};
  const giveTurns = givingTurns(database, [environment.number]);
  const eraseFrom = async (owned: OwnedTable, lock: (transaction: Database) => Promise<void>) => {
    const passes = owned.first === undefined ? [undefined] : [owned.first, undefined];
    let deleted = 0;
    for (const partition of await listPartitions(database, owned.table)) {
      onProgress?.(partition);
      for (const condition of passes) {
        await giveTurns();
        const erased = database.transaction(async (transaction) => {
          await lock(transaction);
          return deleteOwned(transaction, owned, partition, environment, condition);
        });
        deleted += await erased.catch((error: unknown) => {
          // The day was dropped, because its retention ended, after the partitions were listed.
          if (partition !== owned.table && isUndefinedTable(error)) return 0;
          throw error;
        });
      }
    }
    rows[owned.table] = deleted;
  };
  const lockFigures = async (transaction: Database) => {
    await lockShardsOf(transaction, [environment.number]);
    await changeShards(transaction, [shardOf(environment.number)]);
  };
  for (const owned of CLICK_TABLES) await eraseFrom(owned, lockFigures);
  rows.clicks = (rows.clicks ?? 0) + (await clickStore.erase(database, environment.number));
  // These rows belong to links, which stay.
  rows.link_clicks = await database.transaction(async (transaction) => {
    await lockFigures(transaction);
    return forgetLinkClicks(transaction, environment.number);
  });
  for (const owned of PEOPLE_TABLES) await eraseFrom(owned, async () => {});
  return rows;
}

/**
 * Stops everything in the environment at once: deletes its keys, links, templates and endpoints, with feed rows for engines. Clicks that
 * are shipped later, such as those of a host that was offline, are not stored.
 */
async function closeEnvironment({ database }: Erasure, environment: ErasedEnvironment): Promise<void> {
  await database.transaction(async (transaction) => {
    await markErased(transaction, environment);
    await feedRemoval(transaction, environment);
    for (const owned of CONFIGURATION_TABLES) await deleteOwned(transaction, owned, owned.table, environment);
  });
}

export interface ProjectErasure extends Erasure {
  /** Waits until engines have shipped the clicks of the last visits. */
  readonly settle: () => Promise<void>;
}

/**
 * Deletes the project: closes its environments first, then deletes the data of visitors, and last the environments themselves.
 * If this is interrupted, a project without keys or links remains, which the next run deletes.
 */
export async function eraseProject(
  erasure: ProjectErasure,
  projectId: string,
  environments: readonly ErasedEnvironment[],
): Promise<ErasedRows> {
  for (const environment of environments) await closeEnvironment(erasure, environment);
  await erasure.settle();
  const erased: Record<string, number> = {};
  for (const environment of environments)
    for (const [table, rows] of Object.entries(await erasePeople(erasure, environment))) erased[table] = (erased[table] ?? 0) + rows;
  await erasure.database.transaction(async (transaction) => {
    for (const environment of environments) {
      for (const owned of PEOPLE_TABLES) await deleteOwned(transaction, owned, owned.table, environment);
      await feedRemoval(transaction, environment);
      await deleteEnvironment(transaction, environment);
    }
    await deleteProject(transaction, projectId);
  });
  return erased;
}
