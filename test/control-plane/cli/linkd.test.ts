import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createPool, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { Authenticator, presentedKey } from '../../../control-plane/http/authenticate.js';
import { createDatabase } from '../../support/database.js';
import { commandLine } from './command-line.js';

const LINKD = fileURLToPath(new URL('../../../../control-plane/cli/linkd.mjs', import.meta.url));
const own = await createDatabase();
t.teardown(() => own.drop());
const { run, json } = commandLine(t, own.url);

/** Runs the command as an operator does, in a process of its own. */
function linkd(parameters: string, databaseUrl: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LINKD, ...parameters.split(' ').filter(Boolean)], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  return { status, stdout, stderr };
}

t.test('a project is created, and its keys are created, listed and revoked', async (t) => {
  const created = await json(
    'project create --name Shop --live-host go.shop.example --test-host test.shop.example --time-zone Europe/Berlin',
  );
  t.equal(created.status, 0);
  t.match(created.value, { id: /^prj_/, live_environment: /^env_/, test_environment: /^env_/, time_zone: 'Europe/Berlin' });
  t.match((await json('project list')).value, [
    { id: created.value.id, name: 'Shop', live_host: 'go.shop.example', test_host: 'test.shop.example' },
  ]);
  t.match((await run('project list')).stdout, /go\.shop\.example/);
  const environment = created.value.live_environment;
  t.match((await json(`env show ${environment}`)).value, { link_host: 'go.shop.example', open_host: 'open.go.shop.example' });
  t.equal((await json(`env show ${created.value.id}`)).value.length, 2);

  const key = await json(`keys create --env ${environment} --name backend --scope links:write analytics:read`);
  t.match(key.value, { id: /^key_/, key: /^sk_live_[0-9A-Za-z]{32}$/ });
  const publishable = await json(`keys create --env ${created.value.test_environment} --name app --kind publishable`);
  t.match(publishable.value.key, /^pk_test_/);
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const authenticate = () => new Authenticator(databaseOf(pool)).authenticate(presentedKey(`Bearer ${key.value.key}`), '192.0.2.1');
  t.match(await authenticate(), {
    keyId: key.value.id,
    scopes: ['links:write', 'analytics:read'],
    environment: { id: environment, timeZone: 'Europe/Berlin' },
  });
  const [listed] = (await json(`keys list --env ${environment}`)).value;
  t.match(listed, {
    id: key.value.id,
    name: 'backend',
    key: `sk_live_...${key.value.key.slice(-4)}`,
    revoked_at: null,
    last_used_at: null,
  });
  t.equal((await run(`keys revoke ${key.value.id}`)).status, 0);
  t.equal((await run(`keys revoke ${key.value.id}`)).status, 0, 'revoking again is not an error');
  await t.rejects(authenticate(), { code: 'unauthorized' });
  t.match((await json(`keys list --env ${environment}`)).value, [{ revoked_at: String }]);
});

t.test('a wrong command ends with its exit code and a message, and makes nothing', async (t) => {
  for (const [parameters, status, line] of [
    ['project create --name A --live-host go.shop.example --test-host other.example', 1, 'host'],
    ['project create --name A --live-host a.example --test-host a.example', 2, 'must be different'],
    ['project create --name A --live-host a.example:80 --test-host b.example', 2, '"a.example:80" is not a host name'],
    ['project create --name A --live-host a_b.example --test-host b.example', 2, 'not a host name'],
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
    const answer = await run(parameters);
    t.equal(answer.status, status, parameters);
    t.match(answer.stderr, line);
    t.notMatch(answer.stderr, /\n {4}at /, 'the error has no stack trace');
  }
  t.equal((await json('project list')).value.length, 1, 'no project was made');
});

t.test('hosts are stored in lower case and in ASCII, however they are written', async (t) => {
  const { value } = await json('project create --name Cases --live-host Go.Cases.example --test-host münchen.example');
  t.match((await json(`env show ${value.id}`)).value, [{ link_host: 'xn--mnchen-3ya.example' }, { link_host: 'go.cases.example' }]);
  const moved = await json(`env set-hosts ${value.live_environment} --link-host NEW.cases.example`);
  t.match(moved.value, { link_host: 'new.cases.example', open_host: 'open.new.cases.example' });
});

t.test('a project is shown with its environments, and a change of hosts adds a feed row', async (t) => {
  const { value: project } = await json('project create --name Hosts --live-host go.hosts.example --test-host test.hosts.example');
  t.match((await json(`project show ${project.id}`)).value, {
    name: 'Hosts',
    live_environment: project.live_environment,
    live_host: 'go.hosts.example',
    test_host: 'test.hosts.example',
  });
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  await pool.query('DELETE FROM config_feed');
  const set = (hosts: string) => json(`env set-hosts ${project.live_environment} ${hosts}`);
  const id = project.live_environment;
  t.same((await set('--link-host new.hosts.example')).value, { id, link_host: 'new.hosts.example', open_host: 'open.new.hosts.example' });
  const { rows } = await pool.query('SELECT kind, object_id FROM config_feed');
  t.same(rows, [{ kind: 'environment', object_id: id }]);
  t.same((await set('--open-host app.hosts.example')).value, { id, link_host: 'new.hosts.example', open_host: 'app.hosts.example' });
  t.same((await set('--link-host go.hosts.example')).value, { id, link_host: 'go.hosts.example', open_host: 'app.hosts.example' });
  for (const [hosts, status, line] of [
    ['', 2, 'name another'],
    ['--link-host go.hosts.example', 2, 'name another'],
    ['--link-host app.hosts.example', 2, 'must be different'],
    ['--link-host Go.Hosts.example', 2, 'name another'],
    ['--link-host go_.hosts.example', 2, 'not a host name'],
    ['--link-host test.hosts.example', 1, 'belongs to another environment'],
    ['--link-host open.test.hosts.example', 1, 'belongs to another environment'],
    ['--open-host test.hosts.example', 1, 'belongs to another environment'],
  ] as const)
    t.match(await run(`env set-hosts ${id} ${hosts}`), { status, stderr: new RegExp(line) }, hosts);
  t.match((await json(`env show ${id}`)).value, { link_host: 'go.hosts.example', open_host: 'app.hosts.example' });
});

t.test('aliases on the old link host move to the new one, unless one of their addresses is taken there', async (t) => {
  const { value: project } = await json('project create --name Moving --live-host go.moving.example --test-host test.moving.example');
  const id = project.live_environment;
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const link = (linkId: string, path: string, aliases: object) =>
    pool.query(
      `INSERT INTO links (id, environment_id, path, deep_link_path, aliases, created_at, updated_at) VALUES ($1, $2, $3, '/', $4, now(), now())`,
      [linkId, id, path, JSON.stringify(aliases)],
    );
  const alias = (aliasId: string, linkId: string, host: string, path: string) =>
    pool.query('INSERT INTO link_aliases VALUES ($1, $2, $3, $4, $5)', [aliasId, id, linkId, host, path]);
  await link('lnk_one', 'one', [
    { host: 'go.moving.example', path: '/Sale' },
    { host: 'other.moving.example', path: 'sale' },
  ]);
  await link('lnk_two', 'two', [{ host: 'new.moving.example', path: 'Sale' }]);
  await alias('als_a', 'lnk_one', 'go.moving.example', 'Sale');
  await alias('als_b', 'lnk_one', 'other.moving.example', 'sale');
  await alias('als_c', 'lnk_two', 'new.moving.example', 'Sale');
  await pool.query(`UPDATE environments SET alias_hosts = '{go.moving.example}' WHERE id = $1`, [id]);
  const move = () => run(`env set-hosts ${id} --link-host new.moving.example`);
  t.match(await move(), {
    status: 1,
    stderr: /new\.moving\.example\/Sale of the link lnk_two has the address that the link lnk_one would get/,
  });
  await pool.query(`UPDATE link_aliases SET normal_path = 'one' WHERE id = 'als_c'`);
  t.match(await move(), {
    status: 1,
    stderr: /new\.moving\.example\/one of the link lnk_two has the address that the link lnk_one would get/,
  });
  const put = (state: string, deleted: string) =>
    pool.query(`UPDATE links SET state = '${state}', deleted_at = ${deleted} WHERE id = 'lnk_one'`);
  await put('deleted', 'now()');
  t.match(
    await move(),
    { status: 1, stderr: /new\.moving\.example\/one of the link lnk_two/ },
    'a deleted link keeps its address reserved',
  );
  await put('active', 'NULL');
  await pool.query(`UPDATE link_aliases SET normal_path = 'two' WHERE id = 'als_c'`);
  await pool.query('DELETE FROM config_feed');
  t.match(await move(), { status: 0 });
  const { rows: fed } = await pool.query('SELECT kind, object_key FROM config_feed ORDER BY kind, object_key');
  t.match(fed, [
    { kind: 'alias', object_key: 'go.moving.example/Sale' },
    { kind: 'alias', object_key: 'new.moving.example/Sale' },
    { kind: 'environment' },
  ]);
  const { rows } = await pool.query(
    'SELECT id, host, normal_path FROM link_aliases WHERE environment_id = $1 ORDER BY host, normal_path COLLATE "C"',
    [id],
  );
  t.match(rows, [
    { id: /^als_/, host: 'new.moving.example', normal_path: 'Sale' },
    { id: 'als_c', host: 'new.moving.example', normal_path: 'two' },
    { id: 'als_b', host: 'other.moving.example', normal_path: 'sale' },
  ]);
  t.not(rows[0].id, 'als_a', 'the moved alias has a new id, so that engines drop the old address');
  const { rows: links } = await pool.query(`SELECT aliases FROM links WHERE id = 'lnk_one'`);
  t.same(links[0].aliases, [
    { host: 'new.moving.example', path: '/Sale' },
    { host: 'other.moving.example', path: 'sale' },
  ]);
  const { rows: environments } = await pool.query('SELECT alias_hosts FROM environments WHERE id = $1', [id]);
  t.same(environments[0].alias_hosts, ['go.moving.example', 'new.moving.example']);
});

t.test('the process ends with the exit code, and reports a database that is missing or away', async (t) => {
  const nowhere = 'postgres://postgres@127.0.0.1:1/none';
  t.match(linkd('project list', nowhere), { status: 4, stderr: /^linkd: PostgreSQL cannot be reached; check DATABASE_URL: .*\n$/ });
  t.match(linkd('migrate --plan', nowhere), { status: 4, stderr: /cannot be reached/ });
  t.match(linkd('project list', ''), { status: 2, stderr: /^linkd: DATABASE_URL is missing/ });
  t.match(linkd('project list --json', own.url), { status: 0, stdout: /^\[/, stderr: '' });
});

t.test('a name of a key has 1 to 200 characters without control characters', async (t) => {
  const { value } = await json('project create --name Named --live-host go.named.example --test-host test.named.example');
  const create = (name: string) => run(['keys', 'create', '--env', value.live_environment, '--name', name]);
  for (const name of ['', 'a'.repeat(201), 'one\ntwo', '\u0007'])
    t.match(await create(name), { status: 2, stderr: /^linkd: --name: the name must have 1 to 200 characters/ }, JSON.stringify(name));
  t.equal((await create('a'.repeat(200))).status, 0);
  t.equal((await json(`keys list --env ${value.live_environment}`)).value.length, 1);
});

/** A device that refuses each write with ENOSPC. */
const FULL = '/dev/full';

t.test('if the output cannot be written, the process prints one line and ends with 1', { skip: !existsSync(FULL) }, async (t) => {
  const { value } = await json('project create --name Full --live-host go.full.example --test-host test.full.example');
  const full = openSync(FULL, 'w');
  t.teardown(() => closeSync(full));
  for (const command of ['--json project list', '--help', `export campaigns --env ${value.live_environment} --format csv`]) {
    const { status, stderr } = spawnSync(process.execPath, [LINKD, ...command.split(' ')], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
      env: { ...process.env, DATABASE_URL: own.url },
    });
    t.match({ status, stderr }, { status: 1, stderr: /^linkd: .*ENOSPC.*\n$/ }, command);
  }
});

t.test('without a build the command says how to make one', async (t) => {
  const folder = t.testdir({ 'control-plane': { cli: { 'linkd.mjs': readFileSync(LINKD, 'utf8') } } });
  const { status, stderr } = spawnSync(process.execPath, [`${folder}/control-plane/cli/linkd.mjs`, '--help'], { encoding: 'utf8' });
  t.match({ status, stderr }, { status: 1, stderr: /^linkd: not built yet; run: .*npm run build\n$/ });
  t.ok(statSync(LINKD).mode & 0o100, 'the file is executable');
});

t.test('migrations can be planned and run again', async (t) => {
  t.same((await json('migrate')).value, { applied: [] });
  t.same((await json('migrate --plan')).value, { pending: [] });
  t.match((await run('migrate')).stdout, /up to date/);
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const { rows } = await pool.query<{ name: string }>('DELETE FROM schema_migrations RETURNING name');
  t.same((await json('migrate --plan')).value, { pending: rows.map((row) => row.name).sort() });
  await pool.query('DROP TABLE schema_migrations');
  t.same(
    (await json('migrate --plan')).value,
    { pending: rows.map((row) => row.name).sort() },
    'a plan for a database without migrations lists all',
  );
  const { rows: tables } = await pool.query("SELECT to_regclass('schema_migrations') AS found");
  t.same(tables, [{ found: null }], 'a plan changes nothing');
});

/** The commands that the help of the command lists, at any depth, and the command itself if it has none or has examples. */
async function commandsOf(command: string): Promise<readonly string[]> {
  const { stdout } = await run(`${command} --help`.trimStart());
  const [, listed = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
  const names = [...listed.matchAll(/^ {2}([a-z]\S*)/gm)].map(([, name]) => name as string).filter((name) => name !== 'help');
  const below = await Promise.all(names.map((name) => commandsOf(`${command} ${name}`.trimStart())));
  return [...(names.length === 0 || stdout.includes('Examples:') ? [command] : []), ...below.flat()];
}

t.test('every command has help with an example, and its help needs no database', async (t) => {
  const commands = (await commandsOf('')).filter((command) => command !== '');
  for (const known of ['project create', 'clicks copy', 'demo', 'demo serve', 'export links', 'import'])
    t.ok(commands.includes(known), `${known} is listed`);
  for (const command of commands) {
    const answer = await run(`${command} --help`);
    t.match(answer, { status: 0, stdout: /Usage: linkd/ }, command);
    t.match(answer.stdout, new RegExp(`Examples?:\n(  .*\n)*?  (.* \\| )?linkd ${command}`), `${command} has an example`);
    t.match(answer.stdout, '--json');
  }
  const { stdout } = await run('demo serve --help');
  t.match(stdout, /\nGlobal Options:\n +--json +print JSON\n/, 'options of a group are not shown as those of its commands');
  t.match((await run('keys --help')).stdout, '"linkd keys <command> --help"', 'the help of a group says how to get that of a command');
  t.match(await run('--version'), { status: 0, stdout: /^\d+\.\d+\.\d+\n$/ });
  t.match(linkd('--help', ''), { status: 0, stdout: /Exit codes: 0 .* 130 interrupted\./ });
});
