import { closeSync, openSync } from 'node:fs';
import { bindCLibrary } from '../../shared/base/c-library.js';

interface Descriptors {
  dup(fd: number): number;
  dup2(from: number, to: number): number;
  /** Writes out what the C library has buffered of every stream. */
  flush(): void;
}

const STDOUT = 1;

/** Null where they are not to be had: a few lines more then stand between those of the log. */
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
 * Runs something native that writes to standard output, which is where the log goes, one JSON object a line:
 * uWebSockets.js prints what it is at for every name of a TLS host, and has no setting for it. `run` must not write there
 * itself. No line of the log is lost by it: a redirect process has one thread, and its log is written at once, not later.
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
