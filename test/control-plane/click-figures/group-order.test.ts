import { randomInt } from 'node:crypto';
import t from 'tap';
import { mostClicked } from '../../../control-plane/click-figures/group-order.js';

const group = (value: string | null, all: number, human: number, unique: number) => ({ value, all, human, unique });

t.test('groups with the most clicks by the measure come first', async (t) => {
  const [a, b, none, empty] = [group('a', 6, 1, 1), group('b', 2, 2, 1), group(null, 2, 2, 2), group('', 2, 2, 1)];
  const groups = [a, b, none, empty];
  t.same(mostClicked(groups, { limit: 10 }), [empty, b, none, a], 'by clicks of people; with as many, by value, and null last');
  t.same(mostClicked(groups, { limit: 10, measure: 'all' }), [a, empty, b, none]);
  t.same(mostClicked(groups, { limit: 3, measure: 'unique' }), [none, empty, b]);
  t.same(mostClicked([], { limit: 10 }), []);
});

t.test('the first of many groups are those of all groups in order', async (t) => {
  const groups = Array.from({ length: 3_000 }, (_, place) => group(`v${(place * 7919) % 3_000}`, randomInt(9), randomInt(5), randomInt(3)));
  for (const measure of ['all', 'human', 'unique'] as const) {
    const all = mostClicked(groups, { limit: 5_000, measure });
    t.equal(all.length, 3_000);
    for (const limit of [0, 1, 10, 1_000, 1_001, 2_999]) t.same(mostClicked(groups, { limit, measure }), all.slice(0, limit));
  }
});

t.test('values are ordered by their bytes', async (t) => {
  const values = ['z', 'é', '\u{1f600}', '\uffff'];
  t.same(
    mostClicked(
      values.toReversed().map((value) => group(value, 1, 1, 1)),
      { limit: 10 },
    ).map(({ value }) => value),
    values.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
  );
});
