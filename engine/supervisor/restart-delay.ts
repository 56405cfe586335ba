import { backoffMs } from '../../shared/base/backoff.js';

/** A child that served at least this long had a good start: it is restarted immediately, and the next bad start counts as the first. */
export const GOOD_START_MS = 2_000;
/** A process that served is restarted immediately. One that never serves waits up to this long, to spare the machine. */
export const RESTART_WAIT_CAP_MS = 5_000;
const RESTART_WAIT_BASE_MS = 200;

/** A process that crashes in native code within this time of serving may have been killed by what it read, not by what it did. */
export const NATIVE_CRASH_WINDOW_MS = 60_000;
export const NATIVE_CRASHES_MAX = 5;

/**
 * Signals by which a process dies by itself when native code reads damaged memory. SIGKILL comes from the operator, the supervisor
 * or the kernel's out-of-memory killer.
 */
const NATIVE_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

export function isNativeCrash(signal: NodeJS.Signals | null): boolean {
  return signal !== null && NATIVE_SIGNALS.has(signal);
}

/** Counts the crashes of one slot, and decides what they call for. */
export class RestartDelays {
  readonly #random: () => number;
  #badStarts = 0;
  #nativeCrashes = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Notes that a process ended unasked. Returns how long to wait before the next one is started, in milliseconds. */
  note(servedMs: number, signal: NodeJS.Signals | null): number {
    this.#nativeCrashes = isNativeCrash(signal) && servedMs < NATIVE_CRASH_WINDOW_MS ? this.#nativeCrashes + 1 : 0;
    if (servedMs >= GOOD_START_MS) {
      this.#badStarts = 0;
      return 0;
    }
    this.#badStarts++;
    // The first restart is immediate: most crashes are single ones, and no visitor should have to wait for them.
    return this.#badStarts === 1 ? 0 : backoffMs(this.#badStarts - 2, RESTART_WAIT_BASE_MS, RESTART_WAIT_CAP_MS, this.#random);
  }

  /** Whether there were so many native crashes in a row that the store on disk is the likeliest cause. Returning true resets the count. */
  takeStoreSuspicion(): boolean {
    if (this.#nativeCrashes < NATIVE_CRASHES_MAX) return false;
    this.#nativeCrashes = 0;
    return true;
  }
}
