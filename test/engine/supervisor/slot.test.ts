import t from 'tap';
import { NATIVE_CRASHES_MAX, RESTART_WAIT_CAP_MS } from '../../../engine/supervisor/restart-delay.js';
import { REPLACE_DEADLINE_MS, type ReplaceOrder, Slot } from '../../../engine/supervisor/slot.js';
import { DRAIN_DEADLINE_MS } from '../../../shared/base/limits.js';
import { fakeFork } from '../../fixtures/supervisor/fake-fork.js';
import { manualClock } from '../../support/manual-clock.js';

function setUp(order: ReplaceOrder = 'successor-first') {
  const clock = manualClock(5_000);
  const fake = fakeFork();
  const waits: (number | null)[] = [];
  const slot = new Slot({
    name: 'redirect-0',
    order,
    fork: fake.fork,
    clock: clock.now,
    random: () => 0.999,
    events: {
      onReady: () => {},
      onAlive: () => {},
      onHostAnswer: () => {},
      onKilled: () => {},
      onGone: (_slot, _child, _exit, waitMs) => void waits.push(waitMs),
    },
  });
  const pass = (milliseconds: number) => {
    clock.advance(milliseconds);
    slot.tick();
  };
  return { slot, fake, pass, waits };
}

/** The value of the promise if it is already settled, or 'pending'. */
async function settled<Value>(promise: Promise<Value>): Promise<Value | 'pending'> {
  return Promise.race([promise, new Promise<'pending'>((resolve) => setImmediate(() => resolve('pending')))]);
}

t.test('a process that served and died is replaced at once', async (t) => {
  const { slot, fake, pass, waits } = setUp();
  slot.start();
  fake.last().ready();
  t.equal(slot.state.mode, 'serving');
  pass(3_000);
  fake.last().ends(null, 'SIGKILL');
  t.equal(slot.state.mode, 'starting');
  t.equal(fake.processes.length, 2);
  t.same(waits, [0]);
  t.equal(slot.restarts, 1);
});

t.test('a process that dies again and again without serving is restarted after ever longer waits, up to a limit', async (t) => {
  const { slot, fake, pass, waits } = setUp();
  slot.start();
  for (let crash = 0; crash < 12; crash++) {
    fake.last().ends(1);
    pass(RESTART_WAIT_CAP_MS);
  }
  t.same(waits.slice(0, 4), [0, 199, 399, 799], 'the first restart is immediate, then the waits double');
  t.ok(Math.max(...waits.map(Number)) <= RESTART_WAIT_CAP_MS);
  t.equal(fake.processes.length, 13, 'restarting is never given up');
  fake.last().ready();
  pass(2_000);
  fake.last().ends(1);
  t.equal(waits.at(-1), 0, 'a good start resets the waits');
});

t.test('a waiting slot starts its process exactly when its wait is over', async (t) => {
  const { slot, fake, pass } = setUp();
  slot.start();
  fake.last().ends(1);
  fake.last().ends(1);
  t.equal(slot.state.mode, 'waiting');
  pass(198);
  t.equal(fake.processes.length, 2);
  pass(1);
  t.equal(fake.processes.length, 3);
  t.equal(slot.state.mode, 'starting');
});

t.test('the successor serves before the predecessor drains', async (t) => {
  const { slot, fake, pass } = setUp();
  slot.start();
  const [old] = fake.processes;
  old?.ready();
  const replaced = slot.replace();
  t.equal(slot.state.mode, 'replacing');
  t.same(old?.sent, [], 'the old process has received nothing yet');
  fake.last().ready();
  t.same(old?.sent, [{ type: 'drain', whole: false }]);
  t.equal(slot.child?.pid, fake.last().pid);
  t.equal(await settled(replaced), 'pending', 'the old process still drains');
  old?.ends(0);
  t.equal(await settled(replaced), true);
  t.equal(fake.processes.length, 2, 'a replaced process is not started again');
  pass(1);
  t.equal(slot.restarts, 0);
});

t.test('a successor that fails leaves the predecessor serving', async (t) => {
  const { slot, fake } = setUp();
  slot.start();
  fake.last().ready();
  const replaced = slot.replace();
  fake.last().ends(1);
  t.equal(await settled(replaced), false);
  t.equal(slot.state.mode, 'serving');
  t.equal(slot.child?.pid, fake.processes[0]?.pid);
  t.same(fake.processes[0]?.sent, []);
});

t.test('a successor that never gets ready is given up', async (t) => {
  const { slot, fake, pass } = setUp();
  slot.start();
  fake.last().ready();
  const replaced = slot.replace();
  const [old, next] = fake.processes;
  for (let second = 0; second < REPLACE_DEADLINE_MS / 1000; second++) {
    old?.alive();
    next?.alive();
    pass(1000);
  }
  t.same(next?.signals, ['SIGKILL']);
  next?.ends(null, 'SIGKILL');
  t.equal(await settled(replaced), false);
  t.equal(slot.state.mode, 'serving');
});

t.test('if a predecessor dies while its successor starts, the successor takes its place', async (t) => {
  const { slot, fake } = setUp();
  slot.start();
  fake.last().ready();
  const replaced = slot.replace();
  fake.processes[0]?.ends(null, 'SIGSEGV');
  t.equal(await settled(replaced), true);
  t.equal(slot.state.mode, 'starting');
  t.equal(fake.processes.length, 2, 'no third process is started');
  fake.last().ready();
  t.equal(slot.state.mode, 'serving');
});

t.test('if only one process may run, the predecessor ends before the successor starts', async (t) => {
  const { slot, fake } = setUp('predecessor-first');
  slot.start();
  fake.last().ready();
  const replaced = slot.replace();
  t.same(fake.last().sent, [{ type: 'drain', whole: false }]);
  t.equal(fake.processes.length, 1);
  fake.last().ends(0);
  t.equal(fake.processes.length, 2);
  t.equal(await settled(replaced), true);
  fake.last().ready();
  t.equal(slot.state.mode, 'serving');
});

t.test('a slot whose process is starting or due to start has nothing to replace', async (t) => {
  const { slot, fake } = setUp();
  slot.start();
  t.equal(await slot.replace(), true);
  fake.last().ends(1);
  fake.last().ends(1);
  t.equal(slot.state.mode, 'waiting');
  t.equal(await slot.replace(), true);
});

t.test('a stop drains every process of the slot and waits for the last one', async (t) => {
  const { slot, fake, pass } = setUp();
  slot.start();
  fake.last().ready();
  const first = slot.replace();
  fake.last().ready();
  const second = slot.replace();
  const [retired, current, next] = fake.processes;
  const stopped = slot.stop();
  t.equal(await first, true, 'the waiting replacement gets its answer');
  t.equal(await second, false);
  for (const process of fake.processes) t.same(process.sent, [{ type: 'drain', whole: process !== retired }]);
  retired?.ends(0);
  current?.ends(0);
  t.equal(await settled(stopped), 'pending');
  pass(DRAIN_DEADLINE_MS);
  t.same(next?.signals, ['SIGKILL'], 'the drain has a deadline');
  next?.ends(null, 'SIGKILL');
  await stopped;
  t.equal(slot.state.mode, 'stopped');
  t.equal(fake.processes.length, 3);
  slot.start();
  pass(100_000);
  t.equal(fake.processes.length, 3, 'a stopped slot stays empty');
});

t.test('stopping a waiting slot is over at once', async (t) => {
  const { slot, fake, pass } = setUp();
  slot.start();
  fake.last().ends(1);
  fake.last().ends(1);
  await slot.stop();
  pass(100_000);
  t.equal(fake.processes.length, 2);
});

t.test('native crashes in a row raise the suspicion against the store once', async (t) => {
  const { slot, fake, pass } = setUp();
  slot.start();
  for (let crash = 1; crash <= NATIVE_CRASHES_MAX; crash++) {
    t.equal(slot.crashes.takeStoreSuspicion(), false, `after ${crash - 1}`);
    fake.last().ready();
    pass(1_000);
    fake.last().ends(null, 'SIGBUS');
    pass(RESTART_WAIT_CAP_MS);
  }
  t.equal(slot.crashes.takeStoreSuspicion(), true);
  t.equal(slot.crashes.takeStoreSuspicion(), false);
});

t.test('exit codes, SIGKILL and late crashes raise no suspicion', async (t) => {
  const { slot, fake, pass } = setUp();
  slot.start();
  for (const [code, signal, servedMs] of [
    [1, null, 0],
    [null, 'SIGKILL', 0],
    [null, 'SIGSEGV', 61_000],
  ] as const)
    for (let crash = 0; crash < 2 * NATIVE_CRASHES_MAX; crash++) {
      fake.last().ready();
      for (let served = 0; served < servedMs; served += 1_000) {
        fake.last().alive();
        pass(1_000);
      }
      fake.last().ends(code, signal);
      pass(RESTART_WAIT_CAP_MS);
      t.equal(slot.crashes.takeStoreSuspicion(), false);
    }
});
