import { writeFileSync } from 'node:fs';
import { SettingError } from '../shared/base/settings.js';
import { OPTIONS_HELP, type Options, readOptions } from './options.js';
import { chosenParts, type Outcome, PARTS, type Part } from './parts.js';
import { describeMachine } from './report/machine.js';
import { createProgress } from './report/progress.js';

const HELP = `Measures the service beside other servers, and part by part, in one run. See bench/README.md.

  npm run bench                          every part
  npm run bench -- [PART...] [options]   the named parts:

${Object.entries(PARTS)
  .map(([name, { about }]) => `  ${name.padEnd(14)}${about}`)
  .join('\n')}
${OPTIONS_HELP}`;

async function run(parts: readonly (readonly [string, Part])[], options: Options): Promise<void> {
  if (process.platform !== 'linux') throw new SettingError('the bench reads process accounting from /proc and runs on Linux only');
  const { links, rounds, seconds } = options;
  const machine = describeMachine();
  const report: Record<string, unknown> = { measured_at: new Date().toISOString(), machine, links, rounds, seconds };
  for (const [name, part] of parts) {
    const outcome = await withProgress(part, options);
    console.log(`${outcome.text}\n`);
    report[name.replaceAll('-', '_')] = outcome.figures;
    // After each part, so that what was measured in minutes is not lost with a later one.
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    if (!outcome.valid) process.exitCode = 1;
  }
  // As requested, because parts have defaults of their own.
  const given = process.argv.slice(2);
  const command = ['npm run bench', ...(given.length === 0 ? [] : ['--', ...given])].join(' ');
  console.log(`${command}; ${machine.cpu}, ${machine.cores} cores, Linux ${machine.kernel}, Node.js ${machine.node}`);
}

async function withProgress(part: Part, options: Options): Promise<Outcome> {
  const progress = createProgress();
  try {
    return await part.run(options, progress.step);
  } finally {
    progress.stop();
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  const parts = chosenParts(options);
  if (options.help) console.log(HELP);
  else await run(parts, options);
} catch (error) {
  const { code } = error as NodeJS.ErrnoException;
  if (!(error instanceof SettingError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}
