import type { Scheduler } from '../../shared/base/scheduler.js';
import { type ManualClock, manualClock } from './manual-clock.js';

/** A clock whose timers run when it is moved past them, in the order of their times. */
export interface ManualTimers extends Pick<ManualClock, 'now' | 'advance'> {
  readonly schedule: Scheduler;
  /** Returns the number of timers that are set. */
  count(): number;
}

export function manualTimers(): ManualTimers {
  const clock = manualClock(0);
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: clock.now,
    count: () => timers.size,
    schedule(milliseconds, run) {
      const timer = { at: clock.now() + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(milliseconds) {
      const end = clock.now() + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        clock.set(next.at);
        next.run();
      }
      clock.set(end);
    },
  };
}
