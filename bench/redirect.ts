import { autocannonClient } from './load/autocannon-client.js';
import type { Scenario } from './load/contender.js';
import { itemPathOf, pathOf, writeLinks } from './load/links.js';
import { type Measurement, measure } from './load/measure.js';
import { chooseCores } from './load/pinned-process.js';
import { bareContender, redirectContender } from './load/servers.js';
import { wrkClient, wrkIsInstalled } from './load/wrk-client.js';

export interface RedirectBench {
  readonly dataDir: string;
  readonly links: number;
  readonly rounds: number;
  readonly seconds: number;
  onStep(done: number, of: number, what: string): void;
}

const SCENARIOS: readonly Scenario[] = [
  // Without pipelining the kernel's part of a request is several times ours; with it our own code shows.
  { name: '64 connections', connections: 64, pipelining: 1 },
  { name: '64 connections, pipelined 16', connections: 64, pipelining: 16 },
];

/** Distinct paths that are asked for in one bench, drawn from all links. */
const SAMPLED_PATHS = 50_000;

/** The redirect process over `links` links, beside the bare server, which is the first contender and so the measure of the others. */
export async function runRedirect({ dataDir, links, rounds, seconds, onStep }: RedirectBench): Promise<readonly Measurement[]> {
  await writeLinks(dataDir, links, (written) => onStep(written, links, 'links written'));
  return measure({
    contenders: [
      bareContender(),
      redirectContender({
        name: 'redirect process, address from a header',
        about: 'link looked up, decided, click stored; the client address from a trusted proxy',
        dataDir,
        slot: 0,
        trustedHeader: true,
      }),
      redirectContender({
        name: 'redirect process, address from the socket',
        about: 'the same without a proxy in front',
        dataDir,
        slot: 1,
        trustedHeader: false,
      }),
      redirectContender({
        name: 'redirect process, items of templates, address from a header',
        about: 'path matched against 100 templates, id checked, destination rendered, decided, click stored',
        dataDir,
        slot: 2,
        trustedHeader: true,
        paths: Array.from({ length: SAMPLED_PATHS }, () => itemPathOf(Math.floor(Math.random() * 10_000_000))),
      }),
    ],
    scenarios: SCENARIOS,
    clients: wrkIsInstalled() ? [autocannonClient, wrkClient] : [autocannonClient],
    paths: Array.from({ length: Math.min(SAMPLED_PATHS, 4 * links) }, () => `/${pathOf(Math.floor(Math.random() * links))}`),
    rounds,
    seconds,
    cores: chooseCores(),
    onStep,
  });
}
