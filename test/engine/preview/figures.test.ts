import t from 'tap';
import { Figures, latencyColumn } from '../../../engine/preview/figures.js';
import { FiguresBatch } from '../../../engine/preview/figures-batch.js';
import { manualClock } from '../../support/manual-clock.js';

t.test('what is counted is taken once, and what others counted is added', async (t) => {
  const figures = new Figures();
  t.ok(figures.isEmpty());
  figures.count('a', 'previews_served');
  figures.count('a', 'latency_ms_sum', 40);
  figures.add([
    { resource_type_id: 'a', counts: { previews_served: 2 } },
    { resource_type_id: 'b', counts: { previews_stale: 1 } },
  ]);
  t.strictSame(figures.take(), [
    { resource_type_id: 'a', counts: { previews_served: 3, latency_ms_sum: 40 } },
    { resource_type_id: 'b', counts: { previews_stale: 1 } },
  ]);
  t.strictSame(figures.take(), []);
});

t.test('the four classes of a call’s time', async (t) => {
  t.strictSame([0, 99, 100, 299, 300, 999, 1000, 5000].map(latencyColumn), [
    'latency_lt_100',
    'latency_lt_100',
    'latency_lt_300',
    'latency_lt_300',
    'latency_lt_1000',
    'latency_lt_1000',
    'latency_ge_1000',
    'latency_ge_1000',
  ]);
});

t.test('a batch is given again with its number until it was written; what is counted meanwhile goes with the next one', async (t) => {
  const clock = manualClock(900_000 * 10 + 5);
  const batch = new FiguresBatch(clock.now);
  const served = (by: number) => [{ resource_type_id: 'a', counts: { previews_served: by } }];
  batch.add(served(1));
  t.equal(batch.next(), null, 'before it is known which number comes next');
  batch.numberFrom(7);
  const first = batch.next();
  t.match(first, { number: 8, figures: [{ resource_type_id: 'a', interval_start_ms: 9_000_000, counts: { previews_served: 1 } }] });
  batch.add(served(2));
  t.strictSame(batch.next(), first);
  batch.written();
  clock.advance(900_000);
  batch.add(served(4));
  t.strictSame(
    batch.next()?.figures.map(({ interval_start_ms, counts }) => [interval_start_ms, counts.previews_served]),
    [
      [9_000_000, 2],
      [9_900_000, 4],
    ],
    'each in the quarter of an hour in which it was counted',
  );
  batch.written();
  t.equal(batch.next(), null);
});

t.test('a week without the database is kept by the quarter of an hour; what comes later is not lost', async (t) => {
  const clock = manualClock(0);
  const batch = new FiguresBatch(clock.now);
  batch.numberFrom(0);
  for (let n = 0; n < 1000; n++) {
    batch.add([{ resource_type_id: 'a', counts: { previews_served: 1 } }]);
    clock.advance(900_000);
  }
  const figures = batch.next()?.figures ?? [];
  t.equal(figures.length, 672);
  t.equal(
    figures.reduce((sum, { counts }) => sum + (counts.previews_served ?? 0), 0),
    1000,
  );
});
