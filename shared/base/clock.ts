/** Milliseconds since the Unix epoch. Every part takes its clock as a parameter, so that a test can hold it still. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** A clock a test moves by hand. */
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
