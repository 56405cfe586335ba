import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { withSecretsOfFiles } from '../../../shared/base/secret-files.js';
import { readSettings, SettingError, text } from '../../../shared/base/settings.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SECRETS = {
  key: { name: 'KEY', help: 'secret key', fallback: null, parse: text, secret: true },
  plain: { name: 'PLAIN', help: 'no secret', fallback: '', parse: text },
} as const;

const secretsOf = (environment: NodeJS.ProcessEnv) => readSettings(SECRETS, withSecretsOfFiles(SECRETS, environment));

function secretFile(t: Test, content: string): string {
  const file = join(temporaryFolder(t), 'secret');
  writeFileSync(file, content);
  return file;
}

t.test('a secret can be read from a file, with or without a line break at its end', async (t) => {
  for (const content of ['k1:abc=', 'k1:abc=\n', 'k1:abc=\r\n']) t.equal(secretsOf({ KEY_FILE: secretFile(t, content) }).key, 'k1:abc=');
  t.equal(secretsOf({ KEY: '', KEY_FILE: secretFile(t, 'k') }).key, 'k', 'an empty variable counts as missing');
  t.equal(secretsOf({ KEY: 'k', KEY_FILE: '' }).key, 'k', 'an empty file name counts as missing');
  t.equal(secretsOf({ KEY: 'k', PLAIN_FILE: secretFile(t, 'x') }).plain, '', 'a setting that is not a secret cannot come from a file');
});

t.test('an unusable secret file is refused in one line that does not show its content', async (t) => {
  const refusal = (environment: NodeJS.ProcessEnv) => {
    try {
      secretsOf(environment);
    } catch (error) {
      if (error instanceof SettingError) return error.message;
    }
    return 'taken';
  };
  const folder = temporaryFolder(t);
  t.equal(refusal({ KEY: 'k', KEY_FILE: secretFile(t, 'k') }), 'KEY and KEY_FILE are both set: remove one of them');
  t.equal(refusal({ KEY_FILE: join(folder, 'none') }), `KEY_FILE names "${join(folder, 'none')}", which cannot be read: ENOENT`);
  t.equal(refusal({ KEY_FILE: folder }), `KEY_FILE names "${folder}", which cannot be read: EISDIR`);
  t.match(refusal({ KEY_FILE: secretFile(t, '\n') }), /^KEY_FILE names ".*", which is empty$/);
  for (const content of ['first\nsecond', 'nul\0', 'x'.repeat(70_000)])
    t.match(refusal({ KEY_FILE: secretFile(t, content) }), /^KEY_FILE names ".{1,200}", which must be one line of text$/);
});

t.test('a child process gets the secrets from files as values, without file names', async (t) => {
  const KEY_FILE = secretFile(t, 'k\n');
  const environment = { KEY_FILE, PLAIN: 'p' };
  t.strictSame(withSecretsOfFiles(SECRETS, environment), { KEY: 'k', PLAIN: 'p' });
  t.strictSame(environment, { KEY_FILE, PLAIN: 'p' }, 'the original environment is unchanged');
  t.strictSame(withSecretsOfFiles(SECRETS, { KEY: 'k' }), { KEY: 'k' });
});
