import { readdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { SettingError } from '../../shared/base/settings.js';
import { classify, NOTICE_LOST_HOST } from './database.js';
import { type ClientLimits, openClient } from './open-client.js';

/** The SQL files are used from the source tree. The path is relative to the compiled file under `dist/`. */
const MIGRATIONS_DIR = fileURLToPath(new URL('../../../control-plane/migrations', import.meta.url));

const MIGRATIONS_TABLE = 'schema_migrations';

/** The migration that every database of a release has (shared/decisions/2026-11-22-first-schema.md). */
const FIRST_MIGRATION = '0001_first_schema';

/** The bytes of "migr". Any number will do as long as nothing else in the database uses it for locks. */
export const MIGRATION_LOCK = 0x6d696772;

/**
 * How long a statement of a migration waits for a lock. While it waits to change a table, all later statements on that table wait behind
 * it, and those of the API give up after 5 s.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** A migration may take as long as it needs, whatever limits a role or a database has. */
const UNLIMITED = 'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0';

interface MigrateOptions {
  readonly log?: (line: string) => void;
  /** How long to wait before the migration is tried again after a lock timeout. */
  readonly lockPauseMs?: number;
  readonly connectMs?: number;
}

/**
 * Migrates the database to the newest schema. Migrations only go forward, and each file is one transaction. Several processes may start at
 * once: the second caller waits for the first. If a long transaction reads a table that a migration changes, the migration is tried
 * again until that transaction has ended. Returns the names of the migrations that were run. Throws `SettingError` if the
 * database is from before the first release or has another encoding than UTF8, or refuses a migration, and `DatabaseUnavailableError` if it
 * cannot be connected to.
 */
export async function migrate(
  databaseUrl: string,
  { log = () => {}, lockPauseMs = 5_000, ...limits }: MigrateOptions = {},
): Promise<readonly string[]> {
  const client = await openClient(databaseUrl, limits);
  try {
    await client.query(`${NOTICE_LOST_HOST}; ${UNLIMITED}`);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const before = await readAppliedMigrations((text) => client.query<{ name: string }>(text));
    if (before.size > 0 && !before.has(FIRST_MIGRATION))
      throw new SettingError(`the database is older than ${FIRST_MIGRATION}: use an empty one`);
    if (before.size === 0) await refuseOtherEncoding(client);
    const wanted = await migrationNames();
    if (wanted.length === before.size && wanted.every((name) => before.has(name))) return [];
    // Set only after taking the migration lock, for which a process may have to wait longer.
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // Loaded only if needed, because loading it takes longer than finding that there is nothing to run.
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
        if ((error as { readonly code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw await failureOf(error, client, wanted);
        // The runner leaves its transaction open until the connection ends.
        await client.query('ROLLBACK');
        log(`a long transaction blocks a table that the migration changes: trying again in ${lockPauseMs / 1000} s`);
        await setTimeout(lockPauseMs);
      }
  } finally {
    await client.end();
  }
}

/** Replaces what PostgreSQL has refused of a migration, usually because the role lacks a privilege, by an error of one line. */
async function failureOf(error: unknown, client: pg.Client, wanted: readonly string[]): Promise<unknown> {
  if (!(error instanceof pg.DatabaseError)) return error;
  const failure = classify(error);
  if (failure !== error) return failure;
  await client.query('ROLLBACK');
  const applied = await readAppliedMigrations((text) => client.query<{ name: string }>(text));
  const failed = wanted.find((name) => !applied.has(name));
  return new SettingError(`the migration ${failed} has failed, and nothing of it was kept: ${error.message}`);
}

/** PostgreSQL cannot store every text in other encodings, and compares without regard to case only in this one. */
async function refuseOtherEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>('SELECT getdatabaseencoding() AS encoding');
  if (rows[0]?.encoding !== 'UTF8')
    throw new SettingError(
      `the database has the encoding ${rows[0]?.encoding}: use one that was created by createdb --encoding UTF8 --template template0`,
    );
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

/** How the schema of a database differs from the one of this build. */
export interface SchemaDifference {
  /** Names of the migrations that `migrate` would run, in that order. */
  readonly pending: readonly string[];
  /** Names of the migrations that only a newer build has. */
  readonly unknown: readonly string[];
}

/** How long a statement that reads the names of migrations may take. */
const READ_TIMEOUT_MS = 10_000;

/**
 * Compares the migrations that were run with those of this build. Changes nothing. Throws `DatabaseUnavailableError`, also if the server
 * does not reply.
 */
export async function schemaDifference(databaseUrl: string, limits: ClientLimits = {}): Promise<SchemaDifference> {
  const client = await openClient(databaseUrl, { queryMs: READ_TIMEOUT_MS, ...limits });
  try {
    const applied = await readAppliedMigrations((text) => client.query<{ name: string }>(text));
    const build = await migrationNames();
    return { pending: build.filter((name) => !applied.has(name)), unknown: [...applied].filter((name) => !build.includes(name)) };
  } catch (error) {
    throw classify(error);
  } finally {
    await client.end();
  }
}
