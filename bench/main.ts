import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { integer, SettingError } from '../shared/base/settings.js';
import { runLinkCreation } from './link-creation.js';
import type { Measurement } from './load/measure.js';
import { runManyLinks } from './many-links.js';
import { runMicro } from './micro/redirect-steps.js';
import { runRedirect } from './redirect.js';
import { describeMachine } from './report/machine.js';
import { createProgress, type Progress } from './report/progress.js';
import { creationTableOf, manyLinksTableOf, stepTableOf, tableOf } from './report/table.js';

const HELP = `Measures the engine beside a bare uWebSockets.js in the same run. See bench/README.md.

  npm run bench                                the redirect process under load
  npm run bench -- [PART...] [options]         the named parts: redirect; micro, the steps of a redirect one by one;
                                               link-creation, over REST and beside it without a change feed and by bare SQL;
                                               many-links, pages of a long list and bulk calls into it

  --links N     links in the store (100000)
  --rounds N    interleaved rounds, of which the median counts (3)
  --seconds N   length of one measurement (3)
  --json FILE   write all figures to the file too
  --data DIR    folder for the store and the spool; kept (a temporary one, removed)
`;

/** The parts that can be asked for by name. */
const PARTS = ['redirect', 'micro', 'link-creation', 'many-links'] as const;
type Part = (typeof PARTS)[number];
const isPart = (text: string): text is Part => PARTS.some((part) => part === text);

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      links: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      json: { type: 'string' },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const unknown = positionals.find((part) => !isPart(part));
  if (unknown !== undefined) throw new SettingError(`there is no bench "${unknown}"; there are ${PARTS.join(', ')}`);
  const number = (name: 'links' | 'rounds' | 'seconds', max: number) => {
    try {
      return integer(1, max)(values[name]);
    } catch (error) {
      throw error instanceof SettingError ? new SettingError(`--${name}: ${error.message}`) : error;
    }
  };
  return {
    help: values.help,
    parts: positionals.length === 0 ? (['redirect'] satisfies Part[] as Part[]) : positionals.filter(isPart),
    links: number('links', 20_000_000),
    rounds: number('rounds', 100),
    seconds: number('seconds', 600),
    json: values.json ?? null,
    data: values.data ?? null,
  };
}

type Options = ReturnType<typeof readOptions>;

async function run(options: Options): Promise<void> {
  if (process.platform !== 'linux') throw new SettingError('the bench reads process accounting from /proc and runs on Linux only');
  const { links, rounds, seconds } = options;
  const machine = describeMachine();
  const redirect = options.parts.includes('redirect') ? await measureRedirect(options) : null;
  const micro = options.parts.includes('micro') ? await runMicro({ links, milliseconds: seconds * 1000 }) : null;
  const creation = options.parts.includes('link-creation')
    ? await withProgress((onStep) => runLinkCreation({ rounds, seconds, onStep }))
    : null;
  const manyLinks = options.parts.includes('many-links') ? await withProgress((onStep) => runManyLinks({ links, rounds, onStep })) : null;
  const report = {
    measured_at: new Date().toISOString(),
    machine,
    links,
    rounds,
    seconds,
    redirect,
    micro,
    link_creation: creation,
    many_links: manyLinks,
  };
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  if (redirect !== null) console.log(`${tableOf(redirect)}\n`);
  if (micro !== null) console.log(`${stepTableOf(micro)}\n`);
  if (manyLinks !== null) console.log(`${manyLinksTableOf(manyLinks)}\n`);
  if (creation !== null) console.log(`${creationTableOf(creation)}\n`);
  console.log(
    `${links} links, ${rounds} rounds of ${seconds} s; ${machine.cpu}, ${machine.cores} cores, Linux ${machine.kernel}, Node.js ${machine.node}`,
  );
  if (redirect?.some(({ invalid }) => invalid !== null)) process.exitCode = 1;
}

async function measureRedirect({ data, links, rounds, seconds }: Options): Promise<readonly Measurement[]> {
  const dataDir = data ?? mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    return await withProgress((onStep) => runRedirect({ dataDir, links, rounds, seconds, onStep }));
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
