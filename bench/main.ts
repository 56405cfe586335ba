import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { integer, SettingError } from '../shared/base/settings.js';
import type { Measurement } from './load/measure.js';
import { attributionTableOf } from './report/attribution-table.js';
import type { RedirectBench } from './redirect.js';
import { describeMachine } from './report/machine.js';
import { redirectPlots } from './report/plot.js';
import { createProgress, type Progress } from './report/progress.js';
import { creationTableOf, manyLinksTableOf, stepTableOf, tableOf, targetTableOf } from './report/table.js';
import { targetOutcomes } from './report/targets.js';
import { webhookTablesOf } from './report/webhook-tables.js';

const HELP = `Measures the engine beside a bare uWebSockets.js in the same run. See bench/README.md.

  npm run bench                                every part, in some minutes
  npm run bench -- [PART...] [options]         the named parts: redirect; micro, the steps of a redirect one by one;
                                               link-creation, over REST and beside it without a change feed and by bare SQL;
                                               many-links, pages of a long list and bulk calls into it;
                                               cards, warm preview cards beside a bare server that answers as many bytes;
                                               webhooks, from the queue to receivers over HTTP and TLS;
                                               attribution, how many of the matched installs are right, simulated

  --links N     links in the store (100000)
  --rounds N    interleaved rounds, of which the median counts (3)
  --seconds N   length of one measurement (3)
  --warm-up N   seconds of load on each server before the first round (1)
  --servers A,B redirect: only these servers, the first of which is the measure of the others (bare, header, socket, items,
                nginx-map, nginx-return, haproxy-map, node)
  --clients A,B redirect: only these load clients (autocannon, wrk)
  --minutes N   webhooks: also N minutes of a steady rate beside an old snapshot (0)
  --installs N  attribution: installs that are simulated (1000000)
  --json FILE   write all figures to the file too
  --plots DIR   redirect: write its charts there too, as SVG
  --data DIR    folder for the store and the spool; kept (a temporary one, removed)
`;

/** The parts that can be asked for by name. */
const PARTS = ['redirect', 'micro', 'cards', 'link-creation', 'many-links', 'webhooks', 'attribution'] as const;
type Part = (typeof PARTS)[number];
const isPart = (text: string): text is Part => PARTS.some((part) => part === text);

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      links: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      'warm-up': { type: 'string', default: '1' },
      servers: { type: 'string' },
      clients: { type: 'string' },
      minutes: { type: 'string', default: '0' },
      installs: { type: 'string', default: '1000000' },
      json: { type: 'string' },
      plots: { type: 'string' },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const unknown = positionals.find((part) => !isPart(part));
  if (unknown !== undefined) throw new SettingError(`there is no bench "${unknown}"; there are ${PARTS.join(', ')}`);
  const number = (name: 'links' | 'rounds' | 'minutes' | 'installs', max: number, min = 1) => {
    try {
      return integer(min, max)(values[name]);
    } catch (error) {
      throw error instanceof SettingError ? new SettingError(`--${name}: ${error.message}`) : error;
    }
  };
  const fraction = (name: 'seconds' | 'warm-up', min: number) => {
    const value = Number(values[name]);
    if (!(value >= min && value <= 600)) throw new SettingError(`--${name}: expected a number from ${min} to 600`);
    return value;
  };
  return {
    help: values.help,
    parts: positionals.length === 0 ? PARTS : positionals.filter(isPart),
    links: number('links', 20_000_000),
    rounds: number('rounds', 100),
    seconds: fraction('seconds', 0.1),
    minutes: number('minutes', 24 * 60, 0),
    installs: number('installs', 10_000_000),
    warmUpSeconds: fraction('warm-up', 0),
    servers: values.servers?.split(',') ?? null,
    clients: values.clients?.split(',') ?? null,
    json: values.json ?? null,
    plots: values.plots ?? null,
    data: values.data ?? null,
  };
}

type Options = ReturnType<typeof readOptions>;

/** A part is loaded when it is asked for: what it stands on takes longer to load than a mistake in the command takes to tell. */
async function run(options: Options): Promise<void> {
  if (process.platform !== 'linux') throw new SettingError('the bench reads process accounting from /proc and runs on Linux only');
  const { links, rounds, seconds, minutes } = options;
  const machine = describeMachine();
  const redirect = options.parts.includes('redirect')
    ? await inDataDir(options, async (plan) => (await import('./redirect.js')).runRedirect(plan))
    : null;
  const micro = options.parts.includes('micro')
    ? await (await import('./micro/redirect-steps.js')).runMicro({ links, milliseconds: seconds * 1000 })
    : null;
  const cards = options.parts.includes('cards')
    ? await inDataDir(options, async (plan) => (await import('./cards.js')).runCards(plan))
    : null;
  const creation = options.parts.includes('link-creation')
    ? await withProgress(async (onStep) => (await import('./link-creation.js')).runLinkCreation({ rounds, seconds, onStep }))
    : null;
  const manyLinks = options.parts.includes('many-links')
    ? await withProgress(async (onStep) => (await import('./many-links.js')).runManyLinks({ links, rounds, onStep }))
    : null;
  const webhooks = options.parts.includes('webhooks')
    ? await withProgress(async (onStep) => (await import('./webhooks.js')).runWebhooks({ rounds, seconds, minutes, onStep }))
    : null;
  const attribution = options.parts.includes('attribution')
    ? await withProgress(async (onStep) => (await import('./attribution/simulate.js')).runAttribution(options.installs, onStep))
    : null;
  const figures = { redirect, micro, cards, link_creation: creation, many_links: manyLinks, webhooks, attribution };
  const report = { measured_at: new Date().toISOString(), machine, links, rounds, seconds, ...figures };
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (redirect !== null) reportRedirect(redirect, options.plots);
  if (cards !== null) reportServers(cards);
  if (micro !== null) console.log(`${stepTableOf(micro)}\n`);
  if (manyLinks !== null) console.log(`${manyLinksTableOf(manyLinks)}\n`);
  if (creation !== null) console.log(`${creationTableOf(creation)}\n`);
  if (webhooks !== null) console.log(`${webhookTablesOf(webhooks)}\n`);
  if (attribution !== null) console.log(`${attributionTableOf(attribution)}\n`);
  console.log(
    `${links} links, ${rounds} rounds of ${seconds} s; ${machine.cpu}, ${machine.cores} cores, Linux ${machine.kernel}, Node.js ${machine.node}`,
  );
  if ([redirect, cards].some((measured) => measured?.some(({ invalid }) => invalid !== null))) process.exitCode = 1;
}

function reportServers(measured: readonly Measurement[]): void {
  console.log(`${tableOf(measured)}\n`);
  const targets = targetOutcomes(measured);
  if (targets.length > 0) console.log(`${targetTableOf(targets)}\n`);
}

function reportRedirect(redirect: readonly Measurement[], plots: string | null): void {
  reportServers(redirect);
  if (plots === null) return;
  mkdirSync(plots, { recursive: true });
  for (const [name, svg] of redirectPlots(redirect)) writeFileSync(join(plots, name), svg);
}

/** Runs a bench of servers on the folder that was asked for, or on one that is removed afterwards. */
async function inDataDir(
  { data, ...plan }: Options,
  bench: (plan: RedirectBench) => Promise<readonly Measurement[]>,
): Promise<readonly Measurement[]> {
  const dataDir = data ?? mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    return await withProgress((onStep) => bench({ ...plan, dataDir, onStep }));
  } finally {
    if (data === null) rmSync(dataDir, { recursive: true, force: true });
  }
}

async function withProgress<Result>(work: (onStep: Progress['step']) => Promise<Result>): Promise<Result> {
  const progress = createProgress();
  try {
    return await work(progress.step);
  } finally {
    progress.stop();
  }
}

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else await run(options);
} catch (error) {
  const { code } = error as NodeJS.ErrnoException;
  if (!(error instanceof SettingError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}
