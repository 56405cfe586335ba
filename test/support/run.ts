import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signalGroup } from '../../deploy/local/process-command.js';
import { bundlePrograms } from '../../deploy/packages/programs.js';
import { bundleTap } from './bundle-tap.js';
import { unmountBelow } from './small-disk.js';
import type { TapRoot } from './tap-root.js';
import {
  countResults,
  failureReports,
  filesByTime,
  filesNotEnded,
  filesToRetry,
  oneByOne,
  partsOf,
  selectTests,
  skippedFiles,
  type TestPart,
  withoutProcesses,
} from './test-run.js';
import { startTestServer } from './test-server.js';

/**
 * The program of `npm test`: starts a PostgreSQL of its own in a temporary folder (or uses the one that
 * TEST_DATABASE_SERVER names), runs tap over the compiled tests, and prints a last line `N passed, N failed`. The exit
 * code is tap's. Nothing is left behind.
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Tests that run whole processes stop them on SIGTERM, which may take as long as a drain. */
const STOP_GRACE_MS = 20_000;

/** tap leads a process group, so that everything its tests have started can be ended with it. */
function startTap(part: TapRoot, folder: string, databaseUrl: string): ChildProcess {
  return spawn(process.execPath, [join(ROOT, 'dist', 'test', 'support', 'tap-root.js'), JSON.stringify(part)], {
    cwd: ROOT,
    detached: true,
    stdio: 'inherit',
    // If tests are killed before they remove their temporary folders, these are removed with the run's own.
    env: { ...process.env, TEST_DATABASE_SERVER: databaseUrl, TMPDIR: folder },
  });
}

/** Ends what a test has left running, above all a test that was killed because it took too long: asks it to stop, then kills it. */
async function endGroup(leader: number): Promise<void> {
  const deadline = performance.now() + STOP_GRACE_MS;
  if (!signalGroup(leader, 'SIGTERM')) return;
  while (performance.now() < deadline) {
    if (!signalGroup(leader, 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  signalGroup(leader, 'SIGKILL');
}

interface Interruption {
  /** The first signal that asked this run to end. */
  signal: NodeJS.Signals | null;
  /** The tap that is running, which has to be signalled. */
  tap: ChildProcess | null;
}

function listenForInterruption(): Interruption {
  const interruption: Interruption = { signal: null, tap: null };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      interruption.signal ??= signal;
      const leader = interruption.tap?.pid;
      if (leader === undefined) return;
      // tap itself waits for its tests, whatever signal it gets. So the tests get the signal too, and tap gets the rest of the time.
      signalGroup(leader, 'SIGTERM');
      setTimeout(signalGroup, STOP_GRACE_MS, leader, 'SIGKILL').unref();
    });
  return interruption;
}

/** Returns tap's exit code. */
async function runTap(part: TapRoot, folder: string, databaseUrl: string, interruption: Interruption): Promise<number> {
  if (interruption.signal !== null) return 1;
  const tap = startTap(part, folder, databaseUrl);
  interruption.tap = tap;
  const code = await new Promise<number>((resolve, reject) => {
    tap.once('error', reject);
    tap.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  await endGroup(tap.pid as number);
  return code;
}

interface Results {
  readonly code: number;
  /** What tap wrote for each part; empty for a part that was not begun. */
  readonly outputs: readonly string[];
  readonly notEnded: readonly string[];
}

/** Runs one part after the other. `name` distinguishes their files of results from those of other calls. */
async function runParts(
  parts: readonly TestPart[],
  name: string,
  folder: string,
  url: string,
  interruption: Interruption,
): Promise<Results> {
  const outputs: string[] = [];
  let code = 0;
  for (const [index, part] of parts.entries()) {
    const resultsFile = join(folder, `results-${name}-${index}.tap`);
    code = (await runTap({ ...part, resultsFile }, folder, url, interruption)) || code;
    outputs.push(existsSync(resultsFile) ? withoutProcesses(readFileSync(resultsFile, 'utf8')) : '');
  }
  return { code, outputs, notEnded: filesNotEnded(parts, outputs) };
}

const SLOWEST_SHOWN = 15;

/** Prints where the time goes: each part as a whole, and the files in it that took longest. */
function printTimes(outputs: readonly string[]): void {
  for (const output of outputs) {
    const all = filesByTime(output);
    const total = all.reduce((sum, { seconds }) => sum + seconds, 0);
    const shown = all.slice(0, SLOWEST_SHOWN);
    const share = shown.reduce((sum, { seconds }) => sum + seconds, 0) / total;
    if (all.length <= SLOWEST_SHOWN) continue;
    console.log(`\n${all.length} files took ${total.toFixed(0)} s, these ${SLOWEST_SHOWN} of them ${(100 * share).toFixed(0)} %:`);
    for (const { file, seconds } of shown) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
  }
}

/** Returns the exit code. */
function report(results: Results, retried: Results | null): number {
  const { outputs, notEnded } = results;
  const counts = outputs.map(countResults);
  const passed = counts.reduce((total, count) => total + count.passed, 0);
  const deciding = retried ?? results;
  const failed = deciding.outputs.map(countResults).reduce((total, count) => total + count.failed, 0);
  for (const failure of [...outputs, ...(retried?.outputs ?? [])].flatMap(failureReports)) console.log(`\n${failure}`);
  for (const file of notEnded) console.log(`NOT ENDED ${file}`);
  for (const skipped of outputs.flatMap(skippedFiles)) console.log(`SKIPPED ${skipped}`);
  for (const { file, passed } of (retried?.outputs ?? []).flatMap(filesByTime))
    if (passed) console.log(`FLAKY ${file}: it passed by itself`);
  printTimes(outputs);
  console.log(`\n${passed} passed, ${failed} failed`);
  return deciding.code;
}

async function main(parameters: readonly string[]): Promise<number> {
  const interruption = listenForInterruption();
  const selection = selectTests(ROOT, parameters);
  // Programs are built from the present modules.
  await Promise.all([bundleTap(ROOT), bundlePrograms(ROOT)]);
  const folder = mkdtempSync(join(tmpdir(), 'test-run-'));
  chmodSync(folder, 0o711); // other users must be able to pass through: a test's PostgreSQL, when the tests run as root
  try {
    const server = await startTestServer();
    try {
      const results = await runParts(partsOf(selection), 'all', folder, server.url, interruption);
      const again = selection.retry && interruption.signal === null ? filesToRetry(results.outputs) : [];
      const alone = oneByOne({ ...selection, files: again, sourceMaps: true });
      const retried = again.length === 0 ? null : await runParts([alone], 'again', folder, server.url, interruption);
      const code = report(results, retried);
      return interruption.signal === null ? code : 128 + constants.signals[interruption.signal];
    } finally {
      await server.stop();
    }
  } finally {
    // A mount of a test that was ended by force would be in the way.
    unmountBelow(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
