import t from 'tap';
import { Figures, latencyColumn } from '../../../engine/preview/figures.js';
import { FiguresBatch } from '../../../engine/preview/figures-batch.js';
import { manualClock } from '../../support/manual-clock.js';

t.test('counts are taken once, and counts from other processes are added', async (t) => {
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

t.test('the duration of a call falls into one of four classes', async (t) => {
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

t.test('a batch keeps its number until it is written, and later counts go into the next batch', async (t) => {
  const clock = manualClock(900_000 * 10 + 5);
  const batch = new FiguresBatch(clock.now);
  const served = (by: number) => [{ resource_type_id: 'a', counts: { previews_served: by } }];
  batch.add(served(1));
  t.equal(batch.next(), null, 'the number of the next batch is not known yet');
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
    'each count is in the quarter of an hour in which it was made',
  );
  batch.written();
  t.equal(batch.next(), null);
});

t.test('a week without the database is kept in quarters of an hour, and later counts are added to it', async (t) => {
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
