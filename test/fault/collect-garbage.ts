import { appendFileSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { loadCHeap } from '../../shared/base/c-heap.js';

/**
 * Loaded into a process ahead of its own code (`--import`), collects all of its garbage twelve times a minute, moves what is
 * left together, gives the pages that are then free back to the system, and writes down what the process holds: whereas V8
 * by itself lets garbage lie for as long as there is memory, and both it and malloc keep pages of which little is in use.
 *
 * The process measures itself because only it knows the moment: who looks in from outside sees it before the trim, or after
 * some more work, as often as not.
 */
const INTERVAL_MS = 5_000;
/** V8 frees the bytes of dead buffers on a thread of its own, just after the collection. */
const BUFFERS_FREED_MS = 50;

/** The environment variable with the folder that each process writes its measurements to. */
export const MEMORY_FOLDER = 'MEMORY_FOLDER';

/** Pages of this process that no file backs, in kilobytes. */
function anonymousKilobytes(): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error('the kernel says nothing of this process');
  return Number(kilobytes);
}

const folder = process.env[MEMORY_FOLDER];
if (folder !== undefined) {
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--compact-on-every-full-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = loadCHeap();
  const measure = (): void => {
    heap?.trim();
    // A worker thread collects its own garbage; the memory is the process's.
    if (isMainThread) appendFileSync(`${folder}/${process.pid}`, `${Date.now()} ${anonymousKilobytes()}\n`);
  };
  setInterval(() => {
    collect();
    setTimeout(measure, BUFFERS_FREED_MS).unref();
  }, INTERVAL_MS).unref();
}
