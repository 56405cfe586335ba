import { type BlocklistFormat, listedKeysQuery } from '../../shared/resolve/blocklist.js';
import type { Queryable } from '../db/database.js';

export interface BlocklistRow {
  readonly name: string;
  readonly format: BlocklistFormat;
  readonly entries: number;
  readonly imported_at: Date;
}

/** Whether anything stands on any list. */
export async function hasEntries(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>({
    name: 'has_blocklist_entries',
    text: 'SELECT EXISTS (SELECT FROM blocklist_entries) AS found',
    values: [],
  });
  return rows[0]?.found === true;
}

/** Those of the keys that stand on any list. */
export async function listedKeys(database: Queryable, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ key: string }>(listedKeysQuery(keys));
  return new Set(rows.map((row) => row.key));
}

export async function listLists(database: Queryable): Promise<readonly BlocklistRow[]> {
  const { rows } = await database.query<BlocklistRow>({
    text: 'SELECT name, format, entries, imported_at FROM blocklist_lists ORDER BY name',
    values: [],
  });
  return rows;
}

/** Returns false if there is no such list. A link that was blocked stays blocked; URLs of settings come back with the next scan. */
export async function removeList(database: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await database.query({ text: 'DELETE FROM blocklist_lists WHERE name = $1', values: [name] });
  if (rowCount === 1) await markChanged(database);
  return rowCount === 1;
}

/** Where the new entries of an import wait; gone at the end of the transaction. */
export async function createStagingTable(database: Queryable): Promise<void> {
  await database.query({
    text: 'CREATE TEMPORARY TABLE blocklist_staging (key text COLLATE "C" NOT NULL) ON COMMIT DROP',
    values: [],
  });
}

/** Tens of thousands of keys a statement take some ten milliseconds. */
export async function stageKeys(database: Queryable, keys: readonly string[]): Promise<void> {
  await database.query({ text: 'INSERT INTO blocklist_staging (key) SELECT unnest($1::text[])', values: [keys] });
}

/** Locks the list against another import of it, until the transaction ends. Its count is not yet right. */
export async function upsertList(database: Queryable, name: string, format: BlocklistFormat): Promise<void> {
  await database.query({
    text: `INSERT INTO blocklist_lists (name, format, entries, imported_at) VALUES ($1, $2, 0, now())
           ON CONFLICT (name) DO UPDATE SET format = excluded.format, imported_at = excluded.imported_at`,
    values: [name, format],
  });
}

/** The list becomes what is staged. Only differences are written: of a list that is imported daily most entries stay. */
export async function replaceEntries(database: Queryable, name: string): Promise<{ readonly added: number; readonly removed: number }> {
  await database.query({ text: 'ANALYZE blocklist_staging', values: [] });
  const removed = await database.query({
    text: `DELETE FROM blocklist_entries AS entry WHERE list = $1
           AND NOT EXISTS (SELECT 1 FROM blocklist_staging AS staged WHERE staged.key = entry.key)`,
    values: [name],
  });
  const added = await database.query({
    text: `INSERT INTO blocklist_entries (key, list) SELECT DISTINCT key, $1 FROM blocklist_staging ON CONFLICT (key, list) DO NOTHING`,
    values: [name],
  });
  await database.query({
    text: 'UPDATE blocklist_lists SET entries = (SELECT count(*) FROM blocklist_entries WHERE list = $1) WHERE name = $1',
    values: [name],
  });
  return { added: added.rowCount, removed: removed.rowCount };
}

/** Says that something new is listed, or something no longer: links and settings are to be checked. */
export async function markChanged(database: Queryable): Promise<void> {
  await database.query({ text: 'UPDATE blocklist_scan SET changed_at = clock_timestamp()', values: [] });
}
