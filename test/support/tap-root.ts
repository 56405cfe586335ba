import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { SharedProcess } from './shared-process.js';
import { nameOfProcess } from './test-run.js';

/**
 * The root of one part of a run: `tap-root <what tests to run, as JSON>` runs the files in processes of their own or a
 * few in one, reports how each ended, and writes everything they reported into the results file. Exits with 1 if one
 * failed.
 */
export interface TapRoot {
  /** The files of each process. */
  readonly processes: readonly (readonly string[])[];
  readonly jobs: number;
  /** Whether stacks name lines of the sources. Reading the source maps costs a process up to a quarter of a second. */
  readonly sourceMaps: boolean;
  /** The timeout of each file. */
  readonly timeoutMs: number;
  readonly resultsFile: string;
}

const { processes, jobs, sourceMaps, timeoutMs, resultsFile } = JSON.parse(process.argv[2] as string) as TapRoot;

t.setTimeout(0);
t.jobs = jobs;
t.register();
t.pipe(createWriteStream(resultsFile));
for (const files of processes) void runProcess(files);

function say(passed: boolean, ms: number | undefined, name: string): void {
  console.log(`${passed ? '      ' : 'FAILED'} ${((ms ?? 0) / 1000).toFixed(1).padStart(5)} s  ${name}`);
}

/**
 * tap starts every process with a loader in NODE_OPTIONS that records which modules it loads, for `tap run --changed`.
 * The loader costs half a second of CPU time, also in every process that a test starts, which would then differ from
 * the ones that people run; so `env` restores the variable. A file stops itself after tap's default of half a minute
 * unless TAP_TIMEOUT (seconds) says otherwise.
 */
async function runProcess(files: readonly string[]): Promise<void> {
  const name = nameOfProcess(files);
  const timeout = timeoutMs * files.length;
  const variables = [`NODE_OPTIONS=${process.env.NODE_OPTIONS ?? ''}`, `TAP_TIMEOUT=${timeout / 1000}`];
  const shared: SharedProcess = { files, timeoutMs };
  if (files.length > 1) variables.push(`TEST_FILES=${JSON.stringify(shared)}`);
  const program = files.length > 1 ? join('dist', 'test', 'support', 'shared-process.js') : (files[0] as string);
  const command = [...variables, process.execPath, ...(sourceMaps ? ['--enable-source-maps'] : []), program];
  const running = t.spawn('env', command, { buffered: jobs > 1, timeout, stdio: 'inherit', at: null, stack: '' }, name);
  let failed = 0;
  if (files.length > 1)
    running.subtest?.parser.on('assert', ({ ok, time, name: file }) => {
      failed += ok ? 0 : 1;
      say(ok, time ?? undefined, file);
    });
  const results = await running;
  const passed = results?.ok === true;
  // A process that failed although each of its files passed was killed, or did not end.
  if (files.length === 1 || (!passed && failed === 0)) say(passed, results?.time ?? undefined, name);
}
