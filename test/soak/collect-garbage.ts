import { appendFileSync, readFileSync } from 'node:fs';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { loadCHeap } from '../../shared/base/c-heap.js';
import { bindCLibrary } from '../../shared/base/c-library.js';

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

/** The environment variable with the folder that each process writes its measurements to, a line of JSON each. */
export const MEMORY_FOLDER = 'MEMORY_FOLDER';

/** What a process holds, in bytes: `anonymous` is judged, the others say where it grows. */
export interface MemoryHeld {
  /** Pages that no file backs. */
  readonly anonymous: number;
  /** Pages of JavaScript's heap (of the main thread alone). */
  readonly javascript: number;
  /** Pieces of the C library's heap that are in use: the bytes of buffers among them. 0 without glibc 2.33. */
  readonly malloc_in_use: number;
  /** What the C library's heap got from the system beyond those, resident or not. */
  readonly malloc_free: number;
  /** Pieces that are too large for that heap. */
  readonly malloc_mapped: number;
}

export interface MemoryMeasurement extends MemoryHeld {
  /** Milliseconds since 1970. */
  readonly at: number;
}

function anonymousBytes(): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error('the kernel says nothing of this process');
  return Number(kilobytes) * 1024;
}

/** What `mallinfo2` of glibc gives: all of type `size_t`. */
const MALLINFO = ['arena', 'ordblks', 'smblks', 'hblks', 'hblkhd', 'usmblks', 'fsmblks', 'uordblks', 'fordblks', 'keepcost'] as const;
type Mallinfo = Readonly<Record<(typeof MALLINFO)[number], number>>;

function loadMallinfo(): (() => Mallinfo) | null {
  const bound = bindCLibrary((library, koffi) => {
    const struct = koffi.struct(Object.fromEntries(MALLINFO.map((name) => [name, 'size_t'])));
    return library.func('mallinfo2', struct, []) as () => Mallinfo;
  });
  return bound.available ? bound.functions : null;
}

const folder = process.env[MEMORY_FOLDER];
if (folder !== undefined) {
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--compact-on-every-full-gc');
  // V8 drops the code of a function that did not run between some collections. With so many of them it would drop and compile
  // again what runs once a minute, for as long as the process lives.
  setFlagsFromString('--no-flush-bytecode');
  const collect = runInNewContext('gc') as () => void;
  const heap = loadCHeap();
  const mallinfo = loadMallinfo();
  const measure = (): void => {
    heap?.trim();
    // A worker thread collects its own garbage; the memory is the process's.
    if (!isMainThread) return;
    const malloc = mallinfo?.();
    const measurement: MemoryMeasurement = {
      at: Date.now(),
      anonymous: anonymousBytes(),
      javascript: getHeapSpaceStatistics().reduce((sum, space) => sum + space.physical_space_size, 0),
      malloc_in_use: malloc?.uordblks ?? 0,
      malloc_free: malloc?.fordblks ?? 0,
      malloc_mapped: malloc?.hblkhd ?? 0,
    };
    appendFileSync(`${folder}/${process.pid}`, `${JSON.stringify(measurement)}\n`);
  };
  setInterval(() => {
    collect();
    setTimeout(measure, BUFFERS_FREED_MS).unref();
  }, INTERVAL_MS).unref();
}
