import t from 'tap';
import { createPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { createProject, HostTakenError } from '../../../control-plane/projects/projects.js';
import { createDatabase } from '../../support/database.js';

const own = await createDatabase();
const pool = createPool(own.url, 4, 'test', () => {});
const database = openDatabase(pool);
t.teardown(async () => {
  await pool.end();
  await own.drop();
});

const NOW_MS = Date.parse('2026-11-27T12:00:00Z');
const hosts = { test: { linkHost: 'test.example.com' }, live: { linkHost: 'go.example.com' } };
const { environments } = await createProject(database, { name: 'Demo', timeZone: 'UTC', hosts }, NOW_MS);

t.test('no project is made with a host that is a verified domain of another environment', async (t) => {
  await pool.query(
    `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
     VALUES ('dom_1', $1, 'links.customer.com', 'verified', 'v', now(), now())`,
    [environments.live.id],
  );
  const wanted = { test: { linkHost: 'test.other.com' }, live: { linkHost: 'links.customer.com' } };
  await t.rejects(createProject(database, { name: 'Other', timeZone: 'UTC', hosts: wanted }, NOW_MS), {
    message: 'the host "links.customer.com" already belongs to another environment',
  });
});

t.test('nor with the link host or the open host of another environment', async (t) => {
  await createProject(
    database,
    { name: 'Second', timeZone: 'UTC', hosts: { test: { linkHost: 'test.second.com' }, live: { linkHost: 'open.second.com' } } },
    NOW_MS,
  );
  for (const linkHost of ['open.go.example.com', 'go.example.com', 'second.com']) {
    const wanted = { test: { linkHost: 'test.third.com' }, live: { linkHost } };
    await t.rejects(createProject(database, { name: 'Third', timeZone: 'UTC', hosts: wanted }, NOW_MS), HostTakenError, linkHost);
  }
  t.equal((await pool.query('SELECT FROM projects')).rowCount, 2, 'nothing of them is left');
});

t.test('of two projects that want one host at once one is made', async (t) => {
  const wanted = { test: { linkHost: 'test.both.com' }, live: { linkHost: 'both.com' } };
  const made = await Promise.allSettled(
    [1, 2].map(() => createProject(database, { name: 'Both', timeZone: 'UTC', hosts: wanted }, NOW_MS)),
  );
  t.same(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.ok(made.some((one) => one.status === 'rejected' && one.reason instanceof HostTakenError));
});
