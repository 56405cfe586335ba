import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Credentials, credentialsFile, readKeys, writeCredentials } from '../../../deploy/local/credentials.js';

const CREDENTIALS: Credentials = {
  base_url: 'http://localhost:3000/v1',
  dashboard_url: 'http://localhost:3000/dashboard/',
  test: { secret_key: 'sk_test_a', publishable_key: 'pk_test_a', link_origin: 'http://test.localhost:8080' },
  live: { secret_key: 'sk_live_a', publishable_key: 'pk_live_a', link_origin: 'http://live.localhost:8080' },
};

t.test('credentials are written to a private file, and their keys are read back', async (t) => {
  const folder = t.testdir();
  writeCredentials(folder, CREDENTIALS);
  t.equal(statSync(credentialsFile(folder)).mode & 0o777, 0o600);
  t.strictSame(readKeys(folder), {
    test: { secret_key: 'sk_test_a', publishable_key: 'pk_test_a' },
    live: { secret_key: 'sk_live_a', publishable_key: 'pk_live_a' },
  });
});

t.test('a lost or damaged file counts as lost keys, and a missing key only as that of its environment', async (t) => {
  const none = { test: null, live: null };
  const cases: [string | null, unknown][] = [
    [null, none],
    ['', none],
    ['{"test":', none],
    ['null', none],
    ['[]', none],
    ['{"test": 7, "live": {"secret_key": "sk"}}', none],
    [JSON.stringify({ ...CREDENTIALS, live: undefined }), { test: { secret_key: 'sk_test_a', publishable_key: 'pk_test_a' }, live: null }],
  ];
  for (const [text, expected] of cases) {
    const folder = t.testdir();
    if (text !== null) writeFileSync(join(folder, 'credentials.json'), text);
    t.strictSame(readKeys(folder), expected, String(text));
  }
});
