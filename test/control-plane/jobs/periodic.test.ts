import { pino } from 'pino';
import t from 'tap';
import { createPeriodicJob } from '../../../control-plane/jobs/periodic.js';
import { InvariantError, invariant } from '../../../shared/base/invariant.js';
import { manualClock } from '../../support/manual-clock.js';
import { until } from '../../support/until.js';

const log = pino({ level: 'silent' });
const options = { part: 'p', intervalMs: 5, retryMs: 5, overdueMs: 1000, overdueReason: 'nothing is done', log };

t.test('rounds repeat after successes and failures until the job is stopped', async (t) => {
  let rounds = 0;
  const job = createPeriodicJob({
    ...options,
    clock: Date.now,
    async round() {
      rounds++;
      if (rounds % 2 === 0) throw new Error('away');
    },
  });
  job.start();
  await until(() => rounds >= 6, 'six rounds');
  await job.stop();
  const { rounds: succeeded, failures } = job.stats();
  t.equal(succeeded + failures, rounds);
  t.ok(failures >= 2);
  const before = rounds;
  await new Promise((resolve) => setTimeout(resolve, 30));
  t.equal(rounds, before, 'no round follows the stop');
});

t.test('a fault of the program ends the job without another try', async (t) => {
  let rounds = 0;
  const job = createPeriodicJob({
    ...options,
    clock: Date.now,
    async round() {
      rounds++;
      invariant(false, 'something that cannot be');
    },
  });
  job.start();
  await t.rejects(job.stop(), InvariantError);
  t.equal(rounds, 1);
});

t.test('a stop waits for the current step and does not wait for the interval', async (t) => {
  let steps = 0;
  const job = createPeriodicJob({
    ...options,
    intervalMs: 3_600_000,
    clock: Date.now,
    async round({ isStopping }) {
      while (!isStopping()) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        steps++;
      }
    },
  });
  job.start();
  await until(() => steps >= 2, 'two steps');
  await job.stop();
  const before = steps;
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.equal(steps, before);
  const waiting = createPeriodicJob({ ...options, intervalMs: 3_600_000, clock: Date.now, round: async () => {} });
  waiting.start();
  await until(() => waiting.stats().rounds === 1, 'a round');
  await waiting.stop();
});

t.test('health fails when nothing succeeded for too long, and progress within a round counts as success', async (t) => {
  const clock = manualClock(0);
  let mode: 'fail' | 'step' = 'fail';
  const job = createPeriodicJob({
    ...options,
    clock: clock.now,
    async round({ progressed }) {
      if (mode === 'step') progressed();
      throw new Error('away');
    },
  });
  job.start();
  clock.advance(1001);
  t.same(job.health(), { part: 'p', ok: false, reason: 'no success since 1970-01-01T00:00:00.000Z; nothing is done' });
  mode = 'step';
  await until(() => job.health().ok, 'health to be ok');
  await job.stop();
});
