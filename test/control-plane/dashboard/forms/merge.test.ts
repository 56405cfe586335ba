import t from 'tap';
import type { FieldValues } from '../../../../control-plane/dashboard/forms/field-values.js';
import { areSameFields, changedMembers, mergeFields } from '../../../../control-plane/dashboard/forms/merge.js';
import fc from '../../../support/properties.js';

const BASE = { '/a': '1', '/b': '1', '/c': '1', '/d': ['x'], '/e': false };

t.test('a field has the value of the side that changed it, and the form’s value if both did', async (t) => {
  const mine = { ...BASE, '/a': 'mine', '/b': 'mine', '/d': ['x', 'y'] };
  const saved = { ...BASE, '/b': 'theirs', '/c': 'theirs', '/d': ['x', 'y'], '/e': true };
  t.same(mergeFields(BASE, mine, saved), {
    values: { '/a': 'mine', '/b': 'mine', '/c': 'theirs', '/d': ['x', 'y'], '/e': true },
    theirs: { '/b': 'theirs' },
  });
});

t.test('rows that either side adds or removes are merged', async (t) => {
  const base: FieldValues = { '/apps/0/id': 'a', '/apps/1/id': 'b' };
  t.same(mergeFields(base, { '/apps/0/id': 'a' }, base).values, { '/apps/0/id': 'a' }, 'a row that the form removed is removed');
  t.same(mergeFields(base, base, { '/apps/0/id': 'a' }).values, { '/apps/0/id': 'a' }, 'a row that was removed elsewhere is removed');
  t.same(mergeFields(base, { ...base, '/apps/2/id': 'c' }, base).values, { ...base, '/apps/2/id': 'c' });
});

t.test('a change of a row is never applied to another row in its place', async (t) => {
  const row = (place: number, id: string, team: string) => ({ [`/apps/${place}/id`]: id, [`/apps/${place}/team`]: team });
  const base: FieldValues = { ...row(0, 'a', 'A'), ...row(1, 'b', 'B'), ...row(2, 'c', 'C') };
  const mine = { ...base, '/apps/1/team': 'mine' };
  const removed = { ...row(0, 'b', 'B'), ...row(1, 'c', 'C') };
  t.same(mergeFields(base, mine, removed), {
    values: mine,
    theirs: { '/apps/0/id': 'b', '/apps/0/team': 'B', '/apps/1/id': 'c', '/apps/1/team': 'C', '/apps/2/id': '', '/apps/2/team': '' },
  });
  const replaced = { ...base, ...row(1, 'x', 'B') };
  t.same(mergeFields(base, mine, replaced), { values: mine, theirs: { '/apps/1/id': 'x' } }, 'another row at the same place is a conflict');
  t.same(mergeFields(base, mine, { ...base, '/apps/2/team': 'theirs' }), { values: { ...mine, '/apps/2/team': 'theirs' }, theirs: {} });
  t.same(
    mergeFields(base, { ...base, ...row(3, 'd', 'D') }, removed).theirs['/apps/2/id'],
    '',
    'a row that was added after removed rows is a conflict',
  );
});

t.test('if only one side has changes, the merge equals that side', async (t) => {
  const fields = fc.dictionary(fc.constantFrom('/a', '/b', '/c'), fc.constantFrom('1', '2'), { noNullPrototype: true });
  fc.assert(
    fc.property(fields, fields, (base, other) => {
      t.same(mergeFields(base, other, base), { values: other, theirs: {} });
      t.same(mergeFields(base, base, other), { values: other, theirs: {} });
    }),
  );
});

t.test('only changed members are sent', async (t) => {
  t.same(changedMembers({ a: 1, b: { c: null }, d: [1] }, { a: 1, b: { c: 2 }, d: [1] }), { b: { c: 2 } });
  t.same(changedMembers({ a: 1 }, { a: 1 }), {});
});

t.test('fields are the same if each has the same value, in whatever order, and none is missing', async (t) => {
  t.ok(areSameFields({ '/a': 'x', '/b': ['y'] }, { '/b': ['y'], '/a': 'x' }));
  t.notOk(areSameFields({ '/a': 'x' }, { '/a': 'y' }));
  t.notOk(areSameFields({ '/a': 'x' }, { '/a': 'x', '/b': '' }), 'a row was added');
  t.notOk(areSameFields({ '/a': 'x', '/b': '' }, { '/a': 'x' }));
});
