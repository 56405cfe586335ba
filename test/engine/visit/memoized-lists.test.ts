import t from 'tap';
import { byEnvironment, memoizeList } from '../../../engine/visit/memoized-lists.js';

t.test('something is made again only if an element is another object, or there are more or fewer', async (t) => {
  let made = 0;
  const of = memoizeList((elements: readonly object[]) => {
    made += 1;
    return { made, count: elements.length };
  });
  const [one, two, three] = [{}, {}, {}];
  const first = of([one, two]);
  t.equal(of([one, two]), first);
  t.not(of([one, three]), first);
  t.strictSame(of([one, three]), { made: 2, count: 2 });
  t.strictSame(of([one]), { made: 3, count: 1 });
  t.strictSame(of([one, two, three]), { made: 4, count: 3 });
  t.strictSame(of([two, one]), { made: 5, count: 2 });
});

t.test('records are divided by their environments, and the same list is divided once', async (t) => {
  const record = (environment_number: number, id: string) => ({ environment_number, id });
  const list = [record(2, 'a'), record(1, 'b'), record(2, 'c')];
  const divided = byEnvironment(list);
  t.strictSame(
    [...divided].map(([number, records]) => [number, records.map(({ id }) => id)]),
    [
      [2, ['a', 'c']],
      [1, ['b']],
    ],
  );
  t.equal(byEnvironment(list), divided);
  t.strictSame(byEnvironment([]), new Map());
});
