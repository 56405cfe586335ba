import { appendFileSync, readFileSync } from 'node:fs';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { loadCHeap } from '../../shared/base/c-heap.js';
import { bindCLibrary } from '../../shared/base/c-library.js';

/**
 * Is loaded into a process before its own code (`--import`). Twelve times a minute, it collects all garbage, compacts what is
 * left, returns the free pages to the system, and records the memory that the process holds. V8 by itself keeps garbage as long
 * as there is memory, and both it and malloc keep pages of which little is in use.
 *
 * The process measures itself because only it knows the right moment. A measurement from outside would often be taken before the
 * trim, or after some more work.
 */
const INTERVAL_MS = 5_000;
/** V8 frees the bytes of dead buffers on a separate thread, shortly after the collection. */
const BUFFERS_FREED_MS = 50;

/** The environment variable that names the folder into which each process writes its measurements, one line of JSON each. */
export const MEMORY_FOLDER = 'MEMORY_FOLDER';

/** The memory that a process holds, in bytes. The test checks `anonymous`; the others show where it grows. */
export interface MemoryHeld {
  /** Pages that are not backed by a file. */
  readonly anonymous: number;
  /** Pages of the JavaScript heap, of the main thread alone. */
  readonly javascript: number;
  /** Pieces of the C library's heap that are in use, including the bytes of buffers. 0 without glibc 2.33. */
  readonly malloc_in_use: number;
  /** Other memory that the C library's heap has got from the system, resident or not. */
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

/** The members of what glibc's `mallinfo2` returns, all of type `size_t`. */
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
  // V8 drops the code of a function that did not run between several collections. With this many collections, it would drop and
  // recompile functions that run once a minute, for as long as the process lives.
  setFlagsFromString('--no-flush-bytecode');
  const collect = runInNewContext('gc') as () => void;
  const heap = loadCHeap();
  const mallinfo = loadMallinfo();
  const measure = (): void => {
    heap?.trim();
    // A worker thread collects its own garbage, but the memory belongs to the process, which the main thread measures.
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
