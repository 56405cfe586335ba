import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openClickSpool } from '../../engine/spool/click-spool.js';
import { endProcess, nextMessage, spawnPinned } from '../load/pinned-process.js';
import { treeCpuMicroseconds } from '../load/process-cost.js';
import { BENCH_SPOOL_KEYS } from '../spool-keys.js';
import { clickSource } from './generated-clicks.js';

/** What `shipper-process` reports. */
export interface ShipperState {
  readonly shipped: number;
  readonly pending_bytes: number;
  readonly cpu_us: number;
}

export const isShipperState = (message: unknown): message is ShipperState =>
  typeof (message as { shipped?: unknown } | null)?.shipped === 'number';

/** Starts a process of this folder. */
export function startClickProcess(entry: 'shipper-process' | 'writer-process', parameters: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`${entry}.js`, import.meta.url));
  return spawnPinned(null, [process.execPath, path, ...parameters], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

export interface Backlog {
  readonly clicks: number;
  readonly phoneShare: number;
  readonly databaseUrl: string;
  /** Clicks are stored in PostgreSQL without it. */
  readonly clickHouseUrl?: string;
  readonly environmentNumber: number;
  /** Folder of the spool. */
  readonly dir: string;
  /** The servers whose CPU time is of interest. */
  readonly servers: readonly number[];
}

export interface ShippedBacklog {
  readonly clicks_per_second: number;
  /** CPU microseconds for each click. */
  readonly shipper_cpu_us: number;
  /** The same of each server, in the order of `servers`. */
  readonly servers_cpu_us: readonly number[];
}

/** Fills a spool, and ships it by one process as fast as possible. */
export async function shipBacklog(backlog: Backlog): Promise<ShippedBacklog> {
  const { clicks, phoneShare, databaseUrl, clickHouseUrl, environmentNumber, dir, servers } = backlog;
  const spool = openClickSpool({ dir, bytesMax: 4 * 1024 ** 3, mapped: true, keys: BENCH_SPOOL_KEYS, clock: Date.now });
  const next = clickSource(environmentNumber, phoneShare);
  for (let count = 0; count < clicks; count++) spool.append(next());
  spool.stop();
  const shipper = startClickProcess('shipper-process', [dir, databaseUrl, ...(clickHouseUrl === undefined ? [] : [clickHouseUrl])]);
  try {
    const before = await nextMessage(shipper, isShipperState);
    const serversBefore = servers.map(treeCpuMicroseconds);
    const beganAt = performance.now();
    shipper.send('start');
    let state = before;
    while (state.shipped < clicks) state = await nextMessage(shipper, isShipperState);
    return {
      clicks_per_second: clicks / ((performance.now() - beganAt) / 1000),
      shipper_cpu_us: (state.cpu_us - before.cpu_us) / clicks,
      servers_cpu_us: servers.map((pid, index) => (treeCpuMicroseconds(pid) - (serversBefore[index] as number)) / clicks),
    };
  } finally {
    await endProcess(shipper);
  }
}
