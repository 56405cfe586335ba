import t from 'tap';
import { TextNumbers } from '../../../../control-plane/click-figures/day-count/text-numbers.js';

/** Where FNV-1a begins by its definition. */
const USUAL_START = 0x811c9dc5;

function hashFrom(start: number, text: string): number {
  let value = start;
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
  return value;
}

/** Returns texts of the same hash by FNV-1a: each is one of two blocks, then one of two others, and so on. */
function textsOfOneHash(blocks: number): readonly string[] {
  let texts: readonly string[] = [''];
  let start = USUAL_START;
  for (let block = 0; block < blocks; block++) {
    const found = new Map<number, string>();
    for (let number = 0; ; number++) {
      const text = String(number).padStart(8, '0');
      const hash = hashFrom(start, text);
      const other = found.get(hash);
      found.set(hash, text);
      if (other === undefined) continue;
      texts = texts.flatMap((before) => [before + other, before + text]);
      start = hash;
      break;
    }
  }
  return texts;
}

t.test('texts that a visitor has chosen for their hashes are looked up as fast as others', async (t) => {
  const texts = textsOfOneHash(15).map((text) => Buffer.from(text));
  t.equal(new Set(texts.map((text) => hashFrom(USUAL_START, text.toString()))).size, 1);
  const numbers = new TextNumbers();
  const began = performance.now();
  const assigned = texts.map((text) => numbers.number(text, 0, text.length));
  t.ok(performance.now() - began < 3_000, 'it would take half a minute');
  t.strictSame(assigned, [...texts.keys()]);
  t.strictSame(
    texts.map((text) => numbers.number(text, 0, text.length)),
    assigned,
  );
});
