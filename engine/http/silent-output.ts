import { closeSync, openSync } from 'node:fs';
import { bindCLibrary } from '../../shared/base/c-library.js';

interface Descriptors {
  dup(fd: number): number;
  dup2(from: number, to: number): number;
  /** Flushes the buffers of all streams of the C library. */
  flush(): void;
}

const STDOUT = 1;

/** Returns null if these functions are unavailable. A few extra lines then appear between those of the log. */
function loadDescriptors(): Descriptors | null {
  const bound = bindCLibrary((library): Descriptors => {
    const dup = library.func('int dup(int fd)');
    const dup2 = library.func('int dup2(int from, int to)');
    const fflush = library.func('int fflush(void *stream)');
    return { dup: (fd) => dup(fd) as number, dup2: (from, to) => dup2(from, to) as number, flush: () => void fflush(null) };
  });
  return bound.available ? bound.functions : null;
}

/**
 * Runs native code without its writes to standard output. The log goes there, one JSON object per line, but uWebSockets.js prints
 * what it does for every name of a TLS host, and has no setting against it. `run` must not write there itself. No log line is
 * lost, because a redirect process has one thread and writes its log immediately.
 */
export function withoutOutput(run: () => void): void {
  const descriptors = loadDescriptors();
  if (descriptors === null) {
    run();
    return;
  }
  descriptors.flush();
  const kept = descriptors.dup(STDOUT);
  if (kept < 0) {
    run();
    return;
  }
  const nowhere = openSync('/dev/null', 'w');
  descriptors.dup2(nowhere, STDOUT);
  try {
    run();
  } finally {
    descriptors.flush();
    descriptors.dup2(kept, STDOUT);
    closeSync(kept);
    closeSync(nowhere);
  }
}
