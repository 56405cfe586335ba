import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { integer, SettingError } from '../shared/base/settings.js';
import { runRedirect } from './redirect.js';
import { describeMachine } from './report/machine.js';
import { createProgress } from './report/progress.js';
import { tableOf } from './report/table.js';

const HELP = `Measures the engine beside a bare uWebSockets.js in the same run. See bench/README.md.

  npm run bench [-- redirect] [options]

  --links N     links in the store (100000)
  --rounds N    interleaved rounds, of which the median counts (3)
  --seconds N   length of one measurement (3)
  --json FILE   write all figures to the file too
  --data DIR    folder for the store and the spool; kept (a temporary one, removed)
`;

/** The parts that can be asked for by name. */
const PARTS = ['redirect'] as const;

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
  for (const part of positionals)
    if (!PARTS.some((known) => known === part)) throw new SettingError(`there is no bench "${part}"; there is ${PARTS.join(', ')}`);
  const number = (name: 'links' | 'rounds' | 'seconds', max: number) => {
    try {
      return integer(1, max)(values[name]);
    } catch (error) {
      throw error instanceof SettingError ? new SettingError(`--${name}: ${error.message}`) : error;
    }
  };
  return {
    help: values.help,
    links: number('links', 20_000_000),
    rounds: number('rounds', 100),
    seconds: number('seconds', 600),
    json: values.json ?? null,
    data: values.data ?? null,
  };
}

async function run(options: ReturnType<typeof readOptions>): Promise<void> {
  if (process.platform !== 'linux') throw new SettingError('the bench reads process accounting from /proc and runs on Linux only');
  const dataDir = options.data ?? mkdtempSync(join(tmpdir(), 'bench-'));
  const progress = createProgress();
  try {
    const { links, rounds, seconds } = options;
    const measurements = await runRedirect({ dataDir, links, rounds, seconds, onStep: progress.step });
    progress.stop();
    const report = { measured_at: new Date().toISOString(), machine: describeMachine(), links, rounds, seconds, measurements };
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    const { cpu, cores, kernel, node } = report.machine;
    console.log(
      `${tableOf(measurements)}\n\n${links} links, ${rounds} rounds of ${seconds} s; ${cpu}, ${cores} cores, Linux ${kernel}, Node.js ${node}`,
    );
    if (measurements.some(({ invalid }) => invalid !== null)) process.exitCode = 1;
  } finally {
    progress.stop();
    if (options.data === null) rmSync(dataDir, { recursive: true, force: true });
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
