import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { migrate } from '../../control-plane/db/migrate.js';
import { withClient } from '../../deploy/local/with-client.js';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../control-plane/migrations', import.meta.url));

/** Connection string of the server that the test run started. */
export function serverUrl(): string {
  const url = process.env.TEST_DATABASE_SERVER;
  if (!url) throw new Error('TEST_DATABASE_SERVER is not set; run the tests with: npm test');
  return url;
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

/** The template's name changes with the migrations, so that an outdated template is never used. */
function templateName(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS_DIR).sort())
    if (/^\d{4}_/.test(file)) hash.update(file).update(readFileSync(`${MIGRATIONS_DIR}/${file}`));
  return `template_${hash.digest('hex').slice(0, 16)}`;
}

async function ensureTemplate(admin: pg.Client, template: string): Promise<void> {
  await admin.query('SELECT pg_advisory_lock(7231)');
  try {
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [template]);
    if (rowCount) return;
    await admin.query(`DROP DATABASE IF EXISTS ${template}`);
    await admin.query(`CREATE DATABASE ${template}`);
    await migrate(urlOf(template));
    await admin.query(`UPDATE pg_database SET datistemplate = true WHERE datname = '${template}'`);
  } finally {
    await admin.query('SELECT pg_advisory_unlock(7231)');
  }
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** How long to wait for sessions to end by themselves. A test that leaves some open on purpose waits for nothing more. */
const SESSIONS_END_MS = 300;

/**
 * `end()` of a pool resolves before PostgreSQL has ended the sessions. If these were terminated in the meantime, the pool would report an
 * error that nobody listens to any more.
 */
async function sessionsEnded(admin: pg.Client, name: string): Promise<void> {
  for (const deadline = performance.now() + SESSIONS_END_MS; performance.now() < deadline; ) {
    const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name]);
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Creates a database for a test file, copied from a migrated template. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(serverUrl(), async (admin) => {
    const template = templateName();
    await ensureTemplate(admin, template);
    // Several copies of one template may be made at once: only a connection to it would prevent them, and nobody
    // connects. They are copied as files, because a copy through the write-ahead log, which is the default, takes five
    // times as much CPU time.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  });
  return {
    url: urlOf(name),
    async drop() {
      await withClient(serverUrl(), async (admin) => {
        await sessionsEnded(admin, name);
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      });
    },
  };
}
