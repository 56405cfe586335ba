import type { Clock } from '../../shared/base/clock.js';

/**
 * The time for which this process itself was awake, in milliseconds. A supervisor that was paused (a stopped container, a
 * suspended or overloaded machine) must not take its own absence for its children's silence and kill them all. So a gap between
 * two ticks counts for at most `gapMaxMs`.
 */
export interface PauseTolerantClock {
  readonly now: Clock;
  /** Must be called much more often than every `gapMaxMs`. */
  tick(): void;
}

export function pauseTolerantClock(source: Clock, gapMaxMs: number): PauseTolerantClock {
  let counted = 0;
  let seenAt = source();
  const now = () => counted + Math.min(Math.max(0, source() - seenAt), gapMaxMs);
  return {
    now,
    tick() {
      counted = now();
      seenAt = source();
    },
  };
}
