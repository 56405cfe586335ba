import { randomInt } from 'node:crypto';
import t from 'tap';
import { COLUMN_FIELDS, type ColumnField } from '../../../../control-plane/click-figures/columns/column.js';
import type { Columns } from '../../../../control-plane/click-figures/columns/column-count.js';
import { mergeColumns } from '../../../../control-plane/click-figures/columns/merge.js';
import { buildPart } from '../../../support/column-rows.js';

const FIELDS = ['link', 'item', 'country', 'browser'] as const;
const MERGED: readonly ColumnField[] = ['visitor_hash', 'bot', 'quarter', ...FIELDS];
const one = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;
const LINKS = Array.from({ length: 9 }, (_, link) => `${(link * 0x1c71c71c).toString(16).padStart(8, '0')}-0000-7000-8000-00000000000a`);

/** Clicks of some visitors. Values of the two halves of the texts occur in each with a probability of a half. */
function randomClicks(count: number, visitors: number) {
  const texts = ['', 'a', 'aa', 'ab', 'b', 'Österreich', 'z'].filter(() => randomInt(2) === 0);
  return Array.from({ length: count }, () => ({
    visitor: one([1n, -1n]) * BigInt(randomInt(visitors)) * 1_234_567_890_123n,
    bot: randomInt(4) === 0,
    at: Date.parse('2026-11-18T00:00:00Z') + randomInt(86_400_000),
    link: one([null, ...LINKS]),
    item: one([null, ...texts]),
    country: texts.length === 0 ? null : one(texts),
    browser: null,
  }));
}

/** Values in place of codes, so that differences can be read. */
function shown(columns: Columns) {
  const fields = [...columns].map(([field, { dictionary, codes }]) => {
    const values = Array.from({ length: dictionary.size }, (_, place) => dictionary.value(place)?.toString('latin1') ?? null);
    return [field, { values, codes: [...codes] }] as const;
  });
  return Object.fromEntries(fields.sort(([field], [other]) => (field < other ? -1 : 1)));
}

t.test('merged columns are those of all clicks, whatever clicks, visitors and values the two have in common', async (t) => {
  for (const sizes of [
    [0, 0],
    [0, 5],
    [5, 0],
    [1, 1],
    [40, 3],
    [3, 40],
    [200, 60],
    [1000, 30],
  ] as const)
    for (const visitors of [1, 3, 20, 1000])
      for (let run = 0; run < 5; run++) {
        const [clicks, others] = [randomClicks(sizes[0], visitors), randomClicks(sizes[1], visitors)];
        const [base, added] = [buildPart(FIELDS, clicks).columns(), buildPart(FIELDS, others).columns()];
        const all = buildPart(FIELDS, [...clicks, ...others]).columns();
        t.same(shown(mergeColumns(base, added, MERGED)), shown(all), `${sizes} of ${visitors}`);
        const again = buildPart(FIELDS, randomClicks(7, visitors)).columns();
        t.equal(mergeColumns(mergeColumns(base, added, MERGED), again, ['country']).size, 2, 'the fields that are asked for, and visitors');
      }
});

t.test('columns without a field that is needed are refused', async (t) => {
  const columns = buildPart(FIELDS, randomClicks(3, 3)).columns();
  for (const field of COLUMN_FIELDS.filter((each) => columns.has(each))) {
    const without = new Map([...columns].filter(([each]) => each !== field));
    t.throws(() => mergeColumns(without, columns, MERGED), { message: `Columns without ${field} cannot be merged.` });
    t.throws(() => mergeColumns(columns, without, MERGED), { message: `Columns without ${field} cannot be merged.` });
  }
});
