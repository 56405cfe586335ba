import t from 'tap';
import { createPool, type Database, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { storeFinding } from '../../../control-plane/domains/store-finding.js';
import { environmentOperations } from '../../../control-plane/environment/handlers.js';
import type { Call } from '../../../control-plane/http/operation.js';
import { asRefusal } from '../../../control-plane/http/problems.js';
import {
  changeHosts,
  createProject,
  type EnvironmentRow,
  findEnvironment,
  HostTakenError,
} from '../../../control-plane/projects/projects.js';
import { createDatabase } from '../../support/database.js';
import { handling } from '../../support/handling.js';
import { interrupted, overlapped, type Work } from '../../support/overlapped.js';

const own = await createDatabase();
const pool = createPool(own.url, 4, 'test', () => {});
const database = openDatabase(pool);
t.teardown(async () => {
  await pool.end();
  await own.drop();
});

const NOW_MS = Date.now();
const hosts = { test: { linkHost: 'test.example.com' }, live: { linkHost: 'go.example.com' } };
const { environments } = await createProject(database, { name: 'Demo', timeZone: 'UTC', hosts }, NOW_MS);
const { test: other, live } = environments;

t.test('a project with a host that is a verified domain of another environment is refused', async (t) => {
  await pool.query(
    `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
     VALUES ('dom_taken', $1, 'links.customer.com', 'verified', 'v', now(), now())`,
    [environments.live.id],
  );
  const wanted = { test: { linkHost: 'test.other.com' }, live: { linkHost: 'links.customer.com' } };
  await t.rejects(createProject(database, { name: 'Other', timeZone: 'UTC', hosts: wanted }, NOW_MS), {
    message: 'the host "links.customer.com" already belongs to another environment',
  });
});

t.test('hosts that are a verified domain are refused, and the reason says whose it is', async (t) => {
  for (const [environment, owner] of [
    [live, 'is a verified domain of this environment: delete the domain first'],
    [other, 'already belongs to another environment'],
  ] as const)
    for (const hosts of [{ link_host: 'links.customer.com' }, { open_host: 'links.customer.com' }])
      t.equal(await changeHosts(database, { ...environment, ...hosts }, NOW_MS), `the host "links.customer.com" ${owner}`);
});

t.test('a project with a link host or open host of another environment is refused', async (t) => {
  await createProject(
    database,
    { name: 'Second', timeZone: 'UTC', hosts: { test: { linkHost: 'test.second.com' }, live: { linkHost: 'open.second.com' } } },
    NOW_MS,
  );
  for (const linkHost of ['open.go.example.com', 'go.example.com', 'second.com']) {
    const wanted = { test: { linkHost: 'test.third.com' }, live: { linkHost } };
    await t.rejects(createProject(database, { name: 'Third', timeZone: 'UTC', hosts: wanted }, NOW_MS), HostTakenError, linkHost);
  }
  t.equal((await pool.query('SELECT FROM projects')).rowCount, 2, 'the refused projects leave no row');
});

t.test('of two concurrent projects with the same host one is made', async (t) => {
  const wanted = { test: { linkHost: 'test.both.com' }, live: { linkHost: 'both.com' } };
  const made = await Promise.allSettled(
    [1, 2].map(() => createProject(database, { name: 'Both', timeZone: 'UTC', hosts: wanted }, NOW_MS)),
  );
  t.same(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.ok(made.some((one) => one.status === 'rejected' && one.reason instanceof HostTakenError));
});

type Outcome = 'has the host' | 'the host is taken';
const outcome = (has: boolean): Outcome => (has ? 'has the host' : 'the host is taken');

let domains = 0;

/** Verifies a domain of the other environment whose record was found. */
async function verify(hostname: string): Promise<Work<Outcome>> {
  const domain = { id: `dom_${domains++}`, hostname };
  await pool.query(
    `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
     VALUES ($1, $2, $3, 'pending', 'v', now(), now())`,
    [domain.id, other.id, hostname],
  );
  return async (at) => outcome((await storeFinding(at, domain, 'found', { nowMs: NOW_MS, asked: true }))?.status === 'verified');
}

async function setHosts(fields: Partial<EnvironmentRow>): Promise<Work<Outcome>> {
  const before = (await findEnvironment(database, live.id)) as EnvironmentRow;
  return async (at) => outcome((await changeHosts(at, { ...before, ...fields }, NOW_MS)) === null);
}

const operations = environmentOperations({ form: { scheme: 'https', port: 0 } });

function patchOpenHost(open_host: string): Work<Outcome> {
  const call = { caller: { environment: { id: live.id } }, body: { open_host }, nowMs: NOW_MS, requireMatch: () => {} };
  return async (at: Database) => {
    try {
      await handling(operations.updateEnvironment)(call as unknown as Call<'updateEnvironment'>, at);
      return outcome(true);
    } catch (error) {
      if (asRefusal(error)?.code === 'conflict') return outcome(false);
      throw error;
    }
  };
}

for (const [what, take] of [
  ['a link host', (host: string) => setHosts({ link_host: host })],
  ['an open host', (host: string) => setHosts({ open_host: host })],
  ['an open host that is set over the API', async (host: string) => patchOpenHost(host)],
] as const)
  t.test(`of ${what} and a domain that is verified at the same time the first one gets the host`, async (t) => {
    const nameOf = async (label: string) => `${label}-${domains}.${(await findEnvironment(database, live.id))?.link_host}`;
    const late = await nameOf('late');
    t.same(await overlapped(database, await take(late), await verify(late)), ['has the host', 'the host is taken']);
    const early = await nameOf('early');
    t.same(await overlapped(database, await verify(early), await take(early)), ['has the host', 'the host is taken']);
  });

t.test('a project is made, and the hosts of an environment are changed, while a transaction has changed other environments', async (t) => {
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'UPDATE environments SET alias_hosts = alias_hosts WHERE id = $1', values: [live.id] });
    const wanted = { test: { linkHost: 'test.beside.com' }, live: { linkHost: 'beside.com' } };
    const made = await createProject(database, { name: 'Beside', timeZone: 'UTC', hosts: wanted }, NOW_MS);
    t.equal(await changeHosts(database, { ...made.environments.live, link_host: 'moved.beside.com' }, NOW_MS), null);
  });
});

t.test('an open host that is reset does not become one that a project gets at the same time', async (t) => {
  const { link_host } = (await findEnvironment(database, other.id)) as EnvironmentRow;
  const host = `open.${link_host}`;
  const domain = { id: 'dom_lost', hostname: 'lost.example.org' };
  await pool.query(
    `INSERT INTO domains (id, environment_id, hostname, status, txt_value, missing_since, created_at, updated_at)
     VALUES ($1, $2, $3, 'verified', 'v', now() - interval '30 days', now(), now())`,
    [domain.id, other.id, domain.hostname],
  );
  await pool.query('UPDATE environments SET open_host = $2 WHERE id = $1', [other.id, `open.${domain.hostname}`]);
  const wanted = { test: { linkHost: 'test.reset.com' }, live: { linkHost: host } };
  const [, lost] = await overlapped(
    database,
    (at) => createProject(at, { name: 'Reset', timeZone: 'UTC', hosts: wanted }, NOW_MS),
    (at) => storeFinding(at, domain, 'record_missing', { nowMs: NOW_MS, asked: false }),
  );
  t.equal(lost?.status, 'failed');
  const { open_host } = (await findEnvironment(database, other.id)) as EnvironmentRow;
  t.match(open_host, new RegExp(`^open-\\d+\\.${link_host}$`));
});

t.test('a domain that is lost and a change of its environment to the open host that follows do not deadlock', async (t) => {
  const hosts = { test: { linkHost: 'test.follows.com' }, live: { linkHost: 'follows.com' } };
  const { environments: made } = await createProject(database, { name: 'Follows', timeZone: 'UTC', hosts }, NOW_MS);
  const domain = { id: 'dom_follows', hostname: 'lost.follows.org' };
  await pool.query(
    `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
     VALUES ($1, $2, $3, 'verified', 'v', now(), now())`,
    [domain.id, made.live.id, domain.hostname],
  );
  let place = 0;
  for (; place < 20; place++) {
    await pool.query(`UPDATE domains SET status = 'verified', missing_since = now() - interval '30 days' WHERE id = $1`, [domain.id]);
    await pool.query('UPDATE environments SET open_host = $2 WHERE id = $1', [made.live.id, `open.${domain.hostname}`]);
    const { database: at, other: change } = interrupted(database, place, (beside) => changeHosts(beside, made.live, NOW_MS));
    t.equal((await storeFinding(at, domain, 'record_missing', { nowMs: NOW_MS, asked: false }))?.status, 'failed', `statement ${place}`);
    const changed = await change();
    if (changed === undefined) break;
    t.equal(changed, null, `statement ${place}`);
    t.equal((await findEnvironment(database, made.live.id))?.open_host, made.live.open_host);
  }
  t.ok(place > 3 && place < 20, `there were ${place} moments`);
});
