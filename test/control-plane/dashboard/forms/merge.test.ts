import t from 'tap';
import { changedMembers, mergeFields } from '../../../../control-plane/dashboard/forms/merge.js';
import type { FieldValues } from '../../../../control-plane/dashboard/session/field-values.js';
import fc from '../../../support/properties.js';

const BASE = { '/a': '1', '/b': '1', '/c': '1', '/d': ['x'], '/e': false };

t.test('a field takes the value of the side that changed it, and mine if both did', async (t) => {
  const mine = { ...BASE, '/a': 'mine', '/b': 'mine', '/d': ['x', 'y'] };
  const saved = { ...BASE, '/b': 'theirs', '/c': 'theirs', '/d': ['x', 'y'], '/e': true };
  t.same(mergeFields(BASE, mine, saved), {
    values: { '/a': 'mine', '/b': 'mine', '/c': 'theirs', '/d': ['x', 'y'], '/e': true },
    theirs: { '/b': 'theirs' },
  });
});

t.test('rows of lists come and go on either side', async (t) => {
  const base: FieldValues = { '/apps/0/id': 'a', '/apps/1/id': 'b' };
  t.same(mergeFields(base, { '/apps/0/id': 'a' }, base).values, { '/apps/0/id': 'a' }, 'a row that I removed');
  t.same(mergeFields(base, base, { '/apps/0/id': 'a' }).values, { '/apps/0/id': 'a' }, 'a row that was removed elsewhere');
  t.same(mergeFields(base, { ...base, '/apps/2/id': 'c' }, base).values, { ...base, '/apps/2/id': 'c' });
});

t.test('without a change elsewhere a merge is what the form holds, and without one of mine what is saved', async (t) => {
  const fields = fc.dictionary(fc.constantFrom('/a', '/b', '/c'), fc.constantFrom('1', '2'), { noNullPrototype: true });
  fc.assert(
    fc.property(fields, fields, (base, other) => {
      t.same(mergeFields(base, other, base), { values: other, theirs: {} });
      t.same(mergeFields(base, base, other), { values: other, theirs: {} });
    }),
  );
});

t.test('only members that differ are sent', async (t) => {
  t.same(changedMembers({ a: 1, b: { c: null }, d: [1] }, { a: 1, b: { c: 2 }, d: [1] }), { b: { c: 2 } });
  t.same(changedMembers({ a: 1 }, { a: 1 }), {});
});
