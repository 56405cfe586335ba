import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

/** The SQL files stay where they are in the source tree; compiled code finds them from its place under `dist/`. */
const MIGRATIONS_DIR = fileURLToPath(new URL('../../../control-plane/migrations', import.meta.url));

const MIGRATIONS_TABLE = 'schema_migrations';

/** Any number will do as long as nothing else in the database locks on it: the bytes of "migr". */
const MIGRATION_LOCK = 0x6d696772;

/**
 * Brings the database to the newest schema. Forward only, each file in one transaction. Several processes may start at
 * once: whoever comes second waits for the first. Answers the names of the migrations that were run.
 */
export async function migrate(databaseUrl: string, log: (line: string) => void = () => {}): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // the statement under way, or the next one, fails
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await runner({
      dbClient: client,
      dir: MIGRATIONS_DIR,
      ignorePattern: '(?!\\d{4}_.*\\.sql$).*',
      direction: 'up',
      migrationsTable: MIGRATIONS_TABLE,
      checkOrder: true,
      noLock: true,
      log,
    });
    return applied.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** Names of the migrations that `migrate` would run, in that order. Changes nothing. */
export async function pendingMigrations(databaseUrl: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // the statement under way, or the next one, fails
  await client.connect();
  try {
    const table = await client.query<{ known: boolean }>('SELECT to_regclass($1) IS NOT NULL AS known', [MIGRATIONS_TABLE]);
    const applied = table.rows[0]?.known ? await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE}`) : { rows: [] };
    const names = new Set(applied.rows.map((row) => row.name));
    const files = (await readdir(MIGRATIONS_DIR))
      .filter((file) => /^\d{4}_.*\.sql$/.test(file))
      .map((file) => file.slice(0, -'.sql'.length));
    return files.filter((name) => !names.has(name)).sort();
  } finally {
    await client.end();
  }
}
