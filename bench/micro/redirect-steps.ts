import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench } from 'tinybench';
import { openConfigReader } from '../../engine/config/config-reader.js';
import { beginFacts, newFacts } from '../../engine/http/facts.js';
import { openClickSpool } from '../../engine/spool/click-spool.js';
import { fillClick, newClick } from '../../engine/visit/click-record.js';
import { compileTable } from '../../engine/visit/compile-table.js';
import { decide, decideItem } from '../../engine/visit/decide.js';
import { type ItemTarget, type LinkTarget, locate, type Target } from '../../engine/visit/locate.js';
import { GenerationCache } from '../../shared/base/generation-cache.js';
import { invariant } from '../../shared/base/invariant.js';
import { createLogger } from '../../shared/base/log.js';
import { recogniseVisitor } from '../../shared/resolve/recognise-visitor.js';
import { BROWSER_HEADERS } from '../load/contender.js';
import { BENCH_HOST, itemPathOf, pathOf, writeLinks } from '../load/links.js';
import { BENCH_SPOOL_KEYS } from '../spool-keys.js';

export interface MicroResult {
  readonly step: string;
  /** Time of one call in nanoseconds: the median of samples of 100 calls each, and the slowest hundredth of them. */
  readonly median_ns: number;
  readonly p99_ns: number;
}

export interface MicroBench {
  readonly links: number;
  /** Time for each step. */
  readonly milliseconds: number;
}

const HOUR_MS = 3_600_000;

/**
 * Times the steps of one redirect, each by itself and all together, over a store with `links` links. Each call of a step
 * takes the next of many random paths, so that no step runs from a processor's cache alone.
 */
export async function runMicro({ links, milliseconds }: MicroBench): Promise<readonly MicroResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-micro-'));
  try {
    await writeLinks(dataDir, links, () => {});
    const config = openConfigReader(dataDir, createLogger('bench', 'error'));
    const spool = openClickSpool({
      dir: join(dataDir, 'spool'),
      bytesMax: 8 * 1024 ** 3,
      mapped: true,
      keys: BENCH_SPOOL_KEYS,
      clock: Date.now,
    });
    try {
      return await timeSteps(stepsOf(config, spool, links), milliseconds);
    } finally {
      spool.stop();
      await config.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Steps = Readonly<Record<string, () => unknown>>;

function stepsOf(config: ReturnType<typeof openConfigReader>, spool: ReturnType<typeof openClickSpool>, links: number): Steps {
  const table = compileTable(config.readTableInput(), { scheme: 'https', port: 0 });
  const verdicts = new GenerationCache(10_000, recogniseVisitor);
  const facts = newFacts();
  const click = newClick();
  const paths = Array.from({ length: 65_536 }, () => `/${pathOf(Math.floor(Math.random() * links))}`);
  let next = 0;
  const items = Array.from({ length: 65_536 }, () => itemPathOf(Math.floor(Math.random() * 10_000_000)));
  const begin = (asked: readonly string[]): Target => {
    beginFacts(facts, 'GET', asked[next++ & 65_535] as string, '');
    facts.host = BENCH_HOST;
    facts.user_agent = BROWSER_HEADERS['user-agent'];
    facts.referrer = BROWSER_HEADERS.referer;
    facts.visitor = verdicts.of(facts.user_agent);
    return locate(facts, table);
  };
  const beginLink = () => begin(paths) as LinkTarget;
  const beginItem = () => begin(items) as ItemTarget;
  const find = (path: string) => {
    const link = config.findLink(1, path);
    invariant(link !== undefined, 'every path that is asked for is a link');
    return link;
  };
  const target = beginLink();
  const item = beginItem();
  const link = find(target.path);
  const decision = decide(facts, target, link, 0);
  fillClick(click, facts, decision, Date.now());
  click.address_text = '203.0.113.77';
  return {
    'verdict on a known user agent': () => verdicts.of(BROWSER_HEADERS['user-agent']),
    'host and path to a target': () => beginLink(),
    'link from the index': () => find((paths[next++ & 65_535] as string).slice(1)),
    decision: () => decide(facts, target, link, HOUR_MS),
    'click into the spool': () => spool.append(click),
    'all of it': () => {
      const located = beginLink();
      const decided = decide(facts, located, find(located.path), HOUR_MS);
      fillClick(click, facts, decided, Date.now());
      spool.append(click);
    },
    'item of a template: host and path to a match': () => beginItem(),
    'item of a template: rendering and decision': () => decideItem(facts, item, HOUR_MS),
    'item of a template: all of it': () => {
      const decided = decideItem(facts, beginItem(), HOUR_MS);
      fillClick(click, facts, decided, Date.now());
      spool.append(click);
    },
  };
}

/** One sample consists of this many calls, because reading the clock takes as long as some of the steps. */
const CALLS_PER_SAMPLE = 100;

async function timeSteps(steps: Steps, milliseconds: number): Promise<readonly MicroResult[]> {
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 4 });
  for (const [name, step] of Object.entries(steps))
    bench.add(name, () => {
      for (let call = 0; call < CALLS_PER_SAMPLE; call++) step();
    });
  await bench.run();
  return bench.tasks.map(({ name, result }) => {
    invariant('latency' in result, `${name} was measured`);
    return { step: name, median_ns: (result.latency.p50 * 1e6) / CALLS_PER_SAMPLE, p99_ns: (result.latency.p99 * 1e6) / CALLS_PER_SAMPLE };
  });
}
