import t from 'tap';
import { Patience } from '../../../engine/store/patience.js';
import { manualTimers } from '../../support/manual-later.js';

function patience() {
  const timers = manualTimers();
  const given: string[] = [];
  const subject = new Patience({ patientMs: 500, waryMs: 50, later: timers.later });
  return { timers, given, subject, wait: (name: string) => subject.begin(() => given.push(`${name} at ${timers.now()}`)) };
}

t.test('the first wait is long, and after one in vain every wait is short, those under way included', (t) => {
  const { timers, given, subject, wait } = patience();
  wait('first');
  timers.advance(400);
  wait('second');
  timers.advance(99);
  t.strictSame([given, subject.wary], [[], false]);
  timers.advance(1);
  t.strictSame([given, subject.wary], [['first at 500'], true]);
  timers.advance(10);
  wait('third');
  timers.advance(1000);
  t.strictSame(given, ['first at 500', 'second at 550', 'third at 560']);
  t.equal(timers.count(), 0);
  t.end();
});

t.test('an answer within the long deadline ends the wariness, a later one does not', (t) => {
  const { timers, given, subject, wait } = patience();
  wait('first');
  timers.advance(500);
  subject.answered(501);
  t.equal(subject.wary, true);
  subject.answered(500);
  t.equal(subject.wary, false);
  wait('second');
  timers.advance(499);
  t.strictSame(given, ['first at 500']);
  t.end();
});

t.test('a wait that ended calls nobody, however often it is ended', (t) => {
  const { timers, given, subject, wait } = patience();
  const end = wait('answered');
  end();
  timers.advance(1000);
  end();
  t.strictSame([given, subject.wary, timers.count()], [[], false, 0]);
  t.end();
});
