import { randomBytes } from 'node:crypto';
import t from 'tap';
import { parseSecretKeys, seal, sealedKeyId, unseal, webhookSecretPlace } from '../../../shared/secrets/seal.js';
import fc from '../../support/properties.js';

const oldKey = `old:${randomBytes(32).toString('base64')}`;
const newKey = `new:${randomBytes(32).toString('base64')}`;
const keys = parseSecretKeys(oldKey);

t.test('any sealed text can be opened at its place', async (t) => {
  const wellFormed = fc.string({ unit: 'grapheme' });
  fc.assert(fc.property(wellFormed, wellFormed, (plaintext, place) => unseal(keys, place, seal(keys, place, plaintext)) === plaintext));
  t.equal(webhookSecretPlace('wh_1'), 'webhook_endpoints/wh_1/secret');
});

t.test('the id of a key may have any characters', async (t) => {
  for (const id of ['2026-11', 'a b', 'schlüssel', 'ключ', '😀'.repeat(16)]) {
    const own = parseSecretKeys(`${id}:${randomBytes(32).toString('base64')}`);
    const sealed = seal(own, 'p', 'whsec_plain');
    t.equal(sealedKeyId(sealed), id);
    t.equal(unseal(own, 'p', sealed), 'whsec_plain');
  }
});

t.test('a sealed text that is moved to another row, cut short or changed in any byte cannot be opened', async (t) => {
  const sealed = seal(keys, 'a/1/secret', 'whsec_plain');
  t.throws(() => unseal(keys, 'a/2/secret', sealed));
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] as number) ^ 1;
    t.throws(() => unseal(keys, 'a/1/secret', altered), `byte ${at}`);
  }
  for (const whole of [sealed, seal(keys, 'a/1/secret', '')])
    for (let length = 0; length < whole.length; length++)
      t.throws(() => unseal(keys, 'a/1/secret', whole.subarray(0, length)), `${length} of ${whole.length} bytes`);
});

t.test('sealed bytes do not show the text, and differ each time', async (t) => {
  const [first, second] = [seal(keys, 'p', 'whsec_plain'), seal(keys, 'p', 'whsec_plain')];
  t.equal(first.includes('whsec_plain'), false);
  t.equal(first.equals(second), false);
});

t.test('after a rotation the first key seals, and the old one still opens', async (t) => {
  const before = seal(keys, 'p', 'secret');
  const rotated = parseSecretKeys(`${newKey}, ${oldKey}`);
  t.equal(unseal(rotated, 'p', before), 'secret');
  t.equal(sealedKeyId(before), 'old');
  t.equal(sealedKeyId(seal(rotated, 'p', 'secret')), 'new');
  t.throws(() => unseal(parseSecretKeys(newKey), 'p', before), { message: /sealed with key "old"/ });
});

t.test('malformed keys are refused and not repeated in the message', async (t) => {
  const key = randomBytes(32).toString('base64');
  for (const text of [
    '',
    'x',
    'id:',
    `:${key}`,
    `${'i'.repeat(33)}:${key}`,
    `id:${randomBytes(31).toString('base64')}`,
    `a:${key},b`,
    `a:${key}:junk`,
    `a:${key}:`,
  ]) {
    const error = t.throws(() => parseSecretKeys(text), { name: 'SettingError', message: /^SECRETS_KEYS is malformed/ }, text) as Error;
    t.equal(error.message.includes(key), false);
  }
});

t.test('two keys with one id are refused, and neither is repeated in the message', async (t) => {
  const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  for (const text of [`k1:${first},k1:${second}`, `k2:${second}, k1:${first} , k1:${first}`]) {
    const error = t.throws(() => parseSecretKeys(text), {
      name: 'SettingError',
      message: /^SECRETS_KEYS names the key "k1" twice/,
    }) as Error;
    for (const key of [first, second]) t.equal(error.message.includes(key), false);
  }
});
