import type { Postgres } from '../deploy/local/postgres.js';
import { type CreationJob, type CreationResult, runCreationJob } from './load/creation-job.js';
import { cpuMicroseconds, treeCpuMicroseconds } from './load/process-cost.js';
import {
  type ControlPlane,
  createBenchDatabase,
  makeProject,
  startControlPlane,
  stopControlPlane,
  withPostgres,
} from './load/rest-service.js';
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
  /** The rate divided by that of the first way, round by round. */
  readonly rate_ratio: Spread;
  /** CPU time of the control plane for one link; 0 if there is none. */
  readonly control_plane_us: Spread;
  /** CPU time of all of PostgreSQL's processes for one link. */
  readonly postgres_us: Spread;
  readonly p99_ms: Spread;
}

const CLIENTS = 32;
const WARM_UP_SECONDS = 2;
/** Removes the feed row from the statement. */
const WITHOUT_FEED = new URL('./load/without-feed.js', import.meta.url).href;

interface Way {
  readonly name: string;
  readonly job: Omit<CreationJob, 'clients' | 'seconds'>;
  /** The process whose CPU time counts as the control plane's. */
  readonly pid: number | null;
}

interface Sample extends CreationResult {
  readonly control_plane_us: number;
  readonly postgres_us: number;
}

/**
 * Links created by 32 clients: over REST without a change feed, over REST, and by the handler's bare statement. PostgreSQL
 * is the embedded one with the settings `npm start` runs it with, so that commits are as durable as in the field.
 */
export function runLinkCreation(bench: LinkCreationBench): Promise<readonly LinkCreationMeasurement[]> {
  return withPostgres((postgres) => compareWays(postgres, bench));
}

async function compareWays(postgres: Postgres, bench: LinkCreationBench): Promise<readonly LinkCreationMeasurement[]> {
  const controlPlanes: ControlPlane[] = [];
  try {
    const ways: Way[] = [];
    for (const [name, preload] of [
      ['REST, without a feed row', [WITHOUT_FEED]],
      ['REST', []],
      ['the bare statement', null],
    ] as const) {
      // Each way has a database of its own, so that none pays for another's rows.
      const databaseUrl = await createBenchDatabase(postgres, `bench_${ways.length}`);
      const project = await makeProject(databaseUrl);
      if (preload === null) ways.push({ name, pid: null, job: { over: 'sql', url: databaseUrl, ...project } });
      else {
        const controlPlane = await startControlPlane(databaseUrl, preload);
        controlPlanes.push(controlPlane);
        ways.push({ name, pid: controlPlane.child.pid as number, job: { over: 'rest', url: controlPlane.url, ...project } });
      }
    }
    return await runRounds(ways, postgres.stats().pid as number, bench);
  } finally {
    await Promise.all(controlPlanes.map(stopControlPlane));
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
