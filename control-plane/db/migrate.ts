import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

/** The SQL files stay where they are in the source tree; compiled code finds them from its place under `dist/`. */
const MIGRATIONS_DIR = fileURLToPath(new URL('../../../control-plane/migrations', import.meta.url));

/** Any number will do as long as nothing else in the database locks on it: the bytes of "migr". */
const MIGRATION_LOCK = 0x6d696772;

/**
 * Brings the database to the newest schema. Forward only, each file in one transaction. Several processes may start at
 * once: whoever comes second waits for the first. Answers the names of the migrations that were run.
 */
export async function migrate(databaseUrl: string, log: (line: string) => void = () => {}): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await runner({
      dbClient: client,
      dir: MIGRATIONS_DIR,
      ignorePattern: '(?!\\d{4}_.*\\.sql$).*',
      direction: 'up',
      migrationsTable: 'schema_migrations',
      checkOrder: true,
      noLock: true,
      log,
    });
    return applied.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}
