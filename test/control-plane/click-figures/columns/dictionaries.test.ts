import { randomUUID } from 'node:crypto';
import t from 'tap';
import { UuidDictionary, uuidBytes, ValueDictionary } from '../../../../control-plane/click-figures/columns/dictionaries.js';

t.test('values of uuid are found at their places', async (t) => {
  const edges = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '80000000-0000-0000-0000-000000000000'];
  for (const values of [[], edges.slice(0, 1), [...edges, ...Array.from({ length: 50 }, () => randomUUID() as string)].sort()])
    for (const hasNull of [false, true]) {
      const dictionary = new UuidDictionary(uuidBytes(values), hasNull);
      const all = hasNull ? [null, ...values] : values;
      t.equal(dictionary.size, all.length);
      for (const [place, value] of all.entries()) {
        t.equal(dictionary.value(place), value);
        t.equal(dictionary.place(value), place);
      }
      t.equal(dictionary.place(randomUUID()), -1);
      if (!hasNull) t.equal(dictionary.place(null), -1);
      const others = [...values.filter((_, place) => place % 3 === 0), randomUUID() as string].sort();
      const matches: (readonly [string | undefined, string | null])[] = [];
      dictionary.match(uuidBytes(others), (index, place) => matches.push([others[index], dictionary.value(place)]));
      t.same(
        matches,
        others.filter((value) => values.includes(value)).map((value) => [value, value]),
      );
    }
});

t.test('other values are found at their places', async (t) => {
  const dictionary = new ValueDictionary([null, '', 'DE']);
  t.equal(dictionary.size, 3);
  t.same([dictionary.value(0), dictionary.value(2)], [null, 'DE']);
  t.same([dictionary.place(''), dictionary.place(null), dictionary.place('FR')], [1, 0, -1]);
});
