import t from 'tap';
import { linesOf } from '../../../shared/base/lines.js';
import fc from '../../support/properties.js';

async function lines(chunks: readonly Uint8Array[], charactersMax = 8192): Promise<string[]> {
  async function* stream() {
    yield* chunks;
  }
  const found: string[] = [];
  for await (const line of linesOf(stream(), charactersMax)) found.push(line);
  return found;
}

t.test('lines do not depend on how the bytes are split into chunks', async (t) => {
  const property = fc.asyncProperty(
    fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '\r') }), { maxLength: 8 }),
    fc.constantFrom('\n', '\r\n'),
    fc.array(fc.nat(40), { maxLength: 6 }),
    async (texts, ending, cuts) => {
      const bytes = Buffer.from(texts.map((text) => text + ending).join(''));
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      const expected = texts.map((text) => (ending === '\n' && text.endsWith('\r') ? text.slice(0, -1) : text));
      t.same(await lines(chunks), expected);
    },
  );
  await fc.assert(property);
});

t.test('only LF ends a line, and a byte order mark is left out at the beginning alone', async (t) => {
  const text = '\uFEFFa\u2028b\u2029c\u0085d\re\vf\r\n\uFEFFg';
  for (const size of [1, 2, 100]) {
    const bytes = Buffer.from(text);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
    t.same(await lines(chunks, Number.POSITIVE_INFINITY), ['a\u2028b\u2029c\u0085d\re\vf', '\uFEFFg']);
  }
});

t.test('the last line may lack a line break, and a final line break adds no line', async (t) => {
  t.same(await lines([Buffer.from('a\nb')]), ['a', 'b']);
  t.same(await lines([Buffer.from('a\nb\n')]), ['a', 'b']);
  t.same(await lines([]), []);
});

t.test('a line without an end is cut soon after the permitted length', async (t) => {
  const chunk = Buffer.alloc(1_000_000, 'x');
  const [line] = await lines([chunk, chunk, chunk], 100);
  t.ok((line?.length ?? 0) > 100 && (line?.length ?? 0) <= 102);
});
