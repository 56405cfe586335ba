import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createDatabase, createPool } from '../control-plane/db/database.js';
import { migrate } from '../control-plane/db/migrate.js';
import { createKey } from '../control-plane/keys/keys.js';
import { createProject } from '../control-plane/projects/projects.js';
import { type Postgres, startPostgres } from '../deploy/local/postgres.js';
import { type CreationJob, type CreationResult, runCreationJob } from './load/creation-job.js';
import { nextMessage } from './load/pinned-process.js';
import { cpuMicroseconds, treeCpuMicroseconds } from './load/process-cost.js';
import { rotated, type Spread, spreadOf } from './load/statistics.js';

export interface LinkCreationBench {
  readonly rounds: number;
  readonly seconds: number;
  onStep(done: number, of: number, what: string): void;
}

/** One way of creating links, over all rounds. */
export interface LinkCreationMeasurement {
  readonly way: string;
  readonly links_per_second: Spread;
  /** Rate over that of the first way, round by round. */
  readonly rate_ratio: Spread;
  /** CPU time of the control plane for one link; 0 where there is none. */
  readonly control_plane_us: Spread;
  /** CPU time of all of PostgreSQL's processes for one link. */
  readonly postgres_us: Spread;
  readonly p99_ms: Spread;
}

const CLIENTS = 32;
const WARM_UP_SECONDS = 2;
/** The control plane's entry and, before it, the module that takes the feed row out of the statement. */
const CONTROL_PLANE = fileURLToPath(new URL('../control-plane/main.js', import.meta.url));
const WITHOUT_FEED = new URL('./load/without-feed.js', import.meta.url).href;

interface Way {
  readonly name: string;
  readonly job: Omit<CreationJob, 'clients' | 'seconds'>;
  /** Whose CPU time counts as the control plane's. */
  readonly pid: number | null;
}

interface Sample extends CreationResult {
  readonly control_plane_us: number;
  readonly postgres_us: number;
}

interface ControlPlane {
  readonly child: ChildProcess;
  readonly url: string;
}

async function startControlPlane(databaseUrl: string, preload: readonly string[]): Promise<ControlPlane> {
  const child = spawn(process.execPath, [...preload.flatMap((module) => ['--import', module]), CONTROL_PLANE], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SECRETS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      CONTROL_PLANE_PORT: '0',
      CONTROL_PLANE_HOST: '127.0.0.1',
      CONTROL_PLANE_ADMIN_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
    },
  });
  const isListening = (message: unknown): message is { port: number } => typeof (message as { port?: unknown } | null)?.port === 'number';
  const { port } = await nextMessage(child, isListening);
  return { child, url: `http://127.0.0.1:${port}/v1` };
}

async function createBenchDatabase(postgres: Postgres, name: string): Promise<string> {
  const client = new pg.Client(postgres.url('postgres'));
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return postgres.url(name);
}

/** A migrated database with one project; each way of creating links has its own, so that none pays for another's rows. */
async function makeProject(databaseUrl: string): Promise<{ readonly environmentId: string; readonly secretKey: string }> {
  await migrate(databaseUrl);
  const pool = createPool(databaseUrl, 2, 'bench', () => {});
  try {
    const database = createDatabase(pool);
    const hosts = { test: { linkHost: 'test.bench.example' }, live: { linkHost: 'go.bench.example' } };
    const { environments } = await createProject(database, { name: 'bench', timeZone: 'UTC', hosts }, Date.now());
    const environmentId = environments.live.id;
    const { key } = await createKey(database, { environmentId, environment: 'live', kind: 'secret', name: 'bench' }, Date.now());
    return { environmentId, secretKey: key };
  } finally {
    await pool.end();
  }
}

async function stop({ child }: ControlPlane): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/**
 * Links created by 32 clients: over REST without a change feed, over REST, and by the handler's bare statement. PostgreSQL
 * is the embedded one with the settings `npm start` runs it with, so that commits are as durable as in the field.
 */
export async function runLinkCreation({ rounds, seconds, onStep }: LinkCreationBench): Promise<readonly LinkCreationMeasurement[]> {
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
  const controlPlanes: ControlPlane[] = [];
  try {
    const ways: Way[] = [];
    for (const [name, preload] of [
      ['REST, without a feed row', [WITHOUT_FEED]],
      ['REST', []],
      ['the bare statement', null],
    ] as const) {
      const databaseUrl = await createBenchDatabase(postgres, `bench_${ways.length}`);
      const project = await makeProject(databaseUrl);
      if (preload === null) ways.push({ name, pid: null, job: { over: 'sql', url: databaseUrl, ...project } });
      else {
        const controlPlane = await startControlPlane(databaseUrl, preload);
        controlPlanes.push(controlPlane);
        ways.push({ name, pid: controlPlane.child.pid as number, job: { over: 'rest', url: controlPlane.url, ...project } });
      }
    }
    return await runRounds(ways, postgres.stats().pid as number, { rounds, seconds, onStep });
  } finally {
    await Promise.all(controlPlanes.map(stop));
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sample(way: Way, postgresPid: number, seconds: number): Promise<Sample> {
  const cpu = () => ({ own: way.pid === null ? 0 : cpuMicroseconds(way.pid), postgres: treeCpuMicroseconds(postgresPid) });
  const before = cpu();
  const result = await runCreationJob({ ...way.job, clients: CLIENTS, seconds });
  const after = cpu();
  if (result.failures > 0) throw new Error(`${way.name}: ${result.failures} creations failed`);
  return {
    ...result,
    control_plane_us: (after.own - before.own) / result.created,
    postgres_us: (after.postgres - before.postgres) / result.created,
  };
}

async function runRounds(ways: readonly Way[], postgresPid: number, bench: LinkCreationBench): Promise<readonly LinkCreationMeasurement[]> {
  const samples = new Map<Way, Sample[]>(ways.map((way) => [way, []]));
  const steps = (bench.rounds + 1) * ways.length;
  let done = 0;
  // Round -1 warms up.
  for (let round = -1; round < bench.rounds; round++)
    for (const way of rotated(ways, Math.max(0, round))) {
      bench.onStep(done++, steps, round < 0 ? `warm-up, ${way.name}` : `round ${round + 1}, ${way.name}`);
      const result = await sample(way, postgresPid, round < 0 ? WARM_UP_SECONDS : bench.seconds);
      if (round >= 0) samples.get(way)?.push(result);
    }
  bench.onStep(steps, steps, 'done');
  const rate = ({ created, seconds }: Sample) => created / seconds;
  const first = samples.get(ways[0] as Way) as Sample[];
  return ways.map((way) => {
    const own = samples.get(way) as Sample[];
    return {
      way: way.name,
      links_per_second: spreadOf(own.map(rate)),
      rate_ratio: spreadOf(own.map((each, round) => rate(each) / rate(first[round] as Sample))),
      control_plane_us: spreadOf(own.map((each) => each.control_plane_us)),
      postgres_us: spreadOf(own.map((each) => each.postgres_us)),
      p99_ms: spreadOf(own.map((each) => each.p99_ms)),
    };
  });
}
