import { randomInt } from 'node:crypto';
import t from 'tap';
import type { ClickCondition, GroupKey } from '../../../../control-plane/click-figures/click-groups.js';
import type { ColumnField } from '../../../../control-plane/click-figures/columns/column.js';
import { ColumnCount, type Columns, columnsNeeded } from '../../../../control-plane/click-figures/columns/column-count.js';
import { Dictionary, uuidBytes } from '../../../../control-plane/click-figures/columns/dictionary.js';
import { linkTags } from '../../../../control-plane/click-figures/columns/link-tags.js';
import { buildPart, type ColumnClick } from '../../../support/column-rows.js';

const FIELDS = ['link', 'item', 'country', 'browser'] as const;
const MIDNIGHT = Date.parse('2026-11-18T00:00:00Z');
const HOUR_MS = 3_600_000;

interface Click extends ColumnClick {
  readonly link: string | null;
  readonly item: string | null;
  readonly country: string | null;
  readonly browser: string | null;
}

const [A, B, C, D] = ['00000001', '7fffffff', 'a0000000', 'ffffffff'].map((head) => `${head}-0000-7000-8000-00000000000a`) as [
  string,
  string,
  string,
  string,
];
const one = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;

function randomClicks(count: number): readonly Click[] {
  return Array.from({ length: count }, () => ({
    visitor: BigInt(randomInt(20)) * 1_234_567_890_123n - 9_000_000_000_000n,
    bot: randomInt(4) === 0,
    at: MIDNIGHT + randomInt(24 * HOUR_MS),
    link: one([A, B, C, null]),
    item: one(['t1/1', 't2/1', 't1/2/3', null]),
    country: one(['DE', 'Österreich', '', null]),
    browser: one(['Safari']),
  }));
}

const build = (clicks: readonly Click[]) => buildPart(FIELDS, clicks);

function countsByHand(clicks: readonly Click[]) {
  const people = clicks.filter(({ bot }) => !bot);
  return { all: clicks.length, human: people.length, unique: new Set(people.map(({ visitor }) => visitor)).size };
}

const TAGS = new Map<string, readonly string[]>([
  [A, ['red']],
  [B, ['red', 'blue']],
  [D, ['red', 'green']],
]);
const TAGGED = linkTags(
  Dictionary.of(
    [...TAGS.keys()].map((link) => uuidBytes(link)),
    false,
  ),
  [...TAGS.values()],
);
const STARTS = [6, 7, 12].map((hour) => new Date(MIDNIGHT + hour * HOUR_MS).toISOString());

const CONDITIONS: readonly (readonly [ClickCondition, (click: Click) => boolean])[] = [
  ['counted', () => true],
  ['never', () => false],
  [{ field: 'country', value: 'DE' }, ({ country }) => country === 'DE'],
  [{ field: 'country', value: '' }, ({ country }) => country === ''],
  [{ field: 'country', value: null }, ({ country }) => country === null],
  [{ field: 'country', value: 'FR' }, () => false],
  [{ field: 'browser', value: 'Safari' }, () => true],
  [{ field: 'item', value: '1' }, ({ item }) => item === 't1/1' || item === 't2/1'],
  [{ field: 'item', value: '2/3' }, ({ item }) => item === 't1/2/3'],
  [{ field: 'item', value: null }, ({ item }) => item === null],
  [{ field: 'item', among: ['1', 'x'] }, ({ item }) => item === 't1/1' || item === 't2/1'],
  [{ field: 'link', among: [A, C, D] }, ({ link }) => link === A || link === C],
  [{ field: 'link', value: B }, ({ link }) => link === B],
  [{ field: 'link', value: D }, () => false],
  [{ field: 'link', value: null }, ({ link }) => link === null],
  [{ tagOf: 'env', tag: 'red' }, ({ link }) => link === A || link === B],
  [{ tagOf: 'env', tag: 'blue' }, ({ link }) => link === B],
  [{ tagOf: 'env', tag: 'green' }, () => false],
  [{ tagOf: 'env', tag: null }, ({ link }) => link === C || link === null],
];

const KEYS: readonly (readonly [GroupKey, (click: Click) => readonly (string | null)[]])[] = [
  ['nothing', () => ['']],
  ['item of type', ({ item }) => [item]],
  [{ field: 'country' }, ({ country }) => [country]],
  [{ field: 'link' }, ({ link }) => [link]],
  [{ tagsOf: 'env' }, ({ link }) => TAGS.get(link ?? '') ?? [null]],
  [{ starts: STARTS }, ({ at }) => [String(STARTS.filter((start) => Date.parse(start) <= at).length)]],
];

t.test('clicks of several parts are counted from columns as by hand, for any two conditions and by each key', async (t) => {
  const parts = [randomClicks(300), randomClicks(0), randomClicks(1), randomClicks(200)];
  const built = parts.map((clicks) => build(clicks).columns());
  for (const [first, meetsFirst] of CONDITIONS)
    for (const [second, meetsSecond] of CONDITIONS) {
      const counting = { conditions: [first, second], keys: KEYS.map(([key]) => key), tagged: TAGGED };
      const needed: readonly ColumnField[] = columnsNeeded(counting);
      const count = new ColumnCount(counting);
      for (const columns of built) count.add(new Map([...columns].filter(([field]) => needed.includes(field))));
      const groups = count.most(KEYS.map(([key]) => ({ key, limit: 100 })));
      for (const [place, [key, valuesOf]] of KEYS.entries()) {
        const expected = new Map<string | null, ReturnType<typeof countsByHand>>();
        for (const clicks of parts) {
          const selected = clicks.filter((click) => meetsFirst(click) && meetsSecond(click));
          for (const value of new Set(selected.flatMap(valuesOf))) {
            const counts = countsByHand(selected.filter((click) => valuesOf(click).includes(value)));
            const sum = expected.get(value) ?? { all: 0, human: 0, unique: 0 };
            expected.set(value, { all: sum.all + counts.all, human: sum.human + counts.human, unique: sum.unique + counts.unique });
          }
        }
        const found = new Map((groups[place] ?? []).map(({ value, ...counts }) => [value, counts]));
        t.same(found, expected, JSON.stringify({ first, second, key }));
      }
    }
});

t.test('a part has the counts of its clicks, however many texts it has', async (t) => {
  for (const size of [0, 1, 5000]) {
    const clicks = randomClicks(size).map((click, place) => ({ ...click, browser: `browser-${place % 3000}` }));
    const builder = build(clicks);
    t.same(builder.counts, countsByHand(clicks));
    const columns = builder.columns();
    t.equal(columns.get('browser')?.dictionary.size, Math.min(size, 3000));
    t.equal(columns.get('browser')?.codes.length, size);
  }
});

t.test('groups that were counted elsewhere are added, and those with the most clicks come first', async (t) => {
  const clicks = randomClicks(500);
  for (const [key, valuesOf] of KEYS) {
    const count = new ColumnCount({ conditions: [], keys: [key], tagged: TAGGED });
    count.add(build(clicks).columns());
    const [counted = []] = count.most([{ key, limit: 100 }]);
    const more = { value: valuesOf(clicks[0] as Click)[0] as string | null, all: 5000, human: 400, unique: 30 };
    const other = { ...more, value: typeof key === 'object' && 'field' in key && key.field === 'link' ? D : 'other' };
    count.addGroups([[more, other]]);
    const known = counted.find(({ value }) => value === more.value);
    const sum = { all: 5000 + (known?.all ?? 0), human: 400 + (known?.human ?? 0), unique: 30 + (known?.unique ?? 0) };
    for (const measure of ['human', 'unique', 'all'] as const)
      t.same(count.most([{ key, limit: 2, measure }]), [[{ value: more.value, ...sum }, other]], JSON.stringify([key, measure]));
    t.equal(count.most([{ key, limit: 100 }])[0]?.length, counted.length + 1);
  }
});

t.test('the sums of one count can be sent to another and added, whichever has more groups', async (t) => {
  const [some, more] = [randomClicks(20), randomClicks(500)].map((clicks, place) =>
    build(clicks.map((click, index) => ({ ...click, browser: `browser-${place}-${index % 300}` }))).columns(),
  ) as [Columns, Columns];
  const counting = { conditions: [], keys: [...KEYS.map(([key]) => key), { field: 'browser' }] as const, tagged: TAGGED };
  const countOf = (parts: readonly Columns[]) => {
    const count = new ColumnCount(counting);
    for (const part of parts) count.add(part);
    return count;
  };
  const groupings = counting.keys.map((key) => ({ key, limit: 1000 }));
  const expected = countOf([some, more]).most(groupings);
  for (const [own, other] of [
    [[some], [more]],
    [[more], [some]],
    [[], [some, more]],
    [[some, more], []],
  ] as const) {
    const count = countOf(own);
    await count.addPacked(structuredClone(countOf(other).packed()));
    t.same(count.most(groupings), expected);
    count.add(some);
    t.same(count.most(groupings), countOf([some, more, some]).most(groupings), 'it counts on');
  }
});
