import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../control-plane/db/migrate.js';
import { type Postgres, startPostgres } from '../../deploy/local/postgres.js';
import { withClient } from '../../deploy/local/with-client.js';
import { type ControlPlaneOptions, makeProject, startControlPlane, type TestControlPlane, type TestProject } from './control-plane.js';
import { createDatabase } from './database.js';
import { type EngineOptions, startEngine, type TestEngine } from './engine.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** The part of a tap test that the stack needs. */
interface Teardown {
  teardown(fn: () => unknown): void;
}

/** The real service: control plane, engine and a database, each as whole processes. */
export interface Stack {
  readonly databaseUrl: string;
  controlPlane: TestControlPlane;
  readonly project: TestProject;
  /** Options of the control plane, to start another one. */
  readonly controlPlaneOptions: ControlPlaneOptions;
  /** Options of the engine, to start another one on the same folder. */
  readonly engineOptions: EngineOptions;
  engine: TestEngine;
  readonly clickLog: ClickLog;
  /** One statement against the database. */
  rows<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface StackOptions {
  readonly processes?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** URL of a server that the test has started itself; if absent, a database of the shared server. */
  readonly databaseUrl?: string;
  /** The URL that the engine uses, if it differs from the control plane's. */
  readonly engineDatabaseUrl?: string;
  /** The engine's folder; a temporary one if absent. */
  readonly dataDir?: string;
  /** The root of the engine's compiled tree; the tests' own if absent. */
  readonly root?: string;
  /** The root of the control plane's compiled tree. */
  readonly controlPlaneRoot?: string;
  /** Where `environment` has clicks stored; the database if absent. */
  readonly clickLog?: ClickLog;
  /** An existing project; a new one if absent. */
  readonly project?: TestProject;
}

export async function startStack(t: Teardown, options: StackOptions = {}): Promise<Stack> {
  const dir = temporaryFolder(t);
  const databaseUrl = options.databaseUrl ?? (await ownDatabase(t));
  const project = options.project ?? (await makeProject(databaseUrl));
  const environment = options.environment ?? {};
  const controlPlaneOptions: ControlPlaneOptions = {
    databaseUrl,
    dir,
    environment,
    ...(options.controlPlaneRoot === undefined ? {} : { root: options.controlPlaneRoot }),
  };
  const engineOptions: EngineOptions = {
    databaseUrl: options.engineDatabaseUrl ?? databaseUrl,
    dataDir: options.dataDir ?? dir,
    environment,
    processes: options.processes ?? 2,
    ...(options.root === undefined ? {} : { root: options.root }),
  };
  const controlPlane = await startControlPlane(controlPlaneOptions);
  let engine: TestEngine;
  try {
    engine = await startEngine(engineOptions);
  } catch (error) {
    await controlPlane.kill();
    throw error;
  }
  const stack: Stack = {
    databaseUrl,
    controlPlane,
    project,
    controlPlaneOptions,
    engineOptions,
    engine,
    clickLog: options.clickLog ?? postgresLog(databaseUrl),
    rows: <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      withClient(databaseUrl, async (client) => (await client.query<Row>(text, [...values])).rows),
  };
  t.teardown(() => stack.controlPlane.kill());
  t.teardown(() => stack.engine.stop());
  await stack.engine.whenReady();
  return stack;
}

async function ownDatabase(t: Teardown): Promise<string> {
  const database = await createDatabase();
  t.teardown(() => database.drop());
  return database.url;
}

/** A PostgreSQL that the test may stop and start, always on the same port and with the same data. */
export interface OwnPostgres {
  readonly url: string;
  /** The server's database `postgres`, as a superuser; `url` is for the service's ordinary role. */
  readonly superuserUrl: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server like a crash; it comes back by itself. Returns false if it is dead already. */
  crash(): boolean;
}

/** `migrateTo` creates the schema, which another release may do. */
export async function startOwnPostgres(t: Teardown, migrateTo: (databaseUrl: string) => Promise<unknown> = migrate): Promise<OwnPostgres> {
  const dir = temporaryFolder(t);
  const options = {
    dataDir: dir,
    reachableDir: join(dir, 'reachable'),
    durable: true,
    connectionsMax: 100,
    progress: () => {},
    log: () => {},
  };
  let postgres: Postgres = await startPostgres(options);
  t.teardown(() => postgres.stop());
  await migrateTo(postgres.url());
  await leaveOutFlushes(postgres.superuserUrl('postgres'));
  return {
    url: postgres.url(),
    superuserUrl: postgres.superuserUrl('postgres'),
    stop: () => postgres.stop(),
    async start() {
      postgres = await startPostgres(options);
    },
    crash() {
      const { pid } = postgres.stats();
      return pid !== null && process.kill(pid, 'SIGKILL');
    },
  };
}

/**
 * Commits are written before they are acknowledged, as always, and what is written survives the death of any process.
 * Flushes to disk only matter when the machine dies, but would make each recovery flush every file of the cluster.
 */
async function leaveOutFlushes(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('ALTER SYSTEM SET fsync = off');
    await client.query('SELECT pg_reload_conf()');
  });
}

export interface CreatedLink {
  readonly id: string;
  readonly path: string;
  readonly url: string;
}

/** Creates a link whose clicks keep their query, so that each can be distinguished from the others. */
export async function createCountedLink({ controlPlane, project }: Stack): Promise<CreatedLink> {
  const { status, body } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', {
    destinations: { web: 'https://destination.example/ledger' },
    allow_param_passthrough: true,
  });
  if (status !== 201) throw new Error(`the link was not made: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Waits until all engines report that they have every committed change, because what is done without the database then depends on it. */
export async function untilReplicated(stack: Stack): Promise<void> {
  const behind = `SELECT 1 FROM engines WHERE left_at IS NULL AND applied_position IS DISTINCT FROM (SELECT max(position) FROM config_feed)
    UNION ALL SELECT 1 FROM config_feed WHERE position IS NULL`;
  await until(async () => (await stack.rows(behind)).length === 0, 'the engines to have every change');
}

/** The clicks that a stack has stored, wherever that is. */
export interface ClickLog {
  count(): Promise<number>;
  /** The stored queries of all clicks, some thousands at a time. */
  queries(): AsyncIterable<readonly (string | null)[]>;
}

/** Clicks of one fetch. */
const FETCH_CLICKS = 20_000;

function postgresLog(databaseUrl: string): ClickLog {
  return {
    async count() {
      const { rows } = await withClient(databaseUrl, (client) =>
        client.query<{ count: number }>('SELECT count(*)::integer AS count FROM clicks'),
      );
      return rows[0]?.count ?? 0;
    },
    async *queries() {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      try {
        await client.query('BEGIN');
        await client.query('DECLARE stored NO SCROLL CURSOR FOR SELECT params FROM clicks');
        for (;;) {
          const { rows } = await client.query<[string | null]>({ text: `FETCH ${FETCH_CLICKS} FROM stored`, rowMode: 'array' });
          if (rows.length === 0) return;
          yield rows.map(([params]) => params);
        }
      } finally {
        await client.end();
      }
    },
  };
}

/** If no further click arrives for this long, the rest will not come. */
const STALLED_MS = 60_000;

/** Waits until the click log contains this many clicks, however long that takes, as long as it grows. Returns how many it contains then. */
export async function waitForClicks(stack: Stack, count: number): Promise<number> {
  let last = 0;
  for (let grewAt = performance.now(); ; ) {
    const stored = await stack.clickLog.count();
    if (stored >= count) return stored;
    if (stored > last) grewAt = performance.now();
    else if (performance.now() - grewAt > STALLED_MS)
      throw new Error(`the click log stays at ${stored} of ${count} clicks\n${stack.engine.output().slice(-4000)}`);
    last = stored;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
