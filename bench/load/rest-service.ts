import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase, createLongStatementPool, createPool, type Database } from '../../control-plane/db/database.js';
import { migrate } from '../../control-plane/db/migrate.js';
import { createKey } from '../../control-plane/keys/keys.js';
import { createProject } from '../../control-plane/projects/projects.js';
import { type Postgres, startPostgres } from '../../deploy/local/postgres.js';
import { withClient } from '../../deploy/local/with-client.js';
import { nextMessage } from './pinned-process.js';

/** Host of the links of `makeProject`. */
export const LIVE_LINK_HOST = 'go.bench.example';

const CONTROL_PLANE = fileURLToPath(new URL('../../control-plane/main.js', import.meta.url));

export interface ControlPlane {
  readonly child: ChildProcess;
  /** Address of the API, with its version. */
  readonly url: string;
}

/** An embedded PostgreSQL with the settings of `npm start`: commits are as durable as in the field. `end` also removes its folder. */
export async function startBenchPostgres(): Promise<{ readonly postgres: Postgres; end(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  chmodSync(folder, 0o711); // as root the server runs as another user, which must pass through
  const postgres = await startPostgres({
    dataDir: folder,
    reachableDir: folder,
    durable: true,
    connectionsMax: 100,
    progress: () => {},
    log: (line) => console.error(line),
  });
  const end = async (): Promise<void> => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { postgres, end };
}

/** Runs `work` beside such a PostgreSQL. */
export async function withPostgres<Result>(work: (postgres: Postgres) => Promise<Result>): Promise<Result> {
  const { postgres, end } = await startBenchPostgres();
  try {
    return await work(postgres);
  } finally {
    await end();
  }
}

/** Returns new keys that seal secrets, for one measurement. */
export function drawSecretsKeys(): string {
  return `bench:${randomBytes(32).toString('base64')}`;
}

/** Starts the production process, with modules loaded before it, and with these settings beside those of every bench. */
export async function startControlPlane(
  databaseUrl: string,
  preload: readonly string[],
  secretsKeys = drawSecretsKeys(),
  settings: Readonly<Record<string, string>> = {},
): Promise<ControlPlane> {
  const child = spawn(process.execPath, [...preload.flatMap((module) => ['--import', module]), CONTROL_PLANE], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SECRETS_KEYS: secretsKeys,
      CONTROL_PLANE_PORT: '0',
      CONTROL_PLANE_HOST: '127.0.0.1',
      CONTROL_PLANE_ADMIN_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      ...settings,
    },
  });
  const isListening = (message: unknown): message is { port: number } => typeof (message as { port?: unknown } | null)?.port === 'number';
  const { port } = await nextMessage(child, isListening);
  return { child, url: `http://127.0.0.1:${port}/v1` };
}

/** Runs `work` beside a control plane. */
export async function withControlPlane<Result>(
  databaseUrl: string,
  work: (controlPlane: ControlPlane) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const controlPlane = await startControlPlane(databaseUrl, [], drawSecretsKeys(), settings);
  try {
    return await work(controlPlane);
  } finally {
    await stopControlPlane(controlPlane);
  }
}

/** Runs `work` on connections whose statements may take long. */
export async function withLongStatements<Result>(
  databaseUrl: string,
  connections: number,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const pool = createLongStatementPool(databaseUrl, 'bench', () => {}, connections);
  try {
    return await work(createDatabase(pool));
  } finally {
    await pool.end();
  }
}

export async function createBenchDatabase(postgres: Postgres, name: string): Promise<string> {
  await withClient(postgres.superuserUrl('postgres'), (client) => client.query(`CREATE DATABASE ${name}`));
  return postgres.superuserUrl(name);
}

export interface BenchProject {
  readonly databaseUrl: string;
  readonly environmentId: string;
  readonly secretKey: string;
  readonly postgresPid: number;
}

/** Runs `work` beside a PostgreSQL with one database, which has a project. */
export function withProject<Result>(work: (project: BenchProject) => Promise<Result>): Promise<Result> {
  return withPostgres(async (postgres) => {
    const databaseUrl = await createBenchDatabase(postgres, 'bench');
    return work({ databaseUrl, ...(await makeProject(databaseUrl)), postgresPid: postgres.stats().pid as number });
  });
}

/** Migrates the database and makes a project in it. */
export async function makeProject(databaseUrl: string): Promise<{ readonly environmentId: string; readonly secretKey: string }> {
  await migrate(databaseUrl);
  const pool = createPool(databaseUrl, 2, 'bench', () => {});
  try {
    const database = createDatabase(pool);
    const hosts = { test: { linkHost: 'test.bench.example' }, live: { linkHost: LIVE_LINK_HOST } };
    const { environments } = await createProject(database, { name: 'bench', timeZone: 'UTC', hosts }, Date.now());
    const environmentId = environments.live.id;
    const { key } = await createKey(database, { environmentId, environment: 'live', kind: 'secret', name: 'bench' }, Date.now());
    return { environmentId, secretKey: key };
  } finally {
    await pool.end();
  }
}

export async function stopControlPlane({ child }: ControlPlane): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
