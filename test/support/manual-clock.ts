import type { Clock } from '../../shared/base/clock.js';

/** A clock that a test moves by hand. */
export interface ManualClock {
  readonly now: Clock;
  advance(milliseconds: number): void;
  set(milliseconds: number): void;
}

export function manualClock(startMs: number): ManualClock {
  let current = startMs;
  return {
    now: () => current,
    advance(milliseconds) {
      current += milliseconds;
    },
    set(milliseconds) {
      current = milliseconds;
    },
  };
}
