import t from 'tap';
import { textExcerpt } from '../../../shared/base/text-excerpt.js';
import fc from '../../support/properties.js';

t.test('a text is cut between UTF-8 characters', async (t) => {
  for (const character of ['a', 'é', '€', '😀']) {
    const text = character.repeat(20);
    for (let max = 0; max <= 40; max++) {
      const bytes = Buffer.byteLength(character);
      t.equal(textExcerpt(Buffer.from(text), max), character.repeat(Math.min(20, Math.floor(max / bytes))), `${character} to ${max} bytes`);
    }
  }
});

t.test('an excerpt has as much of the text as fits, never more, and no NUL', async (t) => {
  const ofText = fc.property(fc.string({ unit: 'grapheme' }), fc.nat(100), (text, max) => {
    const excerpt = textExcerpt(Buffer.from(text), max);
    const whole = text.replaceAll('\0', '\uFFFD');
    const bytes = Buffer.byteLength(excerpt);
    return whole.startsWith(excerpt) && bytes <= max && (bytes > max - 4 || excerpt === whole);
  });
  t.doesNotThrow(() => fc.assert(ofText));
  const ofBytes = fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(100), (bytes, max) => {
    const excerpt = textExcerpt(bytes, max);
    return Buffer.byteLength(excerpt) <= max && !excerpt.includes('\0') && Buffer.from(excerpt).toString() === excerpt;
  });
  t.doesNotThrow(() => fc.assert(ofBytes, { numRuns: 2000 }));
});
