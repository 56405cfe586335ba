import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import type { Finding } from '../../../control-plane/cli/finding.js';
import { examine } from '../../../deploy/doctor/examine.js';
import { parseSecretKeys, type SecretKeys, seal, webhookSecretPlace } from '../../../shared/secrets/seal.js';
import { connect, makeEnvironment } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { TEST_SECRETS_KEYS } from '../../support/engine.js';
import { writeEngine } from '../../support/engine-row.js';
import { repairFault } from './repair-rule.js';

const own = await createDatabase();
const client = await connect(own.url);
t.teardown(async () => {
  await client.end();
  await own.drop();
});
const environment = (url: string) => ({ DATABASE_URL: url, SECRETS_KEYS: TEST_SECRETS_KEYS, DATA_DIR: t.testdirName });
const NOBODY = { outboundTarget: null, engines: null, controlPlanes: null };
const statusOf = (findings: readonly Finding[], wanted: string) =>
  findings.filter(({ check }) => check === wanted).map(({ status }) => status);

t.test('every check runs on a real database', async (t) => {
  await makeEnvironment(client);
  const findings = await examine(NOBODY, environment(own.url), Date.now());
  for (const check of ['settings', 'node', 'packages', 'data_dir', 'database', 'schema', 'connections', 'clock', 'secrets', 'proxies'])
    t.not(statusOf(findings, check)[0], undefined, check);
  for (const check of [
    'settings',
    'node',
    'packages',
    'data_dir',
    'database',
    'schema',
    'secrets',
    'pool',
    'queue',
    'proxies',
    'certificates',
  ])
    t.same(statusOf(findings, check), ['ok'], check);
  t.ok(
    findings.every(({ text }) => /^[^\n]+\.$/.test(text)),
    'each finding is one sentence',
  );
  for (const finding of findings) t.equal(repairFault(finding), '');
  t.same(statusOf(findings, 'outbound'), ['unchecked']);
});

t.test('connections are summed over all running processes as they report them, unless a number of processes is given', async (t) => {
  await client.query('INSERT INTO control_planes (id, connections) VALUES (gen_random_uuid(), 7), (gen_random_uuid(), 8)');
  for (const [connections, left] of [
    [100, false],
    [200, false],
    [400, true],
  ] as const) {
    const id = await writeEngine((text, values = []) => client.query(text, [...values]), { left });
    await client.query('UPDATE engines SET connections = $2 WHERE id = $1', [id, connections]);
  }
  t.teardown(() => client.query('TRUNCATE engines, control_planes'));
  const connections = async (asked: object, url = own.url) =>
    (await examine({ ...NOBODY, ...asked }, { ...environment(url), REDIRECT_PROCESSES: '2' }, Date.now())).find(
      ({ check }) => check === 'connections',
    )?.text;
  t.match(await connections({}), /^2 control planes and 2 engines open at most 315 connections/);
  t.match(await connections({ engines: 3 }), /^2 control planes and 3 engines open at most 75 connections/);
  t.match(await connections({ controlPlanes: 1 }), /^1 control plane and 2 engines open at most 330 connections/);

  // The limits do not hold for the superuser of these tests.
  const role = `limited_${client.database}`;
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'limited' IN ROLE pg_read_all_data CONNECTION LIMIT 20`);
  t.teardown(() => client.query(`DROP ROLE ${role}`));
  const url = Object.assign(new URL(own.url), { username: role, password: 'limited' }).href;
  t.match(await connections({}, url), /PostgreSQL has 20 for them/);
  await client.query(`ALTER DATABASE ${client.database} CONNECTION LIMIT 10`);
  t.teardown(() => client.query(`ALTER DATABASE ${client.database} CONNECTION LIMIT -1`));
  t.match(await connections({}, url), /PostgreSQL has 10 for them/);
  t.notMatch(await connections({}), /PostgreSQL has 10 for them/);
});

t.test('a key with the right name and other content is a failure', async (t) => {
  const { id } = await makeEnvironment(client);
  const [name] = TEST_SECRETS_KEYS.split(':');
  const other = parseSecretKeys(`${name}:${Buffer.alloc(32, 9).toString('base64')}`);
  const endpoint = (webhook: string, keys: SecretKeys) =>
    client.query(
      `INSERT INTO webhook_endpoints (id, environment_id, url, events, secret, created_at, updated_at)
       VALUES ($1, $2, 'https://hooks.example.com/', '{link.created}', $3, now(), now())`,
      [webhook, id, seal(keys, webhookSecretPlace(webhook), 'x')],
    );
  t.teardown(() => client.query('DELETE FROM webhook_endpoints'));
  const secrets = async () => (await examine(NOBODY, environment(own.url), Date.now())).find(({ check }) => check === 'secrets');
  await endpoint('wh_own', parseSecretKeys(TEST_SECRETS_KEYS));
  t.match(await secrets(), { status: 'ok' });
  await client.query('DELETE FROM webhook_endpoints');
  await endpoint('wh_other', other);
  t.match(await secrets(), { status: 'failure', text: /webhook_endpoints\/wh_other\/secret/, repair: /SECRETS_KEYS/ });
});

t.test('a secret without its key, and a migration that is missing, are failures', async (t) => {
  const { id } = await makeEnvironment(client);
  const sealed = seal(parseSecretKeys(`lost:${Buffer.alloc(32, 1).toString('base64')}`), 'x', 'y');
  await client.query(
    `INSERT INTO webhook_endpoints (id, environment_id, url, events, secret, created_at, updated_at)
     VALUES ('wh_x', $1, 'https://hooks.example.com/', '{link.created}', $2, now(), now())`,
    [id, sealed],
  );
  t.match(
    (await examine(NOBODY, environment(own.url), Date.now())).find(({ check }) => check === 'secrets'),
    {
      status: 'failure',
      text: /"lost"/,
    },
  );
  await client.query("DELETE FROM schema_migrations WHERE name LIKE '0002%'");
  await client.query("INSERT INTO schema_migrations (name, run_on) VALUES ('0999_later', now())");
  const findings = await examine(NOBODY, environment(own.url), Date.now());
  t.match(
    findings.find(({ check }) => check === 'schema'),
    { status: 'failure', text: /0002_/, repair: 'linkd migrate' },
  );
  t.same(statusOf(findings, 'secrets'), ['unchecked']);
  t.same(statusOf(findings, 'dns'), ['unchecked']);
});

t.test('a database that is away or never answers is one failure within 20 s', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  t.teardown(() => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  for (const url of ['postgres://postgres@127.0.0.1:1/none', `postgres://postgres@127.0.0.1:${port}/none`]) {
    const began = performance.now();
    const findings = await examine(NOBODY, environment(url), Date.now());
    t.ok(performance.now() - began < 20_000);
    t.same(statusOf(findings, 'database'), ['failure'], url);
    for (const check of ['schema', 'connections', 'clock', 'secrets', 'dns']) t.same(statusOf(findings, check), ['unchecked'], check);
    t.same(statusOf(findings, 'node'), ['ok'], 'checks that need no database still run');
  }
  t.match(
    (await examine(NOBODY, {}, Date.now())).find(({ check }) => check === 'database'),
    { text: /DATABASE_URL is not set/ },
  );
});
