import t from 'tap';
import {
  GOOD_START_MS,
  isNativeCrash,
  NATIVE_CRASH_WINDOW_MS,
  NATIVE_CRASHES_MAX,
  RestartDelays,
} from '../../../engine/supervisor/restart-delay.js';

t.test('waits never exceed a limit that doubles, whatever the random number', async (t) => {
  for (const random of [0, 0.5, 0.999]) {
    const record = new RestartDelays(() => random);
    const waits = Array.from({ length: 10 }, () => record.note(0, null));
    t.equal(waits[0], 0);
    for (const [index, wait] of waits.slice(1).entries()) t.ok(wait <= Math.min(5_000, 200 * 2 ** index), `wait ${index + 1}: ${wait}`);
  }
});

t.test('a good start resets the count of bad starts', async (t) => {
  const record = new RestartDelays(() => 0.999);
  for (let crash = 0; crash < 5; crash++) record.note(0, null);
  t.equal(record.note(GOOD_START_MS, null), 0);
  t.equal(record.note(0, null), 0, 'the next bad start counts as the first');
  t.ok(record.note(0, null) > 0);
});

t.test('only native crashes in a row, each soon after a start, count against the store', async (t) => {
  const record = new RestartDelays(Math.random);
  for (let crash = 0; crash < NATIVE_CRASHES_MAX - 1; crash++) record.note(0, 'SIGSEGV');
  record.note(0, null);
  record.note(0, 'SIGSEGV');
  t.equal(record.takeStoreSuspicion(), false, 'another kind of end in between restarts the count');
  for (let crash = 0; crash < NATIVE_CRASHES_MAX; crash++) record.note(NATIVE_CRASH_WINDOW_MS, 'SIGSEGV');
  t.equal(record.takeStoreSuspicion(), false, 'late crashes are not caused by what was read at the start');
  for (let crash = 0; crash < NATIVE_CRASHES_MAX; crash++) record.note(0, 'SIGBUS');
  t.equal(record.takeStoreSuspicion(), true);
});

for (const [signal, native] of [
  ['SIGSEGV', true],
  ['SIGBUS', true],
  ['SIGABRT', true],
  ['SIGKILL', false],
  ['SIGTERM', false],
  [null, false],
] as const)
  t.test(`${signal} is ${native ? 'a' : 'no'} native crash`, async (t) => t.equal(isNativeCrash(signal), native));
