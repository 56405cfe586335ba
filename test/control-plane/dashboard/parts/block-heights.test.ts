import t from 'tap';
import { BlockHeights } from '../../../../control-plane/dashboard/parts/block-heights.js';

t.test('rows that were never drawn have the guessed height, or the average of drawn rows', async (t) => {
  const heights = new BlockHeights(10, 10);
  t.equal(heights.of({ first: 0, end: 10 }, 100), 1000);
  heights.set(0, 10, 200);
  heights.set(1, 10, 400);
  t.equal(heights.of({ first: 0, end: 2 }, 100), 600);
  t.equal(heights.of({ first: 2, end: 4 }, 100), 600);
  heights.set(1, 10, 200);
  t.equal(heights.of({ first: 0, end: 4 }, 100), 800, 'a block with a changed height counts once');
  heights.clear();
  t.equal(heights.of({ first: 0, end: 2 }, 100), 200);
  t.equal(heights.of({ first: 3, end: 3 }, 100), 0);
});

t.test('the last block has the remaining rows, and its height grows and shrinks with their number', async (t) => {
  const heights = new BlockHeights(10, 10);
  t.equal(heights.of({ first: 0, end: 3 }, 25), 250);
  heights.set(2, 5, 60);
  t.equal(heights.of({ first: 2, end: 3 }, 25), 60);
  t.equal(heights.of({ first: 2, end: 3 }, 30), 120, 'the block has more rows of the same height');
  t.equal(heights.of({ first: 2, end: 3 }, 22), 24, 'the block has fewer rows of the same height');
  t.same(
    [0, 1, 10, 11, 25].map((rows) => heights.blocks(rows)),
    [0, 1, 1, 2, 3],
  );
});

t.test('the blocks between two heights are found, and at least one', async (t) => {
  const heights = new BlockHeights(10, 10);
  heights.set(1, 10, 300);
  heights.set(0, 10, 100);
  heights.set(2, 10, 200);
  // The blocks begin at 0, 100, 400 and 600. The following blocks are 200 high each.
  t.same(heights.between(-50, 50, 50), { first: 0, end: 1 });
  t.same(heights.between(0, 101, 50), { first: 0, end: 2 });
  t.same(heights.between(100, 400, 50), { first: 1, end: 2 });
  t.same(heights.between(399, 401, 50), { first: 1, end: 3 });
  t.same(heights.between(650, 10_000, 50), { first: 3, end: 5 });
  t.same(heights.between(5_000, 6_000, 50), { first: 4, end: 5 }, 'a range far below the end gives the last block');
  t.same(heights.between(-900, -800, 50), { first: 0, end: 1 }, 'a range far above the top gives the first block');
  t.same(heights.between(0, 1000, 0), { first: 0, end: 0 }, 'a list without rows has no block');
});
