import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signalGroup } from '../../deploy/local/process-command.js';
import { countResults, selectTests, tapArguments } from './test-run.js';
import { startTestServer } from './test-server.js';

/**
 * What `npm test` runs: a PostgreSQL of its own in a temporary folder (or the one TEST_DATABASE_SERVER names), tap over
 * the compiled tests, and a last line `N passed, N failed`. The exit code is tap's. Nothing is left behind.
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Tests that run whole processes stop them on SIGTERM, which may take as long as a drain. */
const STOP_GRACE_MS = 20_000;

/** tap leads a process group, so that whatever its tests have started can be ended with it. */
function runTap(parameters: readonly string[], databaseUrl: string): ChildProcess {
  const tap = join(ROOT, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs');
  return spawn(process.execPath, [tap, ...parameters], {
    cwd: ROOT,
    detached: true,
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_SERVER: databaseUrl },
  });
}

/** Answers the exit code: tap's, or 128 and the signal's number where the run was interrupted. */
function waitForTap(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let interrupted: NodeJS.Signals | null = null;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        interrupted ??= signal;
        if (child.pid === undefined) return;
        signalGroup(child.pid, 'SIGTERM');
        setTimeout(signalGroup, STOP_GRACE_MS, child.pid, 'SIGKILL').unref();
      });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL'); // a process that a test forgot
      resolve(interrupted === null ? (code ?? 1) : 128 + constants.signals[interrupted]);
    });
  });
}

async function main(parameters: readonly string[]): Promise<number> {
  const tests = selectTests(ROOT, parameters);
  const folder = mkdtempSync(join(tmpdir(), 'test-run-'));
  const results = join(folder, 'results.tap');
  try {
    const server = await startTestServer();
    try {
      return await waitForTap(runTap(tapArguments(tests, results, process.stdout.isTTY === true), server.url));
    } finally {
      await server.stop();
    }
  } finally {
    const counts = countResults(existsSync(results) ? readFileSync(results, 'utf8') : '');
    rmSync(folder, { recursive: true, force: true });
    console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  }
}

process.exitCode = await main(process.argv.slice(2));
