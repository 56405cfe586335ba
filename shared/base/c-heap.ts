import { bindCLibrary } from './c-library.js';

/**
 * A trim takes `background` 4 ms, the control plane 2 and a redirect process 0.3; what is needed again comes back page by page.
 */
const TRIM_MS = 10_000;

/** Parameters of mallopt(3), as <malloc.h> of glibc numbers them. */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;
/** glibc begins with 128 KB. With that bound, each buffer of a few hundred kilobytes is requested from the system and returned to it. */
const THRESHOLD_BYTES = 1024 * 1024;

export interface CHeap {
  /**
   * Returns free memory at the end of a thread's heap from 1 MB on, and keeps larger pieces out of the heaps. By
   * default, glibc raises both bounds with the largest piece that was ever freed, to 64 and 32 MB: from then on the
   * heap of each thread keeps the most that it ever needed, and grows whenever it needs a little more.
   */
  fixThresholds(): void;
  /** `malloc_trim(3)`: returns every whole page that is free, except at the ends of the heaps of threads. */
  trim(): void;
}

/** Returns the heap of the C library. Null if the library has no such functions (only glibc has), or koffi is not available. */
export function loadCHeap(): CHeap | null {
  const bound = bindCLibrary((library): CHeap => {
    const mallopt = library.func('int mallopt(int parameter, int value)');
    const trim = library.func('int malloc_trim(size_t pad)');
    return {
      fixThresholds() {
        mallopt(M_MMAP_THRESHOLD, THRESHOLD_BYTES);
        mallopt(M_TRIM_THRESHOLD, THRESHOLD_BYTES);
      },
      trim: () => void trim(0),
    };
  });
  return bound.available ? bound.functions : null;
}

/**
 * Keeps the heap of the C library as small as what is in use of it, for processes that live for months. The bytes of
 * buffers, messages and transactions become free anywhere in it, and by default glibc keeps them.
 */
export function keepHeapTrimmed(): void {
  const heap = loadCHeap();
  if (heap === null) return;
  heap.fixThresholds();
  setInterval(heap.trim, TRIM_MS).unref();
}
