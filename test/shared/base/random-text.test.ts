import t from 'tap';
import { randomBase62, randomInt64 } from '../../../shared/base/random-text.js';

t.test('random text has the requested length, in base62 characters alone', async (t) => {
  for (const length of [0, 1, 7, 32, 100]) t.match(randomBase62(length), new RegExp(`^[0-9A-Za-z]{${length}}$`));
});

t.test('all characters are equally likely', async (t) => {
  const drawn = 62_000;
  const counts = new Map<string, number>();
  for (const character of randomBase62(drawn)) counts.set(character, (counts.get(character) ?? 0) + 1);
  t.equal(counts.size, 62);
  // Chi-squared with 61 degrees of freedom exceeds 131 in one of a million runs. Taking bytes modulo 62 without rejecting some
  // would favour the first eight characters by a quarter, and give about 250.
  const expected = drawn / 62;
  const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  t.ok(chiSquared < 131, String(chiSquared));
});

t.test('no two random texts are equal', async (t) => {
  t.equal(new Set(Array.from({ length: 1000 }, () => randomBase62(20))).size, 1000);
});

t.test('random numbers fit a signed 64-bit integer, use its whole range, and differ', async (t) => {
  const numbers = Array.from({ length: 1000 }, () => BigInt(randomInt64()));
  t.ok(numbers.every((number) => number >= 0n && number < 2n ** 63n));
  t.ok(numbers.some((number) => number >= 2n ** 62n) && numbers.some((number) => number < 2n ** 62n));
  t.equal(new Set(numbers).size, 1000);
});
