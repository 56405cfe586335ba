import t from 'tap';
import { Beats } from '../../../shared/base/beats.js';
import { manualClock } from '../../support/manual-clock.js';

t.test('the time without a new beat counts from when the last beat was first seen', async (t) => {
  const clock = manualClock(0);
  const beats = new Beats(clock.now);
  beats.observe([
    { id: 'a', beat: '1' },
    { id: 'b', beat: '1' },
  ]);
  clock.advance(10);
  beats.observe([
    { id: 'a', beat: '1' },
    { id: 'b', beat: '2' },
  ]);
  clock.advance(5);
  t.equal(beats.stillMs('a'), 15);
  t.equal(beats.stillMs('b'), 5);
  t.equal(beats.stillMs('b', '2'), 5);
  t.equal(beats.stillMs('b', '1'), 0, 'the row no longer has that beat');
  t.equal(beats.stillMs('c'), 0, 'that row was never seen');
});

t.test('a row that disappeared or was forgotten starts again at 0', async (t) => {
  const clock = manualClock(0);
  const beats = new Beats(clock.now);
  const row = { id: 'a', beat: '1' };
  beats.observe([row]);
  clock.advance(10);
  beats.observe([]);
  t.equal(beats.stillMs('a'), 0);
  beats.observe([row]);
  clock.advance(7);
  t.equal(beats.stillMs('a'), 7);
  beats.forget();
  t.equal(beats.stillMs('a'), 0);
});
