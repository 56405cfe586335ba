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

t.test('the first wait is long, and after one in vain every wait is short, those under way included', (t) => {
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

t.test('an answer within the long deadline ends the wariness, a later one does not', (t) => {
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

t.test('a long way is waited for as long as its fastest answers take, up to a bound', async (t) => {
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
  t.equal(waited(), 50, 'nothing is known of the way');
  subject.answered(150);
  t.equal(subject.shortened, false, 'the answer took no longer than the way');
  t.equal(waited(), 350);
  t.equal(waited(), 310, 'the short wait goes the same way');
  subject.answered(170);
  t.equal(waited(), 350, 'load does not make the way longer');
  timers.advance(60_000);
  subject.answered(5000);
  timers.advance(60_000);
  subject.answered(5000);
  t.equal(subject.shortened, true, 'who takes that long is no other region');
  t.equal(waited(), 410);
});

t.test('waits keep their order when the way is found to be shorter', async (t) => {
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

t.test('a wait that ended calls nobody, however often it is ended', (t) => {
  const { timers, given, subject, wait } = timeout();
  const answered = wait('answered');
  subject.end(answered);
  timers.advance(1000);
  subject.end(answered);
  t.strictSame([given, subject.shortened, timers.count()], [[], false, 0]);
  t.end();
});

t.test('waits may end in any order, and those that are left are given up in theirs', (t) => {
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
