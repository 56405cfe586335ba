import t from 'tap';
import { compileBlot } from '../../../shared/secrets/blot.js';
import fc from '../../support/properties.js';
import { SPELLINGS } from '../../support/secret-spellings.js';

const SECRET = 'sk-Live/9+"A\\b 7%41&z';

for (const [name, spell] of Object.entries(SPELLINGS))
  t.test(`a secret written ${name} is hidden, and the text around it stays`, async (t) => {
    const blot = compileBlot(SECRET);
    t.equal(blot(`before <${spell(SECRET)}> after`), name === 'as a form' ? 'before <text=********> after' : 'before <********> after');
    t.equal(blot(`${spell(SECRET)} ${spell(SECRET)}`).includes('9'), false, 'every occurrence');
  });

t.test('a text without the secret stays the same, whatever escapes it has', async (t) => {
  const blot = compileBlot(SECRET);
  for (const text of ['', 'Shoe', '100 % wool & "more"', '\\u0041%41&amp;&#65;\\', 'https://example.com/a%20b?c=%', 'İstanbul\0'])
    t.equal(blot(text), text);
  t.equal(compileBlot(null)('anything'), 'anything');
});

t.test('a text that is cut off inside the secret ends in stars', async (t) => {
  const blot = compileBlot(SECRET);
  const url = `x=${encodeURIComponent(SECRET)}`;
  for (let length = 3; length < url.length; length++) {
    const shown = blot(url.slice(0, length), 'cut');
    t.equal(shown.replace(/[\\%&][#\w]*$/, ''), 'x=********', url.slice(0, length));
  }
});

t.test('no spelling of a secret shows it', async () => {
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
    maxLength: 80,
  });
  fc.assert(
    fc.property(visible, fc.constantFrom(...Object.values(SPELLINGS)), fc.string(), fc.string(), (secret, spell, before, after) => {
      const spelt = spell(secret);
      const shown = compileBlot(secret)(`${before}<${spelt}>${after}`);
      return !shown.includes(spelt) && !shown.toLowerCase().includes(secret.toLowerCase());
    }),
    { numRuns: 500 },
  );
});

t.test('a search for a long secret in a long text takes less than two seconds', async (t) => {
  const blot = compileBlot(`${'a'.repeat(4_000)}b`);
  const started = performance.now();
  blot('a'.repeat(256 * 1024));
  blot('%61'.repeat(80 * 1024));
  t.ok(performance.now() - started < 2_000);
});
