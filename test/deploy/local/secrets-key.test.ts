import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readOrMakeSecretsKeys } from '../../../deploy/local/secrets-key.js';
import { parseSecretKeys, seal, unseal } from '../../../shared/secrets/seal.js';

t.test('a key is made once and used from then on', async (t) => {
  const folder = t.testdir();
  const first = readOrMakeSecretsKeys('', folder);
  t.equal(first.made, true);
  t.equal(statSync(join(folder, 'secrets-key')).mode & 0o777, 0o600);
  const sealed = seal(parseSecretKeys(first.keys), 'place', 'secret');
  const second = readOrMakeSecretsKeys('', folder);
  t.strictSame(second, { keys: first.keys, made: false });
  t.equal(unseal(parseSecretKeys(second.keys), 'place', sealed), 'secret');
});

t.test('keys from the settings are used unchanged, and no file is made', async (t) => {
  const folder = t.testdir();
  t.strictSame(readOrMakeSecretsKeys('mine:abc', folder), { keys: 'mine:abc', made: false });
  t.throws(() => statSync(join(folder, 'secrets-key')), { code: 'ENOENT' });
});

t.test('keys of two data folders have different ids, and a damaged file is an error', async (t) => {
  const id = (keys: string) => keys.split(':')[0];
  t.not(id(readOrMakeSecretsKeys('', t.testdir({ a: {} })).keys), id(readOrMakeSecretsKeys('', t.testdir({ b: {} })).keys));
  const folder = t.testdir();
  writeFileSync(join(folder, 'secrets-key'), 'local:short');
  t.throws(() => readOrMakeSecretsKeys('', folder), { name: 'SettingError' });
});
