import t from 'tap';
import { GenerationCache } from '../../../shared/base/generation-cache.js';

const wordsOf = (text: string) => ({ words: text.split(' ') });

t.test('the value of a text is computed once', async (t) => {
  const cache = new GenerationCache(10, wordsOf);
  const first = cache.of('a b');
  t.same(first, { words: ['a', 'b'] });
  t.equal(cache.of('a b'), first);
  t.same(cache.of('c'), { words: ['c'] });
  t.same(cache.stats(), { hits: 1, misses: 2, entries: 2 });
});

t.test('texts that share a place in the cache are distinguished, and each entry keeps its first string', async (t) => {
  const cache = new GenerationCache(10, wordsOf);
  const one = 'same length, other middle: 1 ...';
  const other = 'same length, other middle: 2 ...';
  for (let round = 0; round < 3; round++) {
    const copy = Buffer.from(one).toString();
    t.strictSame(cache.entryOf(copy), { text: one, value: { words: wordsOf(one).words } });
    t.same(cache.of(other), wordsOf(other));
    t.same(cache.of(''), { words: [''] });
  }
  t.equal(cache.stats().misses, 3);
});

t.test('a flood of invented texts takes a limited number of entries and displaces no text in use', async (t) => {
  const cache = new GenerationCache(50, wordsOf);
  const kept = cache.of('in use');
  for (let index = 0; index < 5000; index++) {
    cache.of(`text ${index}`);
    if (index % 20 === 0) t.equal(cache.of('in use'), kept);
    if (cache.stats().entries > 100) t.fail('more entries than two generations');
  }
  t.equal(cache.stats().misses, 5001);
});
