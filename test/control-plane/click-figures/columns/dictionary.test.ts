import { randomBytes, randomInt } from 'node:crypto';
import t from 'tap';
import {
  Dictionary,
  packDictionary,
  unpackDictionary,
  uuidBytes,
  uuidOf,
} from '../../../../control-plane/click-figures/columns/dictionary.js';

const sorted = (values: readonly Buffer[]) => [...values].sort(Buffer.compare);
const LONG = 'x'.repeat(20_000);
const CASES: readonly (readonly Buffer[])[] = [
  [],
  ['', 'DE', 'Österreich', '\u{1f600}'],
  ['a', 'aa', 'aaa', 'ab', 'b'],
  [LONG, `${LONG}1`, `${LONG}2`, `1${LONG}`],
  Array.from({ length: 500 }, (_, number) => `00000000-0000-7000-8000-000000000000/item-${number * 7}`),
].map((texts) => sorted(texts.map((text) => Buffer.from(text))));
const RANDOM = sorted(
  [...new Set(Array.from({ length: 300 }, () => randomBytes(randomInt(1, 4)).toString('hex')))].map((hex) => Buffer.from(hex, 'hex')),
);

t.test('values are found at their places, and are the same when they are unpacked', async (t) => {
  for (const values of [...CASES, RANDOM])
    for (const hasNull of [false, true]) {
      const made = Dictionary.of(values, hasNull);
      for (const dictionary of [made, unpackDictionary(packDictionary(made), hasNull)]) {
        const all = hasNull ? [null, ...values] : values;
        t.equal(dictionary.size, all.length);
        for (const [place, value] of all.entries()) {
          t.same(dictionary.value(place), value);
          t.equal(dictionary.place(value), place);
          t.equal(dictionary.isNull(place), value === null);
        }
        t.equal(dictionary.place(Buffer.from('neither')), -1);
        if (!hasNull) t.equal(dictionary.place(null), -1);
      }
    }
});

t.test('beginnings that values share are packed once', async (t) => {
  const values = CASES[4] as readonly Buffer[];
  t.ok(packDictionary(Dictionary.of(values, false)).length < values.length * 7);
});

t.test('values of two dictionaries are matched, without null', async (t) => {
  for (const values of [...CASES, RANDOM])
    for (const [ownNull, otherNull] of [
      [false, false],
      [true, true],
      [true, false],
    ] as const) {
      const dictionary = Dictionary.of(values, ownNull);
      const others = sorted([...values.filter((_, place) => place % 3 === 0), Buffer.from('neither')]);
      const other = Dictionary.of(others, otherNull);
      const matches: (readonly [Buffer | null, Buffer | null])[] = [];
      dictionary.match(other, (otherPlace, place) => matches.push([other.value(otherPlace), dictionary.value(place)]));
      t.same(
        matches,
        values.filter((_, place) => place % 3 === 0).map((value) => [value, value]),
      );
    }
});

t.test('a few values are found in a long dictionary as well', async (t) => {
  const values = Array.from({ length: 1_000 }, (_, place) => Buffer.from(String(place).padStart(4, '0')));
  for (const hasNull of [false, true]) {
    const dictionary = Dictionary.of(values, hasNull);
    const other = Dictionary.ofTexts(['', '0000', '0500', '0500.5', '0999', '1000'], true);
    const matches: (readonly [number, string | undefined])[] = [];
    dictionary.match(other, (otherPlace, place) => matches.push([otherPlace, dictionary.value(place)?.toString()]));
    t.same(matches, [
      [2, '0000'],
      [3, '0500'],
      [5, '0999'],
    ]);
  }
});

t.test('the bytes of a uuid are in the order of its text', async (t) => {
  const uuids = Array.from({ length: 100 }, () => uuidOf(randomBytes(16))).sort();
  t.same(
    sorted(uuids.map((uuid) => uuidBytes(uuid))).map((bytes) => uuidOf(bytes)),
    uuids,
  );
});
