import t from 'tap';
import { mostClicked } from '../../../control-plane/click-figures/group-order.js';

const group = (value: string | null, all: number, human: number, unique: number) => ({ value, all, human, unique });

t.test('groups with the same value are added up, and those with the most clicks by the measure come first', async (t) => {
  const groups = [group('a', 5, 1, 1), group('b', 2, 2, 1), group('a', 1, 0, 0), group(null, 2, 2, 2), group('', 2, 2, 1)];
  const [a, b, none, empty] = [group('a', 6, 1, 1), group('b', 2, 2, 1), group(null, 2, 2, 2), group('', 2, 2, 1)];
  t.same(mostClicked(groups, { limit: 10 }), [empty, b, none, a], 'by clicks of people; with as many, by value, and null last');
  t.same(mostClicked(groups, { limit: 10, measure: 'all' }), [a, empty, b, none]);
  t.same(mostClicked(groups, { limit: 3, measure: 'unique' }), [none, empty, b]);
  t.same(mostClicked([], { limit: 10 }), []);
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
