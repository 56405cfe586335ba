import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createPool, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { createAuthenticate } from '../../../control-plane/http/authenticate.js';
import { createDatabase } from '../../support/database.js';

const LINKD = fileURLToPath(new URL('../../../control-plane/cli/linkd.js', import.meta.url));
const own = await createDatabase();
t.teardown(() => own.drop());

function linkd(parameters: string, databaseUrl: string = own.url) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LINKD, ...parameters.split(' ').filter(Boolean)], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  return { status, stdout, stderr };
}

function json(parameters: string) {
  const { status, stdout, stderr } = linkd(`--json ${parameters}`);
  return { status, stderr, value: JSON.parse(stdout) };
}

t.test('a project, its keys and their revocation', async (t) => {
  const created = json('project create --name Shop --live-host go.shop.example --test-host test.shop.example --time-zone Europe/Berlin');
  t.equal(created.status, 0);
  t.match(created.value, { id: /^prj_/, live_environment: /^env_/, test_environment: /^env_/, time_zone: 'Europe/Berlin' });
  t.match(json('project list').value, [
    { id: created.value.id, name: 'Shop', live_host: 'go.shop.example', test_host: 'test.shop.example' },
  ]);
  t.match(linkd('project list').stdout, /go\.shop\.example/);
  const environment = created.value.live_environment;
  t.match(json(`env show ${environment}`).value, { link_host: 'go.shop.example', open_host: 'open.go.shop.example' });
  t.equal(json(`env show ${created.value.id}`).value.length, 2);

  const key = json(`keys create --env ${environment} --name backend --scope links:write analytics:read`);
  t.match(key.value, { id: /^key_/, key: /^sk_live_[0-9A-Za-z]{32}$/ });
  const publishable = json(`keys create --env ${created.value.test_environment} --name app --kind publishable`);
  t.match(publishable.value.key, /^pk_test_/);
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const authenticate = () => createAuthenticate(databaseOf(pool))(`Bearer ${key.value.key}`);
  t.match(await authenticate(), {
    keyId: key.value.id,
    scopes: ['links:write', 'analytics:read'],
    environment: { id: environment, timeZone: 'Europe/Berlin' },
  });
  const [listed] = json(`keys list --env ${environment}`).value;
  t.match(listed, { id: key.value.id, name: 'backend', key: `sk_live_...${key.value.key.slice(-4)}`, revoked_at: null });
  t.equal(linkd(`keys revoke ${key.value.id}`).status, 0);
  t.equal(linkd(`keys revoke ${key.value.id}`).status, 0, 'revoking again is no error');
  await t.rejects(authenticate(), { code: 'unauthorized' });
  t.match(json(`keys list --env ${environment}`).value, [{ revoked_at: String }]);
});

t.test('exit codes and one line tell what is wrong', async (t) => {
  for (const [parameters, status, line] of [
    ['project create --name A --live-host go.shop.example --test-host other.example', 1, 'host'],
    ['project create --name A --live-host a.example --test-host a.example', 2, 'another'],
    ['project create --name A --live-host A.example --test-host b.example', 2, 'no host name'],
    ['project create --name A --live-host a_b.example --test-host b.example', 2, 'no host name'],
    ['project create --name A --live-host a.example --test-host b.example --time-zone Mars/Base', 2, 'time zone'],
    ['project create --name A --live-host a.example', 2, 'test-host'],
    ['keys create --env env_x --name a', 3, 'no environment'],
    ['keys revoke key_x', 3, 'no key'],
    ['keys create --env env_x --name a --scope nope', 2, 'nope'],
    ['keys create --env env_x --name a --kind publishable --scope links:read', 2, 'no scopes'],
    ['env show prj_01jd4v6xq8e5s0m3k7n9p2r4tw', 3, 'no project'],
    ['nope', 2, 'nope'],
    ['project list --nope', 2, 'nope'],
  ] as const) {
    const answer = linkd(parameters);
    t.equal(answer.status, status, parameters);
    t.match(answer.stderr, line);
    t.notMatch(answer.stderr, /\n {4}at /, 'no stack');
  }
  t.equal(json('project list').value.length, 1, 'nothing was made');
});

t.test('without a database the command says so', async (t) => {
  t.match(linkd('project list', 'postgres://postgres@127.0.0.1:1/none'), { status: 4, stderr: /out of reach/ });
  t.match(linkd('migrate', 'postgres://postgres@127.0.0.1:1/none'), { status: 4, stderr: /out of reach/ });
  t.match(linkd('project list', ''), { status: 2, stderr: /DATABASE_URL is missing/ });
});

t.test('migrate may be run again, and help needs no database', async (t) => {
  t.match(json('migrate').value, { applied: /newest/ });
  for (const parameters of ['--help', 'keys --help', 'keys create --help'])
    t.match(linkd(parameters, ''), { status: 0, stdout: /Usage: linkd/ });
});
