import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import type { TimedVisitorsOptions } from '../fixtures/timed-visitors.js';

export interface TimedVisitors {
  /** Returns how long each visit takes that is answered within this many milliseconds from now, in milliseconds. */
  timesOf(forMs: number): Promise<readonly number[]>;
}

/** Visitors in a process of their own, who come until the test ends. */
export function startTimedVisitors(t: Test, options: TimedVisitorsOptions): TimedVisitors {
  const child = fork(fileURLToPath(new URL('../fixtures/timed-visitors.js', import.meta.url)), [JSON.stringify(options)]);
  t.teardown(() => void child.kill('SIGKILL'));
  const timesSinceLast = async (): Promise<readonly number[]> => {
    child.send('times');
    const [times] = (await once(child, 'message')) as [readonly number[]];
    return times;
  };
  return {
    async timesOf(forMs) {
      await timesSinceLast();
      await new Promise((resolve) => setTimeout(resolve, forMs));
      return timesSinceLast();
    },
  };
}

export function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(0.99 * times.length)] ?? Number.NaN;
}
