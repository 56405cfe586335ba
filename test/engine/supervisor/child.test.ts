import t from 'tap';
import { Child, SILENCE_MS, START_SILENCE_MS } from '../../../engine/supervisor/child.js';
import { DRAIN_DEADLINE_MS } from '../../../shared/base/limits.js';
import { fakeFork } from '../../fixtures/supervisor/fake-fork.js';
import { manualClock } from '../../support/manual-clock.js';

function setUp() {
  const clock = manualClock(1_000_000);
  const fake = fakeFork();
  const seen: string[] = [];
  const child = new Child(fake.fork, clock.now, {
    onReady: () => seen.push('ready'),
    onAlive: () => seen.push('alive'),
    onHostAnswer: ({ answer }) => seen.push(`host is ${answer}`),
    onKilled: (_, why) => seen.push(`killed: ${why}`),
    onGone: (_, exit) => seen.push(`gone ${exit.code} ${exit.signal}`),
  });
  const pass = (milliseconds: number) => {
    clock.advance(milliseconds);
    child.tick();
  };
  return { child, process: fake.last(), pass, seen, clock };
}

t.test('a child that is silent for ten seconds is killed', async (t) => {
  const { child, process, pass, seen } = setUp();
  process.ready();
  pass(SILENCE_MS - 1);
  t.equal(child.state.mode, 'serving');
  process.alive();
  pass(SILENCE_MS - 1);
  t.equal(child.state.mode, 'serving', 'an alive message restarts the time');
  pass(1);
  t.equal(child.state.mode, 'killed');
  t.same(process.signals, ['SIGKILL']);
  process.ends(null, 'SIGKILL');
  t.equal(child.state.mode, 'gone');
  t.same(seen, ['ready', 'alive', `killed: it did not report for ${SILENCE_MS / 1000} s`, 'gone null SIGKILL']);
});

t.test('a child that sends nothing after its start gets more time, and is then killed', async (t) => {
  const { child, process, pass } = setUp();
  pass(START_SILENCE_MS - 1);
  t.equal(child.state.mode, 'starting');
  pass(1);
  t.equal(child.state.mode, 'killed');
  t.same(process.signals, ['SIGKILL']);
});

t.test('a start may take long while the child reports that it is alive', async (t) => {
  const { child, process, pass } = setUp();
  for (let second = 0; second < 300; second++) {
    process.alive();
    pass(1000);
  }
  t.equal(child.state.mode, 'starting');
  pass(SILENCE_MS);
  t.equal(child.state.mode, 'killed');
});

t.test('a drain is requested once, and at its deadline the child is killed', async (t) => {
  const { child, process, pass } = setUp();
  process.ready();
  child.drain(true);
  child.drain(true);
  t.same(process.sent, [{ type: 'drain', whole: true }]);
  pass(DRAIN_DEADLINE_MS - 1);
  t.equal(child.state.mode, 'draining');
  pass(1);
  t.equal(child.state.mode, 'killed');
});

t.test('after a child is killed it is not killed again, drained or listened to', async (t) => {
  const { child, process, pass, seen } = setUp();
  process.ready();
  child.kill('a test');
  child.kill('a test');
  child.drain(true);
  process.alive();
  pass(100_000);
  t.same(process.signals, ['SIGKILL']);
  t.same(process.sent, []);
  t.same(seen, ['ready', 'killed: a test']);
});

t.test('the end of a child is reported once', async (t) => {
  const { process, seen } = setUp();
  process.ends(1);
  process.ends(1);
  t.same(seen, ['gone 1 null']);
});

t.test('the time served counts from ready, and is 0 for a child that was never ready', async (t) => {
  const { child, process, pass } = setUp();
  pass(5_000);
  t.equal(child.servedMs(), 0);
  process.ready();
  pass(2_500);
  t.equal(child.servedMs(), 2_500);
});
