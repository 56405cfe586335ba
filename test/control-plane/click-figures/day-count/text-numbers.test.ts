import t from 'tap';
import { TextNumbers } from '../../../../control-plane/click-figures/day-count/text-numbers.js';

const BLOCK = 8;

/** The hash of `TextNumbers`, from the state before a block to that after it. */
function hashFrom(state: number, block: Buffer): number {
  let value = state;
  for (let at = 0; at < BLOCK; at += 4) {
    const product = Math.imul(value ^ block.readInt32LE(at), 0x85ebca6b);
    value = product ^ (product >>> 15);
  }
  return value;
}

/** Returns texts that have the same hash if hashes begin with 0: each is one of two blocks, then one of two others, and so on. */
function textsOfOneHash(blocks: number): readonly Buffer[] {
  let texts: readonly Buffer[] = [Buffer.alloc(0)];
  let start = blocks * BLOCK;
  for (let block = 0; block < blocks; block++) {
    const found = new Map<number, Buffer>();
    for (let number = 0; ; number++) {
      // Numbers that follow each other seldom have the same hash.
      const text = Buffer.from((Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(BLOCK, '0'));
      const hash = hashFrom(start, text);
      const other = found.get(hash);
      found.set(hash, text);
      if (other === undefined) continue;
      texts = texts.flatMap((before) => [Buffer.concat([before, other]), Buffer.concat([before, text])]);
      start = hash;
      break;
    }
  }
  return texts;
}

t.test('texts that a visitor has chosen for their hashes are looked up as fast as others', async (t) => {
  const texts = textsOfOneHash(14);
  const numbers = new TextNumbers();
  const began = performance.now();
  const assigned = texts.map((text) => numbers.number(text, 0, text.length));
  t.ok(performance.now() - began < 2_000, 'it would take four seconds');
  t.strictSame(assigned, [...texts.keys()]);
  t.strictSame(
    texts.map((text) => numbers.number(text, 0, text.length)),
    assigned,
  );
});
