import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../deploy/local/with-client.js';
import { type ConfigWriter, openConfigWriter } from '../engine/store/config-writer.js';
import { bootstrap } from '../engine/sync/bootstrap.js';
import { createLogger } from '../shared/base/log.js';
import { autocannonClient } from './load/autocannon-client.js';
import { fillLinkRows, makeLinkRoom } from './load/link-rows.js';
import { indexLinks, samplePaths } from './load/links.js';
import { type Measurement, measure } from './load/measure.js';
import { chooseCores } from './load/pinned-process.js';
import { withProject } from './load/rest-service.js';
import { floorContender, redirectContender } from './load/servers.js';
import { type Spread, spreadOf } from './load/statistics.js';
import { wrkClient, wrkIsInstalled } from './load/wrk-client.js';
import { SCENARIOS } from './redirect.js';

export interface HostCopyBench {
  /** The largest number of links; 1 and 10 million are measured on the way to it. */
  readonly links: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** The folder for the copies; null for a temporary folder. Each copy is removed after it was measured. */
  readonly dataDir: string | null;
  onStep(done: number, of: number, what: string): void;
}

/** One number of links. */
export interface HostCopyMeasurement {
  readonly links: number;
  /** Time from PostgreSQL into the store, until changes can be followed. */
  readonly copy_seconds: number;
  /** CPU time of the copying process. */
  readonly copy_cpu_seconds: number;
  readonly store_mb: number;
  readonly index_seconds: number;
  readonly index_mb: number;
  readonly index_files: number;
  readonly redirects: readonly HostCopyRedirect[];
}

export interface HostCopyRedirect {
  readonly scenario: string;
  readonly cpu_us: Spread;
  readonly floor_cpu_us: Spread;
  /** Round by round. */
  readonly beside_the_floor: Spread;
  /** Memory of the redirect process that it does not share. */
  readonly private_mb: number;
  readonly resident_mb: number;
  readonly invalid: string | null;
}

const SIZES = [1_000_000, 10_000_000];
const log = createLogger('bench', 'error');

/** Measures copies of more and more links, as a new host makes them, and redirects from each beside the floor. */
export function runHostCopy(bench: HostCopyBench): Promise<readonly HostCopyMeasurement[]> {
  const sizes = [...SIZES.filter((size) => size < bench.links), bench.links];
  return withProject(async ({ databaseUrl, environmentId }) => {
    await makeLinkRoom(databaseUrl, environmentId);
    const folder = bench.dataDir ?? mkdtempSync(join(tmpdir(), 'bench-copy-'));
    const measured: HostCopyMeasurement[] = [];
    try {
      let filled = 0;
      for (const links of sizes) {
        await fillLinkRows(databaseUrl, environmentId, { from: filled, to: links, onRow: (row) => bench.onStep(row, links, 'rows made') });
        filled = links;
        measured.push(await measureCopy(databaseUrl, join(folder, String(links)), { ...bench, links }));
        console.error(JSON.stringify(measured.at(-1)));
      }
    } finally {
      if (bench.dataDir === null) rmSync(folder, { recursive: true, force: true });
    }
    return measured;
  });
}

async function measureCopy(databaseUrl: string, dataDir: string, bench: HostCopyBench): Promise<HostCopyMeasurement> {
  mkdirSync(dataDir, { recursive: true });
  try {
    const writer = openConfigWriter(dataDir, log, Date.now);
    const copied = await copy(databaseUrl, writer, bench);
    const indexBegan = performance.now();
    const index = await indexLinks(writer);
    const index_seconds = (performance.now() - indexBegan) / 1000;
    const store_mb = statSync(join(writer.folderOf(writer.generation() as string), 'data.mdb')).size / 1e6;
    await writer.close();
    const redirects = await measureRedirects(dataDir, bench);
    return { links: bench.links, ...copied, store_mb, index_seconds, index_mb: index.bytes / 1e6, index_files: index.files, redirects };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function copy(databaseUrl: string, writer: ConfigWriter, { links, onStep }: HostCopyBench) {
  return withClient(databaseUrl, async (client) => {
    const began = performance.now();
    const cpu = process.cpuUsage();
    let copied = 0;
    await bootstrap(client, writer, {
      reason: 'the bench',
      cancelled: () => false,
      timing: {
        onObjects: (count) => {
          copied += count;
          if (copied % 100_000 < count) onStep(copied, links, 'objects copied');
        },
      },
      onWaiting: () => undefined,
      rest: (milliseconds) => delay(milliseconds),
      remembered: { invalidate: () => undefined },
      log,
    });
    const { user, system } = process.cpuUsage(cpu);
    return { copy_seconds: (performance.now() - began) / 1000, copy_cpu_seconds: (user + system) / 1e6 };
  });
}

async function measureRedirects(dataDir: string, bench: HostCopyBench): Promise<readonly HostCopyRedirect[]> {
  const { links } = bench;
  const redirect = redirectContender({ key: 'header', name: 'redirect process', dataDir, slot: 0, trustedHeader: true });
  const measurements = await measure({
    ...bench,
    contenders: [floorContender(links), redirect],
    scenarios: SCENARIOS,
    clients: [wrkIsInstalled() ? wrkClient : autocannonClient],
    paths: samplePaths(links),
    cores: chooseCores(),
  });
  return SCENARIOS.map(({ name }) => {
    const [floor, ours] = ['floor', 'header'].map((key) => measurements.find((each) => each.key === key && each.scenario === name)) as [
      Measurement,
      Measurement,
    ];
    return {
      scenario: name,
      cpu_us: ours.cpu_us_per_request,
      floor_cpu_us: floor.cpu_us_per_request,
      beside_the_floor: spreadOf(ours.cpu_us.map((us, round) => us / (floor.cpu_us[round] as number))),
      ...ours.memory,
      invalid: floor.invalid ?? ours.invalid,
    };
  });
}
