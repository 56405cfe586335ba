import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../control-plane/db/migrate.js';
import { startPostgres } from '../../deploy/local/postgres.js';
import { newId } from '../../shared/base/ids.js';
import { parseSecretKeys, seal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { buildEvent, eventColumns } from '../../shared/webhooks/body.js';
import { sampleData } from '../../shared/webhooks/samples.js';

export const BENCH_SECRETS_KEYS = `bench:${Buffer.alloc(32, 3).toString('base64')}`;

/** A PostgreSQL of its own, durable as an operator's, with one environment. */
export interface BenchQueue {
  readonly url: string;
  readonly pool: pg.Pool;
  addEndpoints(origin: string, count: number): Promise<void>;
  /** Events through the one door, in one transaction; answers their ids. */
  emit(count: number): Promise<readonly string[]>;
  /** Deliveries that are not over. */
  queued(): Promise<number>;
  stop(): Promise<void>;
}

const CONNECTIONS_MAX = 50;

export async function withQueue<Result>(work: (queue: BenchQueue) => Promise<Result>): Promise<Result> {
  const queue = await startBenchQueue();
  try {
    return await work(queue);
  } finally {
    await queue.stop();
  }
}

async function startBenchQueue(): Promise<BenchQueue> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-queue-'));
  chmodSync(folder, 0o711); // as root the server runs as another user, which must pass through
  const postgres = await startPostgres({
    dataDir: folder,
    reachableDir: folder,
    durable: true,
    connectionsMax: CONNECTIONS_MAX,
    progress: () => {},
    log: (line) => console.error(line),
  });
  const url = postgres.url();
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // `end()` does not wait for the last connection to be closed, and the server that goes next tells it so.
  pool.on('error', () => {});
  const environmentId = await addEnvironment(pool);
  return {
    url,
    pool,
    addEndpoints: (origin, count) => addEndpoints(pool, environmentId, origin, count),
    emit: (count) => emit(pool, environmentId, count),
    async queued() {
      const { rows } = await pool.query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM webhook_deliveries WHERE due_at IS NOT NULL',
      );
      return rows[0]?.count ?? 0;
    },
    async stop() {
      await pool.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function addEnvironment(pool: pg.Pool): Promise<string> {
  const project = newId('project');
  const environment = newId('environment');
  await pool.query("INSERT INTO projects (id, name, time_zone) VALUES ($1, 'Bench', 'UTC')", [project]);
  await pool.query(
    "INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ($1, $2, 'live', 'go.example.com', 'open.go.example.com')",
    [environment, project],
  );
  return environment;
}

async function addEndpoints(pool: pg.Pool, environmentId: string, origin: string, count: number): Promise<void> {
  const secretKeys = parseSecretKeys(BENCH_SECRETS_KEYS);
  for (let index = 0; index < count; index++) {
    const id = newId('webhook');
    const sealed = seal(secretKeys, webhookSecretPlace(id), `whsec_${randomBytes(24).toString('base64url')}`);
    await pool.query(
      `INSERT INTO webhook_endpoints (id, environment_id, url, events, secret, created_at, updated_at)
       VALUES ($1, $2, $3, '{link.created}', $4, now(), now())`,
      [id, environmentId, `${origin}/hook/${index}`, sealed],
    );
  }
}

async function emit(pool: pg.Pool, environmentId: string, count: number): Promise<readonly string[]> {
  const atMs = Date.now();
  const data = sampleData('link.created', 'live', atMs) as Parameters<typeof buildEvent<'link.created'>>[2];
  const origin = { environment_id: environmentId, environment: 'live', at_ms: atMs } as const;
  const events = Array.from({ length: count }, () => buildEvent(origin, 'link.created', data));
  await pool.query({ name: 'emit', text: 'SELECT insert_events($1, $2, $3, $4, $5)', values: eventColumns(events) });
  return events.map((event) => event.id);
}
