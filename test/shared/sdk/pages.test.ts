import t from 'tap';
import { Pages } from '../../../shared/sdk/pages.js';

/** Twenty-five items in pages of ten. */
function list(cursor?: string) {
  const asked: (string | undefined)[] = [];
  const pages = new Pages<number>(async (next) => {
    asked.push(next);
    const from = Number(next ?? 0);
    const data = Array.from({ length: Math.min(10, 25 - from) }, (_, index) => from + index);
    return { data, nextCursor: from + 10 < 25 ? String(from + 10) : null };
  }, cursor);
  return { pages, asked };
}

t.test('a list is read item by item or page by page, and no further than needed', async (t) => {
  const whole = list();
  const items: number[] = [];
  for await (const item of whole.pages) items.push(item);
  t.same(
    items,
    Array.from({ length: 25 }, (_, index) => index),
  );
  t.same(whole.asked, [undefined, '10', '20']);
  const broken = list();
  for await (const item of broken.pages) if (item === 3) break;
  t.equal(broken.asked.length, 1);
  const sizes: number[] = [];
  for await (const { data } of list('10').pages.pages()) sizes.push(data.length);
  t.same(sizes, [10, 5]);
});

t.test('a single page can be read, and an array of a limited number of items', async (t) => {
  t.match(await list('20').pages.page(), { data: [20, 21, 22, 23, 24], nextCursor: null });
  const twelve = list();
  t.equal((await twelve.pages.toArray({ max: 12 })).length, 12);
  t.equal(twelve.asked.length, 2);
  t.same(await list().pages.toArray({ max: 0 }), []);
  t.equal((await list().pages.toArray({ max: 100 })).length, 25);
});
