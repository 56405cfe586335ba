import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountingThread } from '../control-plane/click-figures/counting/counting-thread.js';
import { createCounting } from '../control-plane/jobs/counting.js';
import { findEnvironmentNumber } from '../control-plane/projects/projects.js';
import type { Postgres } from '../deploy/local/postgres.js';
import { withClient } from '../deploy/local/with-client.js';
import { createLogger } from '../shared/base/log.js';
import { isShipperState, type ShippedBacklog, shipBacklog, startClickProcess } from './clicks/backlog.js';
import { endProcess, nextMessage } from './load/pinned-process.js';
import { treeCpuMicroseconds } from './load/process-cost.js';
import { createBenchDatabase, makeProject, withPostgres } from './load/rest-service.js';
import { type Spread, spreadOf } from './load/statistics.js';

export interface IngestBench {
  readonly rounds: number;
  /** Clicks per second in the steady part. */
  readonly rate: number;
  /** Length of the steady part; 0 leaves it out. */
  readonly steadySeconds: number;
  onStep(done: number, of: number, what: string): void;
}

/** A full spool, shipped by one connection as fast as possible. */
export interface BacklogMeasurement {
  readonly clicks: string;
  readonly rows_per_second: Spread;
  readonly shipper_cpu_us: Spread;
  readonly postgres_cpu_us: Spread;
}

/** Clicks written and shipped at the same time. */
export interface SteadyMeasurement {
  readonly counted: boolean;
  readonly seconds: number;
  readonly written_per_second: number;
  readonly shipped_per_second: number;
  readonly dropped: number;
  /** What waited in the spool: the maximum of the first half and of the second. */
  readonly waiting_mb: readonly [number, number];
  /** CPU time in cores. */
  readonly writer_cores: number;
  readonly shipper_cores: number;
  readonly postgres_cores: number;
}

export interface IngestResult {
  readonly backlog: readonly BacklogMeasurement[];
  readonly steady: readonly SteadyMeasurement[];
}

const BACKLOG_CLICKS = 1_000_000;
const KINDS = [
  { clicks: 'on desktops', phoneShare: 0 },
  { clicks: 'six of ten on phones, which apps may ask for', phoneShare: 0.6 },
] as const;

interface WriterState {
  readonly stored: number;
  readonly dropped: number;
  readonly cpu_us: number;
}

const isWriterState = (message: unknown): message is WriterState => typeof (message as { stored?: unknown } | null)?.stored === 'number';

/** Measures the way from the spool's mapped files into the click log, with or without the counting of figures at the same time. */
export function runIngest({ rounds, rate, steadySeconds, onStep }: IngestBench): Promise<IngestResult> {
  return withPostgres(async (postgres) => {
    const steps = KINDS.length * rounds + (steadySeconds === 0 ? 0 : 2);
    let done = 0;
    const samples = new Map<(typeof KINDS)[number], ShippedBacklog[]>(KINDS.map((kind) => [kind, []]));
    for (let round = 0; round < rounds; round++)
      for (const kind of KINDS) {
        onStep(done++, steps, `a backlog of clicks ${kind.clicks}`);
        samples.get(kind)?.push(await shipOn(postgres, `backlog_${round}_${KINDS.indexOf(kind)}`, kind.phoneShare));
      }
    const steady: SteadyMeasurement[] = [];
    for (const counted of steadySeconds === 0 ? [] : [false, true]) {
      onStep(done++, steps, `${rate} clicks a second${counted ? ', counted' : ''}`);
      steady.push(await keepUp(postgres, { rate, seconds: steadySeconds, counted }));
    }
    onStep(steps, steps, 'done');
    const backlog = [...samples].map(([{ clicks }, values]) => ({
      clicks,
      rows_per_second: spreadOf(values.map((value) => value.clicks_per_second)),
      shipper_cpu_us: spreadOf(values.map((value) => value.shipper_cpu_us)),
      postgres_cpu_us: spreadOf(values.map((value) => value.servers_cpu_us[0] as number)),
    }));
    return { backlog, steady };
  });
}

function shipOn(postgres: Postgres, name: string, phoneShare: number): Promise<ShippedBacklog> {
  const servers = [postgres.stats().pid as number];
  return withDatabase(postgres, name, (place) => shipBacklog({ ...place, clicks: BACKLOG_CLICKS, phoneShare, servers }));
}

interface Steadiness {
  readonly rate: number;
  readonly seconds: number;
  readonly counted: boolean;
}

/** One process writes at the rate, one ships, and if `counted`, the job of a control plane counts at the same time. */
function keepUp(postgres: Postgres, { rate, seconds, counted }: Steadiness): Promise<SteadyMeasurement> {
  return withDatabase(postgres, counted ? 'steady_counted' : 'steady', async ({ databaseUrl, environmentNumber, dir }) => {
    const job = counted ? startCounting(databaseUrl) : null;
    const writer = startClickProcess('writer-process', [dir, String(environmentNumber), String(rate), '0']);
    const shipper = startClickProcess('shipper-process', [dir, databaseUrl]);
    shipper.send('start');
    try {
      const pid = postgres.stats().pid as number;
      // In the first second, keys and partitions are created.
      const writerBefore = await nextMessage(writer, isWriterState);
      const shipperBefore = await nextMessage(shipper, isShipperState);
      const postgresBefore = treeCpuMicroseconds(pid);
      const beganAt = performance.now();
      const halves: [number, number] = [0, 0];
      let writerNow = writerBefore;
      let shipperNow = shipperBefore;
      writer.on('message', (message) => {
        if (isWriterState(message)) writerNow = message;
      });
      const elapsed = () => (performance.now() - beganAt) / 1000;
      while (elapsed() < seconds) {
        shipperNow = await nextMessage(shipper, isShipperState);
        const half = elapsed() < seconds / 2 ? 0 : 1;
        halves[half] = Math.max(halves[half], shipperNow.pending_bytes / 1024 ** 2);
      }
      const took = elapsed();
      const cores = (microseconds: number) => microseconds / 1_000_000 / took;
      return {
        counted,
        seconds: took,
        written_per_second: (writerNow.stored - writerBefore.stored) / took,
        shipped_per_second: (shipperNow.shipped - shipperBefore.shipped) / took,
        dropped: writerNow.dropped,
        waiting_mb: halves,
        writer_cores: cores(writerNow.cpu_us - writerBefore.cpu_us),
        shipper_cores: cores(shipperNow.cpu_us - shipperBefore.cpu_us),
        postgres_cores: cores(treeCpuMicroseconds(pid) - postgresBefore),
      };
    } finally {
      await Promise.all([endProcess(writer), endProcess(shipper), job?.stop()]);
    }
  });
}

/** Starts what a control plane does at the same time. Most of it is PostgreSQL's work. */
function startCounting(databaseUrl: string): { stop(): Promise<void> } {
  const log = createLogger('bench', 'warn');
  const counting = new CountingThread({ databaseUrl, clickRetentionDays: 400 }, log);
  const job = createCounting({ counting, log, clock: Date.now });
  job.start();
  return {
    async stop() {
      await job.stop();
      await counting.stop();
    },
  };
}

interface Place {
  readonly databaseUrl: string;
  readonly environmentNumber: number;
  /** Folder of the spool. */
  readonly dir: string;
}

/** Runs `work` with a spool and a database of its own, so that every measurement begins alike. */
async function withDatabase<Result>(postgres: Postgres, name: string, work: (place: Place) => Promise<Result>): Promise<Result> {
  const databaseUrl = await createBenchDatabase(postgres, name);
  const { environmentId } = await makeProject(databaseUrl);
  const dir = mkdtempSync(join(tmpdir(), 'bench-spool-'));
  try {
    const environmentNumber = await withClient(databaseUrl, (client) => findEnvironmentNumber(client, environmentId));
    return await work({ databaseUrl, environmentNumber, dir });
  } finally {
    rmSync(dir, { recursive: true, force: true });
    await withClient(postgres.superuserUrl('postgres'), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
}
