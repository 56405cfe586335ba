import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as tap from 'tap';

/**
 * Runs the test files of `TEST_FILES` (a `SharedProcess` as JSON) one after the other in this process, each as a test
 * of its own. Loading the modules of the service and compiling its schemas takes a process longer than most files take
 * to run. The files are not passed as parameters, because tap makes names of folders from those.
 */
export interface SharedProcess {
  readonly files: readonly string[];
  /** The timeout of each file. */
  readonly timeoutMs: number;
}

/** If a file has left something open, the process does not end, which is a failure. */
const END_WITHIN_MS = 30_000;

const { default: t, standFor } = tap as typeof tap & { standFor(test: tap.Test): void };
const { files, timeoutMs } = JSON.parse(process.env.TEST_FILES as string) as SharedProcess;
delete process.env.TEST_FILES;

// Methods of the root, whatever `t` stands for in the meantime.
const { test: run } = t;
for (const file of files)
  await run(file, { timeout: timeoutMs }, async (test) => {
    standFor(test);
    await import(pathToFileURL(resolve(file)).href);
  });

setTimeout(() => {
  console.error(`${files.join(', ')}: something is left open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, END_WITHIN_MS).unref();
