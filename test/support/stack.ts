import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../control-plane/db/migrate.js';
import { type Postgres, startPostgres } from '../../deploy/local/postgres.js';
import { makeProject, startControlPlane, type TestControlPlane, type TestProject } from './control-plane.js';
import { createDatabase } from './database.js';
import { type EngineOptions, startEngine, type TestEngine } from './engine.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** What the stack needs of a tap test. */
interface Teardown {
  teardown(fn: () => unknown): void;
}

/** The real service: control plane, engine and a database, each as whole processes. */
export interface Stack {
  readonly databaseUrl: string;
  readonly controlPlane: TestControlPlane;
  readonly project: TestProject;
  /** Options of the engine, to start another one on the same folder. */
  readonly engineOptions: EngineOptions;
  engine: TestEngine;
  /** One statement against the database. */
  rows<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface StackOptions {
  readonly processes?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Of a server that the test has started itself; a database of the shared one otherwise. */
  readonly databaseUrl?: string;
}

export async function startStack(t: Teardown, options: StackOptions = {}): Promise<Stack> {
  const dir = temporaryFolder(t);
  const databaseUrl = options.databaseUrl ?? (await ownDatabase(t));
  const project = await makeProject(databaseUrl);
  const environment = options.environment ?? {};
  const controlPlane = await startControlPlane({ databaseUrl, dir, environment });
  t.teardown(() => controlPlane.kill());
  const engineOptions: EngineOptions = { databaseUrl, dataDir: dir, environment, processes: options.processes ?? 2 };
  const stack: Stack = {
    databaseUrl,
    controlPlane,
    project,
    engineOptions,
    engine: await startEngine(engineOptions),
    async rows<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      try {
        return (await client.query<Row>(text, [...values])).rows;
      } finally {
        await client.end();
      }
    },
  };
  t.teardown(() => stack.engine.stop());
  await stack.engine.whenReady();
  return stack;
}

async function ownDatabase(t: Teardown): Promise<string> {
  const database = await createDatabase();
  t.teardown(() => database.drop());
  return database.url;
}

/** A PostgreSQL that the test may stop and start: always on the same port, with the same data. */
export interface OwnPostgres {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server as a crash would; it comes back by itself. */
  crash(): void;
}

export async function startOwnPostgres(t: Teardown): Promise<OwnPostgres> {
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
  await migrate(postgres.url());
  return {
    url: postgres.url(),
    stop: () => postgres.stop(),
    async start() {
      postgres = await startPostgres(options);
    },
    crash() {
      const { pid } = postgres.stats();
      if (pid !== null) process.kill(pid, 'SIGKILL');
    },
  };
}

export interface CreatedLink {
  readonly id: string;
  readonly path: string;
  readonly url: string;
}

/** A link whose clicks keep their query, so that each can be told from the others. */
export async function createLedgerLink({ controlPlane, project }: Stack): Promise<CreatedLink> {
  const { status, body } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', {
    destinations: { web: 'https://destination.example/ledger' },
    allow_param_passthrough: true,
  });
  if (status !== 201) throw new Error(`the link was not made: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** The stored queries of all clicks, once their number has come to `count` and rests there. */
export async function clicksOf(stack: Stack, count: number): Promise<(string | null)[]> {
  let last = '';
  const settled = async () => {
    const rows = await stack.rows<{ count: number }>('SELECT count(*)::integer AS count FROM clicks');
    last = `${rows[0]?.count} of ${count}`;
    return (rows[0]?.count ?? 0) >= count;
  };
  await until(settled, `${count} clicks in the click log`, 60_000).catch((error: Error) => {
    throw new Error(`${error.message}: ${last}\n${stack.engine.output().slice(-4000)}`);
  });
  // Whatever is stored twice would come now: the spool is looked at every 100 ms.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return (await stack.rows<{ params: string | null }>('SELECT params FROM clicks')).map(({ params }) => params);
}
