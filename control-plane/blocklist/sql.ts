import { type BlocklistFormat, listedKeysQuery } from '../../shared/resolve/blocklist.js';
import type { Queryable } from '../db/database.js';

export interface BlocklistRow {
  readonly name: string;
  readonly format: BlocklistFormat;
  readonly entries: number;
  readonly imported_at: Date;
}

/** Whether any list has an entry. */
export async function hasEntries(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>({
    name: 'has_blocklist_entries',
    text: 'SELECT EXISTS (SELECT FROM blocklist_entries) AS found',
    values: [],
  });
  return rows[0]?.found === true;
}

/** The keys among these that are on any list. */
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

/** Returns false if there is no such list. A blocked link stays blocked; the URLs of settings come back with the next scan. */
export async function removeList(database: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await database.query({ text: 'DELETE FROM blocklist_lists WHERE name = $1', values: [name] });
  if (rowCount === 1) await markChanged(database);
  return rowCount === 1;
}

/** Creates the table for the new entries of an import. It is dropped at the end of the transaction. */
export async function createStagingTable(database: Queryable): Promise<void> {
  await database.query({
    text: 'CREATE TEMPORARY TABLE blocklist_staging (key text COLLATE "C" NOT NULL) ON COMMIT DROP',
    values: [],
  });
}

/** Inserts keys into the staging table. Tens of thousands of keys in a statement take some ten milliseconds. */
export async function stageKeys(database: Queryable, keys: readonly string[]): Promise<void> {
  await database.query({ text: 'INSERT INTO blocklist_staging (key) SELECT unnest($1::text[])', values: [keys] });
}

/** Creates or updates the list, and locks it against another import until the transaction ends. Its count is not yet correct. */
export async function upsertList(database: Queryable, name: string, format: BlocklistFormat): Promise<void> {
  await database.query({
    text: `INSERT INTO blocklist_lists (name, format, entries, imported_at) VALUES ($1, $2, 0, now())
           ON CONFLICT (name) DO UPDATE SET format = excluded.format, imported_at = excluded.imported_at`,
    values: [name, format],
  });
}

/**
 * Replaces the list with the staged entries. Only differences are written, because most entries of a list that is imported daily stay the
 * same.
 */
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

/** Records that the list changed, so that links and settings are checked. */
export async function markChanged(database: Queryable): Promise<void> {
  await database.query({ text: 'UPDATE blocklist_scan SET changed_at = clock_timestamp()', values: [] });
}
