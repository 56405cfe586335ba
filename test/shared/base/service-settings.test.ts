import t from 'tap';
import { sharedSettings } from '../../../shared/base/service-settings.js';
import { readSettings } from '../../../shared/base/settings.js';

const REQUIRED = { DATABASE_URL: 'postgres://host/db', SECRETS_KEYS: 'k' };

t.test('what both halves read has defaults for all but the database and the keys', async (t) => {
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

t.test('the service name is a word that can stand in a header name', async (t) => {
  for (const name of ['Acme', 'a', 'Acme-Links2', 'x'.repeat(32)])
    t.equal(readSettings(sharedSettings, { ...REQUIRED, SERVICE_NAME: name }).serviceName, name);
  for (const name of ['two words', 'x'.repeat(33), 'naïve', 'a_b', 'a\r\nb'])
    t.throws(() => readSettings(sharedSettings, { ...REQUIRED, SERVICE_NAME: name }), { name: 'SettingError' }, JSON.stringify(name));
});

t.test('allowed origins are origins: normalised, without path, and nothing else', async (t) => {
  const read = (value: string) => readSettings(sharedSettings, { ...REQUIRED, OUTBOUND_ALLOW: value }).outboundAllow;
  t.strictSame(read('http://127.0.0.1:4000/, HTTPS://Example.com:443'), ['http://127.0.0.1:4000', 'https://example.com']);
  for (const value of ['127.0.0.1:4000', 'localhost', 'data:text/plain,x', 'http://'])
    t.throws(() => read(value), { name: 'SettingError' }, value);
});
