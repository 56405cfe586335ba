import t from 'tap';
import { AdaptiveTimeout, CallbackWait, type Wait } from '../../../engine/database/adaptive-timeout.js';
import { manualTimers } from '../../support/manual-scheduler.js';

function timeout() {
  const timers = manualTimers();
  const given: string[] = [];
  const subject = new AdaptiveTimeout({ longMs: 500, shortMs: 50, now: timers.now, schedule: timers.schedule });
  const wait = (name: string): Wait => {
    const begun = new CallbackWait(() => given.push(`${name} at ${timers.now()}`));
    subject.begin(begun);
    return begun;
  };
  return { timers, given, subject, wait };
}

t.test('the first wait is long; once a wait has ended without an answer all waits are short, those under way included', (t) => {
  const { timers, given, subject, wait } = timeout();
  wait('first');
  timers.advance(400);
  wait('second');
  timers.advance(99);
  t.strictSame([given, subject.shortened], [[], false]);
  timers.advance(1);
  t.strictSame([given, subject.shortened], [['first at 500'], true]);
  timers.advance(10);
  wait('third');
  timers.advance(1000);
  t.strictSame(given, ['first at 500', 'second at 550', 'third at 560']);
  t.equal(timers.count(), 0);
  t.end();
});

t.test('an answer within the long deadline restores long waits, a later answer does not', (t) => {
  const { timers, given, subject, wait } = timeout();
  wait('first');
  timers.advance(500);
  subject.answered(501);
  t.equal(subject.shortened, true);
  subject.answered(500);
  t.equal(subject.shortened, false);
  wait('second');
  timers.advance(499);
  t.strictSame(given, ['first at 500']);
  t.end();
});

t.test('waits are longer by the round trip of the fastest answers, up to a limit', async (t) => {
  const timers = manualTimers();
  const subject = new AdaptiveTimeout({ longMs: 50, shortMs: 10, roundTripMsMax: 400, now: timers.now, schedule: timers.schedule });
  const waited = (): number => {
    const begunAt = timers.now();
    let given: number | null = null;
    const wait = new CallbackWait(() => {
      given = timers.now() - begunAt;
    });
    subject.begin(wait);
    for (let ms = 0; given === null && ms < 2000; ms++) timers.advance(1);
    return given ?? Number.NaN;
  };
  t.equal(waited(), 50, 'no round trip is known yet');
  subject.answered(150);
  t.equal(subject.shortened, false, 'the answer took no longer than the round trip');
  t.equal(waited(), 350);
  t.equal(waited(), 310, 'the short wait is longer by the round trip too');
  subject.answered(170);
  t.equal(waited(), 350, 'slower answers under load do not lengthen the round trip');
  timers.advance(60_000);
  subject.answered(5000);
  timers.advance(60_000);
  subject.answered(5000);
  t.equal(subject.shortened, true, 'an answer that takes that long is not taken for a longer round trip');
  t.equal(waited(), 410);
});

t.test('waits end in their order when a shorter round trip is found', async (t) => {
  const timers = manualTimers();
  const given: string[] = [];
  const subject = new AdaptiveTimeout({ longMs: 50, shortMs: 10, roundTripMsMax: 400, now: timers.now, schedule: timers.schedule });
  subject.answered(150);
  subject.begin(new CallbackWait(() => given.push('first')));
  subject.answered(1);
  subject.begin(new CallbackWait(() => given.push('second')));
  timers.advance(51);
  t.same(given, []);
  timers.advance(300);
  t.same(given, ['first', 'second']);
  t.equal(timers.count(), 0);
});

t.test('a wait that was ended calls nothing back, however often it is ended', (t) => {
  const { timers, given, subject, wait } = timeout();
  const answered = wait('answered');
  subject.end(answered);
  timers.advance(1000);
  subject.end(answered);
  t.strictSame([given, subject.shortened, timers.count()], [[], false, 0]);
  t.end();
});

t.test('waits may end in any order, and the others time out in the order in which they began', (t) => {
  const { timers, given, subject, wait } = timeout();
  const begun = ['a', 'b', 'c', 'd', 'e'].map((name) => {
    timers.advance(10);
    return wait(name);
  });
  for (const index of [2, 0, 4]) subject.end(begun[index] as Wait);
  timers.advance(459);
  subject.end(begun[2] as Wait);
  t.strictSame(given, []);
  timers.advance(1000);
  t.strictSame([given, timers.count()], [['b at 520', 'd at 540'], 0]);
  wait('f');
  timers.advance(50);
  t.strictSame(given.at(-1), 'f at 1559');
  t.end();
});
