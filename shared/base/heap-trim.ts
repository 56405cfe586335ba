import { createRequire } from 'node:module';
import type * as Koffi from 'koffi';

/** A trim takes `background` 4 ms, the control plane 2 and a redirect process 0.3; what is needed again comes back page by page. */
const TRIM_MS = 10_000;

/**
 * `malloc_trim(3)`, which gives every whole page that malloc has free back to the system. Null where the C library has no
 * such function (only glibc has), or koffi is not to be had.
 */
export function loadHeapTrim(): (() => void) | null {
  try {
    const trim = (createRequire(import.meta.url)('koffi') as typeof Koffi).load(null).func('int malloc_trim(size_t pad)');
    return () => void trim(0);
  } catch {
    // koffi gives its faults no codes: without it the process keeps what it once needed.
    return null;
  }
}

/**
 * Trims the heap of the C library every ten seconds, for processes that live for months. By itself glibc gives back what is
 * free at the end of its heap alone, and the bytes of buffers, messages and transactions become free anywhere in it: what
 * lies between two chunks in use stays with the process.
 */
export function trimHeapRegularly(): void {
  const trim = loadHeapTrim();
  if (trim !== null) setInterval(trim, TRIM_MS).unref();
}
