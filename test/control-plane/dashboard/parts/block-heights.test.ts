import t from 'tap';
import { BlockHeights } from '../../../../control-plane/dashboard/parts/block-heights.js';

t.test('blocks that were never drawn are as high as guessed, and then as the others are on average', async (t) => {
  const heights = new BlockHeights(100);
  t.equal(heights.of({ first: 0, end: 10 }), 1000);
  heights.set(0, 200);
  heights.set(1, 400);
  t.equal(heights.of({ first: 0, end: 2 }), 600);
  t.equal(heights.of({ first: 2, end: 4 }), 600);
  heights.set(1, 200);
  t.equal(heights.of({ first: 0, end: 4 }), 800, 'one that changed counts once');
  heights.clear();
  t.equal(heights.of({ first: 0, end: 2 }), 200);
  t.equal(heights.of({ first: 3, end: 3 }), 0);
});

t.test('the blocks between two heights are found, and one at least', async (t) => {
  const heights = new BlockHeights(100);
  heights.set(1, 300);
  heights.set(0, 100);
  heights.set(2, 200);
  // They begin at 0, 100, 400, and 600; those that follow are 200 high each.
  t.same(heights.between(-50, 50, 5), { first: 0, end: 1 });
  t.same(heights.between(0, 101, 5), { first: 0, end: 2 });
  t.same(heights.between(100, 400, 5), { first: 1, end: 2 });
  t.same(heights.between(399, 401, 5), { first: 1, end: 3 });
  t.same(heights.between(650, 10_000, 5), { first: 3, end: 5 });
  t.same(heights.between(5_000, 6_000, 5), { first: 4, end: 5 }, 'far behind the end');
  t.same(heights.between(-900, -800, 5), { first: 0, end: 1 }, 'far above the top');
  t.same(heights.between(0, 1000, 0), { first: 0, end: 0 }, 'of none');
});
