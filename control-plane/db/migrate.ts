import { readdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SettingError } from '../../shared/base/settings.js';
import { NOTICE_LOST_HOST, openClient } from './database.js';

/** The SQL files stay where they are in the source tree; compiled code finds them from its place under `dist/`. */
const MIGRATIONS_DIR = fileURLToPath(new URL('../../../control-plane/migrations', import.meta.url));

const MIGRATIONS_TABLE = 'schema_migrations';

/** What no database of a release lacks (shared/decisions/2026-11-22-first-schema.md). */
const FIRST_MIGRATION = '0001_first_schema';

/** Any number will do as long as nothing else in the database locks on it: the bytes of "migr". */
export const MIGRATION_LOCK = 0x6d696772;

/**
 * How long a statement of a migration waits for a lock. Behind one that waits to change a table, all later statements on that table wait
 * too, and those of the API give up after 5 s.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

interface MigrateOptions {
  readonly log?: (line: string) => void;
  /** After a lock that could not be had, until the migration is tried again. */
  readonly lockPauseMs?: number;
}

/**
 * Brings the database to the newest schema. Forward only, each file in one transaction. Several processes may start at
 * once: the second caller waits for the first. A migration that changes a table which a long transaction reads is tried again until
 * that one has ended. Returns the names of the migrations that were run. Throws `SettingError` if the
 * database is one of before the first release, and `DatabaseUnavailableError` if it cannot be connected to.
 */
export async function migrate(
  databaseUrl: string,
  { log = () => {}, lockPauseMs = 5_000 }: MigrateOptions = {},
): Promise<readonly string[]> {
  const client = await openClient(databaseUrl);
  try {
    await client.query(NOTICE_LOST_HOST);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const before = await readAppliedMigrations((text) => client.query<{ name: string }>(text));
    if (before.size > 0 && !before.has(FIRST_MIGRATION))
      throw new SettingError(`the database is older than ${FIRST_MIGRATION}: use an empty one`);
    const wanted = await migrationNames();
    if (wanted.length === before.size && wanted.every((name) => before.has(name))) return [];
    // After the lock of migrations itself, for which another process may wait as long as it takes.
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // Loaded where it is needed: it takes a process longer than it takes to find that there is nothing to run.
    const { runner } = await import('node-pg-migrate');
    for (;;)
      try {
        await runner({
          dbClient: client,
          dir: MIGRATIONS_DIR,
          ignorePattern: '(?!\\d{4}_.*\\.sql$).*',
          direction: 'up',
          migrationsTable: MIGRATIONS_TABLE,
          checkOrder: true,
          noLock: true,
          log,
        });
        return wanted.filter((name) => !before.has(name));
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
        // The runner leaves its transaction to the end of the connection.
        await client.query('ROLLBACK');
        log(`a long transaction blocks a table that the migration changes: trying again in ${lockPauseMs / 1000} s`);
        await setTimeout(lockPauseMs);
      }
  } finally {
    await client.end();
  }
}

/** Names of this build's migrations, in the order in which they run. */
export async function migrationNames(): Promise<readonly string[]> {
  const files = (await readdir(MIGRATIONS_DIR)).filter((file) => /^\d{4}_.*\.sql$/.test(file));
  return files.map((file) => file.slice(0, -'.sql'.length)).sort();
}

/** Names of the migrations that were run on the database, by this build or another. */
export async function readAppliedMigrations(
  query: (text: string) => Promise<{ readonly rows: readonly { readonly name: string }[] }>,
): Promise<ReadonlySet<string>> {
  const known = await query(
    `SELECT tablename AS name FROM pg_tables WHERE tablename = '${MIGRATIONS_TABLE}' AND schemaname = current_schema`,
  );
  const { rows } = known.rows.length > 0 ? await query(`SELECT name FROM ${MIGRATIONS_TABLE}`) : known;
  return new Set(rows.map(({ name }) => name));
}

/** Names of the migrations that `migrate` would run, in that order. Changes nothing. */
export async function pendingMigrations(databaseUrl: string): Promise<readonly string[]> {
  const client = await openClient(databaseUrl);
  try {
    const applied = await readAppliedMigrations((text) => client.query<{ name: string }>(text));
    return (await migrationNames()).filter((name) => !applied.has(name));
  } finally {
    await client.end();
  }
}
