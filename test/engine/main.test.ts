import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { formatIdentity, identify } from '../../shared/base/process-identity.js';
import { makeCertificate } from '../support/certificates.js';
import { TEST_SECRETS_KEYS } from '../support/engine.js';

const MAIN = fileURLToPath(new URL('../../engine/main.js', import.meta.url));

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the engine until it ends, as it does by itself in these tests. */
function run(dataDir: string, environment: Readonly<Record<string, string>> = {}, parameters: readonly string[] = []): Promise<Run> {
  const settings = {
    DATABASE_URL: 'postgres://127.0.0.1:9/none',
    SECRETS_KEYS: TEST_SECRETS_KEYS,
    DATA_DIR: dataDir,
    ENGINE_PORT: '0',
    ENGINE_TLS_PORT: '0',
    ENGINE_ADMIN_PORT: '0',
    ENGINE_HOST: '127.0.0.1',
    REDIRECT_PROCESSES: '1',
  };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...parameters],
      { env: { PATH: process.env.PATH, ...settings, ...environment }, timeout: 20_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

async function takenPort(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

t.test('--help lists every setting', async (t) => {
  const { code, stdout } = await run(t.testdir(), {}, ['--help']);
  t.equal(code, 0);
  for (const name of ['DATABASE_URL', 'ENGINE_PORT', 'ENGINE_ADMIN_PORT', 'REDIRECT_PROCESSES', 'SPOOL_BYTES_MAX']) t.match(stdout, name);
});

for (const [what, environment, parameters, line] of [
  ['an unknown flag', {}, ['--fast'], /^Unknown option '--fast'/],
  ['a missing setting', { DATABASE_URL: '' }, [], /^DATABASE_URL is missing: /],
  ['a malformed setting', { ENGINE_PORT: 'http' }, [], /^ENGINE_PORT is malformed: .*"http"/],
  ['a secret given twice', { SECRETS_KEYS_FILE: '/nowhere' }, [], /^SECRETS_KEYS and SECRETS_KEYS_FILE are both set: /],
  [
    'a missing file of a secret',
    { SECRETS_KEYS: '', SECRETS_KEYS_FILE: '/nowhere' },
    [],
    /^SECRETS_KEYS_FILE names "\/nowhere", .*ENOENT$/m,
  ],
  ['a malformed key', { SECRETS_KEYS: 'nonsense' }, [], /^SECRETS_KEYS is malformed: /],
  ['an id of two keys', { SECRETS_KEYS: `${TEST_SECRETS_KEYS},${TEST_SECRETS_KEYS}` }, [], /^SECRETS_KEYS names the key ".*" twice: /],
] as const)
  t.test(`${what} stops the start with one line that names it`, async (t) => {
    const { code, stderr } = await run(t.testdir(), environment, parameters);
    t.equal(code, 1);
    t.match(stderr, line);
    t.equal(stderr.trimEnd().split('\n').length, 1);
  });

for (const setting of ['ENGINE_PORT', 'ENGINE_TLS_PORT', 'ENGINE_ADMIN_PORT'])
  t.test(`${setting} in use by another program stops the start with one line`, async (t) => {
    const taken = await takenPort();
    t.teardown(() => taken.close());
    const { certificate, key } = makeCertificate({ names: ['go.shop.example'] });
    const folder = t.testdir({ certificates: { 'go.pem': certificate + key } });
    const environment = { TLS_CERTIFICATES_DIR: join(folder, 'certificates'), [setting]: String(taken.port) };
    const { code, stderr } = await run(folder, environment);
    t.equal(code, 1);
    t.equal(stderr, `${setting} ${taken.port} on 127.0.0.1 cannot be used: EADDRINUSE\n`);
  });

t.test('one port for two settings stops the start with one line that names both', async (t) => {
  const { certificate, key } = makeCertificate({ names: ['go.shop.example'] });
  const folder = t.testdir({ certificates: { 'go.pem': certificate + key } });
  const taken = await takenPort();
  const port = String(taken.port);
  taken.close();
  for (const [setting, other, environment] of [
    ['ENGINE_ADMIN_PORT', 'ENGINE_PORT', {}],
    ['ENGINE_ADMIN_PORT', 'ENGINE_PORT', { ENGINE_HOST: '0.0.0.0' }],
    ['ENGINE_TLS_PORT', 'ENGINE_PORT', { TLS_CERTIFICATES_DIR: join(folder, 'certificates') }],
  ] as const) {
    const { code, stderr } = await run(folder, { ...environment, [setting]: port, [other]: port });
    t.equal(code, 1);
    t.equal(stderr, `${setting} and ${other} are both ${port}; set another port\n`);
  }
});

t.test('certificates that cannot be used stop the start with one line that says why', async (t) => {
  const dir = t.testdir({ empty: { README: '' }, broken: { 'a.pem': 'half of a fi' } });
  for (const [folder, reason] of [
    ['none', /none: it cannot be read: ENOENT\n$/],
    ['empty', /empty: it contains no certificate\n$/],
    ['broken', /a\.pem: it contains neither a certificate nor a private key\n$/],
  ] as const) {
    const { code, stderr } = await run(join(dir, 'data'), { TLS_CERTIFICATES_DIR: join(dir, folder) });
    t.equal(code, 1);
    t.match(stderr, /^TLS_CERTIFICATES_DIR cannot be used: /);
    t.match(stderr, reason);
  }
});

t.test('a file of countries that cannot be used stops the start with one line that says why', async (t) => {
  const dir = t.testdir({ 'broken.mmdb': 'half of a fi' });
  for (const [file, reason] of [
    ['missing.mmdb', 'ENOENT'],
    ['broken.mmdb', "it is not a whole file in MaxMind's format (.mmdb)"],
  ] as const) {
    const { code, stderr } = await run(join(dir, 'data'), { COUNTRY_DATABASE: join(dir, file) });
    t.equal(code, 1);
    t.equal(stderr, `COUNTRY_DATABASE "${join(dir, file)}" cannot be used: ${reason}\n`);
  }
});

t.test('a DATA_DIR that is not a folder stops the start with one line', async (t) => {
  const file = join(t.testdir({ file: '' }), 'file');
  const { code, stderr } = await run(file);
  t.equal(code, 1);
  t.equal(stderr, `DATA_DIR ${file} cannot be used: ENOTDIR\n`);
});

t.test('a second engine on one data folder says so and ends', async (t) => {
  const dataDir = t.testdir();
  mkdirSync(join(dataDir, 'engine'));
  const self = identify(process.pid);
  if (self === null) return t.fail('this process has no identity');
  writeFileSync(join(dataDir, 'engine', 'lock'), formatIdentity(self));
  const { code, stderr } = await run(dataDir);
  t.equal(code, 1);
  t.match(stderr, `another engine (process ${process.pid}) runs on ${join(dataDir, 'engine')}\n`);
});
