import t from 'tap';
import type { Column, ColumnField } from '../../../../control-plane/click-figures/columns/column.js';
import { Dictionary } from '../../../../control-plane/click-figures/columns/dictionary.js';
import { FieldGroups, type GroupsOfField } from '../../../../control-plane/click-figures/columns/field-groups.js';
import { CLICK_FILTERS } from '../../../../shared/contract/schemas/clicks-query.js';

/** A click of each visitor, the last of them by a program. The values of `city` and `os` are given; all other fields have none. */
function partOf(cities: readonly (string | null)[], systems: readonly (string | null)[] | null): ReadonlyMap<ColumnField, Column> {
  const { length } = cities;
  const flags = (codes: readonly number[]): Column => ({
    dictionary: Dictionary.ofTexts(['0', '1'], false),
    codes: Uint32Array.from(codes),
  });
  const columns = new Map<ColumnField, Column>();
  columns.set('visitor', flags(cities.map(() => 1)));
  columns.set('bot', flags(cities.map((_, click) => Number(click === length - 1))));
  for (const field of CLICK_FILTERS) columns.set(field, columnOf(cities.map(() => null)));
  columns.set('city', columnOf(cities));
  if (systems === null) columns.delete('os');
  else columns.set('os', columnOf(systems));
  return columns;
}

function columnOf(values: readonly (string | null)[]): Column {
  const texts = [...new Set(values)].filter((value) => value !== null).sort();
  const hasNull = values.includes(null);
  const codes = values.map((value) => (value === null ? 0 : texts.indexOf(value) + Number(hasNull)));
  return { dictionary: Dictionary.ofTexts(texts, hasNull), codes: Uint32Array.from(codes) };
}

function groupsOf(parts: readonly ReturnType<typeof partOf>[], groupsMax: number) {
  const groups = new FieldGroups(groupsMax);
  for (const part of parts) groups.add(part);
  return (field: string): GroupsOfField | undefined => groups.ofFields().find((each) => each.field === field);
}

t.test('groups are added up over the parts, those with the most clicks first', async (t) => {
  const of = groupsOf(
    [partOf(['Ulm', 'Bonn', 'Ulm', null], ['iOS', 'iOS', 'iOS', 'iOS']), partOf(['Bonn', 'Ulm', 'Ulm'], ['iOS', null, null])],
    3,
  );
  t.same(of('city'), {
    field: 'city',
    isWhole: true,
    groups: [
      ['Ulm', 4, 3, 3],
      ['Bonn', 2, 2, 2],
      [null, 1, 0, 0],
    ],
  });
  t.same(of('os')?.groups, [
    ['iOS', 5, 4, 4],
    [null, 2, 1, 1],
  ]);
  t.same(of('utm_term'), { field: 'utm_term', isWhole: true, groups: [[null, 7, 5, 5]] });
});

t.test('of a field with more values than are kept, only the clicks without a value are known', async (t) => {
  const few = partOf([null, 'Bonn', null], [null, null, null]);
  const many = partOf(['Ulm', null, 'Köln', 'Bonn', 'Trier', 'Mainz'], ['iOS', 'iOS', 'iOS', 'iOS', 'iOS', 'iOS']);
  for (const parts of [
    [few, many],
    [many, few],
    [partOf(['Ulm', 'Köln'], ['iOS', 'iOS']), few, partOf([null, 'Trier'], ['iOS', 'iOS'])],
  ]) {
    const city = groupsOf(parts, 3)('city');
    t.equal(city?.isWhole, false);
    t.match(city?.groups, [[null, 3, 2, 2]]);
    t.equal(city?.groups.length, 1);
  }
  t.same(groupsOf([partOf(['Ulm', 'Köln', 'Bonn', 'Mainz'], ['iOS', 'iOS', 'iOS', 'iOS'])], 3)('city')?.groups, [], 'all have a value');
});

t.test('a field without a column in some part has no groups', async (t) => {
  const of = groupsOf([partOf(['Ulm'], ['iOS']), partOf(['Ulm'], null)], 3);
  t.equal(of('os'), undefined);
  t.same(of('city')?.groups, [['Ulm', 2, 0, 0]]);
});
