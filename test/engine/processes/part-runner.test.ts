import t from 'tap';
import { type Part, PartRunner } from '../../../engine/processes/part-runner.js';
import { InvariantError } from '../../../shared/base/invariant.js';
import { createLogger } from '../../../shared/base/log.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function setUp(starts: (() => Promise<void>)[]) {
  const calls: string[] = [];
  const timers: { milliseconds: number; run: () => void; cancelled: boolean }[] = [];
  let made = 0;
  const runner = new PartRunner({
    name: 'sync',
    create(): Part {
      const start = starts[made++];
      if (start === undefined) throw new Error('no part for this attempt');
      return {
        start,
        stop: async () => void calls.push('stop'),
        health: () => ({ part: 'sync', ok: true, reason: '' }),
      };
    },
    log: createLogger('test', 'silent'),
    random: () => 0.5,
    schedule(milliseconds, run) {
      const timer = { milliseconds, run, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
  });
  return { runner, calls, timers, made: () => made };
}

const good = async () => {};
const bad = async () => {
  throw new Error('PostgreSQL is away');
};

t.test('a part that has started reports its own health', async (t) => {
  const { runner, calls } = setUp([good]);
  t.match(runner.health(), { ok: false, reason: 'the part is idle' });
  runner.start();
  runner.start();
  t.match(runner.health(), { ok: false, reason: 'the part is starting' });
  await settle();
  t.same(runner.health(), { part: 'sync', ok: true, reason: '' });
  await runner.stop();
  t.same(calls, ['stop']);
  t.match(runner.health(), { ok: false, reason: 'the part is stopped' });
});

t.test('the newest part can be reached from its creation on, also after its start has failed and after it was stopped', async (t) => {
  const { runner, timers } = setUp([bad, good]);
  t.equal(runner.part, null);
  runner.start();
  const first = runner.part;
  t.not(first, null);
  await settle();
  t.equal(runner.part, first);
  timers.at(-1)?.run();
  const second = runner.part;
  t.not(second, first);
  await settle();
  t.equal(runner.part, second);
  await runner.stop();
  t.equal(runner.part, second);
});

t.test('a part whose start fails is created again, after waits that double', async (t) => {
  const { runner, timers, made } = setUp([bad, bad, bad, good]);
  runner.start();
  for (let attempt = 0; attempt < 3; attempt++) {
    await settle();
    t.match(runner.health(), { ok: false, reason: 'it could not be started: Error: PostgreSQL is away' });
    timers.at(-1)?.run();
  }
  await settle();
  t.equal(runner.health().ok, true);
  t.equal(made(), 4);
  t.same(
    timers.map(({ milliseconds }) => milliseconds),
    [100, 200, 400],
  );
});

t.test('a part that cannot even be created does not end the process', async (t) => {
  const { runner, timers } = setUp([]);
  runner.start();
  await settle();
  t.match(runner.health(), { ok: false, reason: /no part for this attempt/ });
  t.equal(timers.length, 1);
  await runner.stop();
  t.equal(timers[0]?.cancelled, true);
});

t.test('a stop during the start of a part waits for the start and then stops the part', async (t) => {
  let release: () => void = () => {};
  const { runner, calls } = setUp([() => new Promise<void>((resolve) => (release = resolve))]);
  runner.start();
  await settle();
  const stopped = runner.stop();
  await settle();
  t.same(calls, []);
  release();
  await stopped;
  t.same(calls, ['stop']);
  t.match(runner.health(), { ok: false, reason: 'the part is stopped' });
});

t.test('a part whose start fails during a stop is not stopped', async (t) => {
  let fail: (error: Error) => void = () => {};
  const { runner, calls, timers } = setUp([() => new Promise<void>((_, reject) => (fail = reject))]);
  runner.start();
  await settle();
  const stopped = runner.stop();
  fail(new Error('PostgreSQL is away'));
  await stopped;
  t.same(calls, []);
  t.equal(timers.length, 0, 'the part is not started again');
});

t.test('a timer that still fires after the stop cannot start the part', async (t) => {
  const { runner, timers } = setUp([bad, good]);
  runner.start();
  await settle();
  await runner.stop();
  t.throws(() => timers[0]?.run(), new InvariantError("the part 'sync' cannot go from 'stopped' to 'starting'"));
});
