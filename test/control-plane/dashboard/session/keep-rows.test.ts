import t from 'tap';
import { keepRows } from '../../../../control-plane/dashboard/session/keep-rows.js';

const row = (id: string, clicks = 0) => ({ id, clicks });
const list = (...pages: (readonly ReturnType<typeof row>[])[]) => ({
  pages: pages.map((data, index) => ({ data: [...data], next_cursor: index < pages.length - 1 ? `c${index}` : null })),
  pageParams: pages.map((_, index) => (index === 0 ? null : `c${index - 1}`)),
});

t.test('an unchanged list stays the same object', async (t) => {
  const before = list([row('a'), row('b')], [row('c')]);
  t.equal(keepRows(before, list([row('a'), row('b')], [row('c')])), before);
  t.same(keepRows(undefined, before), before);
});

t.test('an unchanged row stays the same object, even at another place', async (t) => {
  const before = list([row('a'), row('b')], [row('c')]);
  const after = keepRows(before, list([row('new'), row('a')], [row('b', 1), row('c')]));
  const [first, second] = after.pages;
  t.equal(first?.data[1], before.pages[0]?.data[0]);
  t.same(second?.data[0], row('b', 1));
  t.not(second?.data[0], before.pages[0]?.data[1]);
  t.equal(second?.data[1], before.pages[1]?.data[0]);
});

t.test('an unchanged page stays the same object, and a removed page is dropped', async (t) => {
  const before = list([row('a')], [row('b')]);
  const after = keepRows(before, list([row('a', 1)], [row('b')]));
  t.equal(after.pages[1], before.pages[1]);
  t.equal(keepRows(before, list([row('a')])).pages.length, 1);
});

t.test('a list that gets another page keeps its former pages without reading them', async (t) => {
  const before = list([row('a')], [row('b')]);
  Object.defineProperty(before.pages[0], 'data', { get: () => t.fail('the first page was read') });
  const next = { data: [row('c')], next_cursor: null };
  const after = keepRows(before, { pages: [...before.pages, next], pageParams: [...before.pageParams, 'c1'] });
  t.equal(after.pages[0], before.pages[0]);
  t.equal(after.pages[1], before.pages[1]);
  t.equal(after.pages[2], next);
});
