import { resolve } from 'node:path';
import t from 'tap';
import { controlPlaneSettings } from '../../../control-plane/settings.js';
import { readLocalStart, readParameters, USAGE } from '../../../deploy/local/settings.js';
import { engineSettings } from '../../../engine/settings.js';

t.test('every setting has a default', async (t) => {
  const { local, ports } = readLocalStart({});
  t.match(local, { dataDir: resolve('.data'), databaseUrl: '', secretsKeys: '', linkScheme: 'http', linkPort: '', logLevel: 'warn' });
  t.match(ports, { controlPlane: { setting: 'CONTROL_PLANE_PORT', port: 3000 }, engine: { setting: 'ENGINE_PORT', port: 8080 } });
});

t.test('every port is on 127.0.0.1 by default', async (t) => {
  for (const { host, adminHost } of [controlPlaneSettings, engineSettings])
    t.same([host.fallback, adminHost.fallback], ['127.0.0.1', '127.0.0.1']);
});

t.test('a malformed setting of any process stops the start with one line that names it', async (t) => {
  const cases: Record<string, string> = {
    ENGINE_PORT: '80800',
    CONTROL_PLANE_PORT: 'x',
    ENGINE_ADMIN_PORT: '-1',
    DATABASE_URL: 'mysql://localhost/x',
    SECRETS_KEYS: 'a:b',
    PUBLIC_LINK_SCHEME: 'ftp',
    PUBLIC_LINK_PORT: 'http',
    OUTBOUND_ALLOW: 'nonsense',
    WEBHOOK_RETRY_DELAYS: '1,two',
    SERVICE_NAME: 'two words',
    LOG_LEVEL: 'loud',
  };
  for (const [name, value] of Object.entries(cases)) {
    const error = t.throws(() => readLocalStart({ [name]: value }), { name: 'SettingError' }) as Error;
    t.ok(error.message.startsWith(`${name} is malformed: `), error.message);
    t.notMatch(error.message, /\n/);
  }
});

t.test('SECRETS_KEYS with one id twice stops the start with one line that says so', async (t) => {
  const key = Buffer.alloc(32).toString('base64');
  t.throws(() => readLocalStart({ SECRETS_KEYS: `k1:${key},k1:${key}` }), {
    name: 'SettingError',
    message: /^SECRETS_KEYS names the key "k1" twice: [^\n]*$/,
  });
});

t.test('a file of countries that cannot be used stops the start before any process is started', async (t) => {
  t.throws(() => readLocalStart({ COUNTRY_DATABASE: '/nowhere/countries.mmdb' }), {
    name: 'SettingError',
    message: 'COUNTRY_DATABASE "/nowhere/countries.mmdb" cannot be used: ENOENT',
  });
});

t.test('the port of TLS is one of the ports that the start checks, if there are certificates', async (t) => {
  t.equal(readLocalStart({ ENGINE_TLS_PORT: '8444' }).ports.engineTls, null);
  const { ports, certificatesDir } = readLocalStart({ ENGINE_TLS_PORT: '8444', ENGINE_HOST: '::1', TLS_CERTIFICATES_DIR: '/certificates' });
  t.same([ports.engineTls, certificatesDir], [{ setting: 'ENGINE_TLS_PORT', host: '::1', port: 8444 }, '/certificates']);
});

t.test('ClickHouse without an address stops the start with one line', async (t) => {
  t.throws(() => readLocalStart({ CLICK_STORE: 'clickhouse' }), { name: 'SettingError', message: /^CLICKHOUSE_URL [^\n]*$/ });
});

t.test('the error of a malformed DATABASE_URL or SECRETS_KEYS does not show its value', async (t) => {
  for (const name of ['DATABASE_URL', 'SECRETS_KEYS']) {
    const error = t.throws(() => readLocalStart({ [name]: 'pg://user:hunter2@host' })) as Error;
    t.notMatch(error.message, /hunter2/);
  }
});

t.test('an unknown parameter is an error that names it, and --help and -h show the help', async (t) => {
  t.equal(readParameters([]), 'start');
  t.equal(readParameters(['--help']), 'help');
  t.equal(readParameters(['-h']), 'help');
  t.throws(() => readParameters(['--prot=1']), { name: 'SettingError', message: /"--prot=1"/ });
  t.throws(() => readParameters(['--help', 'now']), { name: 'SettingError', message: /"now"/ });
});

t.test('help shows the values that the start sets by itself', async (t) => {
  for (const line of [
    /DATA_DIR .*\(\.data\)/,
    /DATABASE_URL .*an embedded PostgreSQL/,
    /SECRETS_KEYS .*DATA_DIR\/secrets-key/,
    /PUBLIC_LINK_SCHEME .*\(http\)/,
  ])
    t.match(USAGE, line);
  t.notMatch(USAGE, /\(required\)/);
});
