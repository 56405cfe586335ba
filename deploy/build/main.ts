import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Builds everything that is made of the compiled modules. The dashboard is built beside the docs, because each of them uses one core for
 * most of its time. A step that fails has said why.
 */

/** First, because the other steps load the packages that it writes. */
const PACKAGES = ['deploy/packages/main.js'];
const DASHBOARD = ['control-plane/dashboard/build.js'];
/** The docs contain pages that the first of these steps writes. */
const DOCS = ['deploy/reference/main.js', 'control-plane/docs/build.js'];

const DIST = new URL('../../', import.meta.url);

/** Runs one step after the other. Returns whether all of them succeeded. */
async function run(steps: readonly string[]): Promise<boolean> {
  for (const step of steps) {
    const child = spawn(process.execPath, [fileURLToPath(new URL(step, DIST))], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) return false;
  }
  return true;
}

const isBuilt = (await run(PACKAGES)) && !(await Promise.all([DASHBOARD, DOCS].map(run))).includes(false);
process.exitCode = isBuilt ? 0 : 1;
