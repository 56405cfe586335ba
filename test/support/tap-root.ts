import { createWriteStream } from 'node:fs';
import t from 'tap';

/**
 * The root of one part of a run: `tap-root <what tests to run, as JSON>` runs each file as a process of its own, says how
 * each ended, and writes everything they reported into the results file. Exits with 1 where one failed.
 */
export interface TapRoot {
  readonly files: readonly string[];
  readonly jobs: number;
  /** Whether stacks name lines of the sources. Reading the maps costs a process up to a quarter of a second. */
  readonly sourceMaps: boolean;
  readonly timeoutMs: number;
  readonly resultsFile: string;
}

const { files, jobs, sourceMaps, timeoutMs, resultsFile } = JSON.parse(process.argv[2] as string) as TapRoot;

t.setTimeout(0);
t.jobs = jobs;
t.register();
t.pipe(createWriteStream(resultsFile));
for (const file of files) void runFile(file);

/**
 * tap starts every process with a loader in NODE_OPTIONS that records which modules it loads, for `tap run --changed`. It
 * costs half a second of CPU time, in whatever processes the test starts too, which would not be the ones people run: `env`
 * puts the variable back. A file gives itself up after tap's default of half a minute unless TAP_TIMEOUT (seconds) says
 * otherwise.
 */
async function runFile(file: string): Promise<void> {
  const variables = [`NODE_OPTIONS=${process.env.NODE_OPTIONS ?? ''}`, `TAP_TIMEOUT=${timeoutMs / 1000}`];
  const command = [...variables, process.execPath, ...(sourceMaps ? ['--enable-source-maps'] : []), file];
  const options = { buffered: jobs > 1, timeout: timeoutMs, stdio: 'inherit' as const, at: null, stack: '' };
  const results = await t.spawn('env', command, options, file);
  const seconds = ((results?.time ?? 0) / 1000).toFixed(1);
  console.log(`${results?.ok === true ? '      ' : 'FAILED'} ${seconds.padStart(5)} s  ${file}`);
}
