import { SettingError } from '../shared/base/settings.js';
import { autocannonClient } from './load/autocannon-client.js';
import type { Contender, Scenario } from './load/contender.js';
import { kuttContenders } from './load/kutt.js';
import { itemPathOf, SAMPLED_PATHS, samplePaths, writeLinks } from './load/links.js';
import { type Measurement, measure } from './load/measure.js';
import { peerContenders } from './load/peers.js';
import { chooseCores } from './load/pinned-process.js';
import { bareContender, floorContender, redirectContender } from './load/servers.js';
import { wrkClient, wrkIsInstalled } from './load/wrk-client.js';

export interface RedirectBench {
  readonly dataDir: string;
  readonly links: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Keys of the servers to measure; null for all. The others are compared with the first one. */
  readonly servers: readonly string[] | null;
  /** A checkout of Kutt, to be measured as well; null for none. */
  readonly kutt: string | null;
  /** Names of the load clients to use; null for all that are installed. */
  readonly clients: readonly string[] | null;
  onStep(done: number, of: number, what: string): void;
}

export const SCENARIOS: readonly Scenario[] = [
  // Without pipelining the kernel's part of a request is several times ours; with it our own code shows.
  { name: '64 connections', connections: 64, pipelining: 1 },
  { name: '64 connections, pipelined 16', connections: 64, pipelining: 16 },
];

/** Every server, in the order of the report. */
function contendersOf({ dataDir, links, kutt }: Pick<RedirectBench, 'dataDir' | 'links' | 'kutt'>): readonly Contender[] {
  return [
    bareContender(),
    floorContender(links),
    redirectContender({
      key: 'header',
      name: 'redirect process, address from a header',
      dataDir,
      slot: 0,
      trustedHeader: true,
    }),
    redirectContender({
      key: 'socket',
      name: 'redirect process, address from the socket',
      dataDir,
      slot: 1,
      trustedHeader: false,
    }),
    redirectContender({
      key: 'items',
      name: 'redirect process, items of templates, address from a header',
      dataDir,
      slot: 2,
      trustedHeader: true,
      paths: Array.from({ length: SAMPLED_PATHS }, () => itemPathOf(Math.floor(Math.random() * 10_000_000))),
    }),
    ...peerContenders(links),
    ...(kutt === null ? [] : kuttContenders(kutt, links)),
  ];
}

/** Returns the items that were named, or all if none was. An unknown name is the caller's mistake. */
function chosen<Item>(items: readonly Item[], names: readonly string[] | null, nameOf: (item: Item) => string): readonly Item[] {
  if (names === null) return items;
  return names.map((name) => {
    const found = items.find((item) => nameOf(item) === name);
    if (found === undefined) throw new SettingError(`there is no "${name}" here; there are ${items.map(nameOf).join(', ')}`);
    return found;
  });
}

/** Measures the redirect process over `links` links, beside other servers. */
export async function runRedirect(bench: RedirectBench): Promise<readonly Measurement[]> {
  const { dataDir, links, onStep } = bench;
  const contenders = chosen(contendersOf(bench), bench.servers, ({ key }) => key);
  const installed = wrkIsInstalled() ? [autocannonClient, wrkClient] : [autocannonClient];
  const clients = chosen(installed, bench.clients, ({ name }) => name);
  await writeLinks(dataDir, links, (written) => onStep(written, links, 'links written'));
  return measure({
    ...bench,
    contenders,
    scenarios: SCENARIOS,
    clients,
    paths: samplePaths(links),
    cores: chooseCores(),
  });
}
