import t from 'tap';
import { sharedSettings } from '../../../shared/base/service-settings.js';
import { readSettings } from '../../../shared/base/settings.js';

const REQUIRED = { DATABASE_URL: 'postgres://host/db', SECRETS_KEYS: 'k' };

t.test('the settings that both halves read have defaults, except for the database and the keys', async (t) => {
  t.match(readSettings(sharedSettings, REQUIRED), {
    serviceName: 'Service',
    queueDatabaseUrl: '',
    outboundAllow: [],
    linkScheme: 'https',
    linkPort: 0,
  });
  for (const name of Object.keys(REQUIRED))
    t.throws(() => readSettings(sharedSettings, { ...REQUIRED, [name]: '' }), { message: new RegExp(`^${name} is missing`) });
});

t.test('the service name is a word that is allowed in a header name', async (t) => {
  for (const name of ['Acme', 'a', 'Acme-Links2', 'x'.repeat(32)])
    t.equal(readSettings(sharedSettings, { ...REQUIRED, SERVICE_NAME: name }).serviceName, name);
  for (const name of ['two words', 'x'.repeat(33), 'naïve', 'a_b', 'a\r\nb'])
    t.throws(() => readSettings(sharedSettings, { ...REQUIRED, SERVICE_NAME: name }), { name: 'SettingError' }, JSON.stringify(name));
});

t.test('allowed origins are normalised, and anything that is not an origin is refused', async (t) => {
  const read = (value: string) => readSettings(sharedSettings, { ...REQUIRED, OUTBOUND_ALLOW: value }).outboundAllow;
  t.strictSame(read('http://127.0.0.1:4000/, HTTPS://Example.com:443'), ['http://127.0.0.1:4000', 'https://example.com']);
  for (const value of ['127.0.0.1:4000', 'localhost', 'data:text/plain,x', 'http://', 'ftp://127.0.0.1', 'wss://example.com'])
    t.throws(() => read(value), { name: 'SettingError' }, value);
});

t.test('an origin with a path, query or user is refused, since these would restrict nothing', async (t) => {
  const read = (value: string) => readSettings(sharedSettings, { ...REQUIRED, OUTBOUND_ALLOW: value }).outboundAllow;
  for (const part of ['/hook', '/?', '/?a=b', '?a=b', '#top', '/#'])
    t.throws(() => read(`http://127.0.0.1:4000${part}`), {
      message: `OUTBOUND_ALLOW is malformed: expected origins alone, without user, path, query or fragment: write http://127.0.0.1:4000, got "http://127.0.0.1:4000${part}"`,
    });
  for (const value of ['http://user:hunter2@127.0.0.1:4000', 'user:hunter2@127.0.0.1']) {
    const error = t.throws(() => read(value), { name: 'SettingError' }) as Error;
    t.notMatch(error.message, /hunter2/);
  }
});

t.test('a malformed connection string stops the start with one line that names the setting and hides the password', async (t) => {
  for (const name of ['DATABASE_URL', 'DATABASE_POOL_URL', 'QUEUE_DATABASE_URL', 'CLICKHOUSE_URL'])
    for (const value of ['mysql://user:hunter2@host/db', 'host=host password=hunter2', 'postgres://user:hunter2@host:99999/db']) {
      const error = t.throws(() => readSettings(sharedSettings, { ...REQUIRED, [name]: value }), { name: 'SettingError' }) as Error;
      t.match(error.message, new RegExp(`^${name} is malformed: expected `));
      t.notMatch(error.message, /hunter2|\n/);
    }
  for (const value of ['', 'none', 'postgres://user@/db?host=/tmp'])
    t.equal(readSettings(sharedSettings, { ...REQUIRED, QUEUE_DATABASE_URL: value }).queueDatabaseUrl, value);
  t.throws(() => readSettings(sharedSettings, { ...REQUIRED, DATABASE_URL: 'none' }), { message: /^DATABASE_URL is malformed/ });
});
