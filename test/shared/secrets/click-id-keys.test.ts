import { randomBytes } from 'node:crypto';
import t from 'tap';
import { encodeUlid, ID_PREFIXES, idBytes, idTimeMs, isId, newId } from '../../../shared/base/ids.js';
import { deriveClickIdKeys, isSignedClickId, newClickId } from '../../../shared/secrets/click-id-keys.js';
import type { SecretKeys } from '../../../shared/secrets/seal.js';

const first = randomBytes(32);
const second = randomBytes(32);
const keysOf = (...keys: readonly Buffer[]): SecretKeys => ({
  current: '0',
  keys: new Map(keys.map((key, index) => [String(index), key])),
});
const keys = deriveClickIdKeys(keysOf(first));
const NOW = 1_790_000_000_000;

t.test('a signed id has the form and time of every click id', async (t) => {
  const id = newClickId(keys, NOW);
  t.ok(isId('click', id));
  t.equal(id.length, ID_PREFIXES.click.length + 26);
  t.equal(idTimeMs('click', id), NOW);
});

t.test('a host with the keys distinguishes a signed id from an invented one', async (t) => {
  t.ok(isSignedClickId(keys, newClickId(keys, NOW)));
  for (let tries = 0; tries < 1000; tries++) if (isSignedClickId(keys, newId('click'))) t.fail('an unsigned id was accepted');
  for (const text of ['', 'clk_', 'clk_x', newId('link'), `${newClickId(keys, NOW)}x`]) t.notOk(isSignedClickId(keys, text), text);
});

t.test('a signature is invalid if any other bit of the id changes', async (t) => {
  const whole = idBytes('click', newClickId(keys, NOW)) as Uint8Array;
  for (let bit = 0; bit < 128; bit++) {
    const bytes = Uint8Array.from(whole);
    bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
    if (isSignedClickId(keys, ID_PREFIXES.click + encodeUlid(bytes))) t.fail(`bit ${bit}`);
  }
});

t.test('click ids from before and after a rotation are valid on every host while both keys are set', async (t) => {
  const before = newClickId(keys, NOW);
  const rotated = deriveClickIdKeys(keysOf(second, first));
  const after = newClickId(rotated, NOW);
  t.ok(isSignedClickId(rotated, before));
  t.ok(isSignedClickId(rotated, after));
  t.ok(isSignedClickId(deriveClickIdKeys(keysOf(first, second)), after), 'a host that signs with the old key accepts the new one');
  t.notOk(isSignedClickId(deriveClickIdKeys(keysOf(second)), before), 'the key was removed');
});

t.test('two ids of the same millisecond differ', async (t) => {
  t.equal(new Set(Array.from({ length: 2000 }, () => newClickId(keys, NOW))).size, 2000);
});
