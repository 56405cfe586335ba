import t from 'tap';
import { createPool, createDatabase as openDatabase, type Queryable } from '../../../control-plane/db/database.js';
import { forgetDeletedLinks } from '../../../control-plane/jobs/old-rows.js';
import { createLinks } from '../../../control-plane/links/bulk.js';
import { createLink } from '../../../control-plane/links/create-link.js';
import { releaseAddresses } from '../../../control-plane/links/release-addresses.js';
import { createProject } from '../../../control-plane/projects/projects.js';
import type { LinkCreate } from '../../../shared/contract/schemas/link.js';
import { createDatabase } from '../../support/database.js';
import { overlapped } from '../../support/overlapped.js';

const own = await createDatabase();
const pool = createPool(own.url, 4, 'test', () => {});
const database = openDatabase(pool);
t.teardown(async () => {
  await pool.end();
  await own.drop();
});

const HOST = 'go.example.com';
const FORM = { scheme: 'https', port: 0 } as const;
const hosts = { test: { linkHost: 'test.example.com' }, live: { linkHost: HOST } };
const nowMs = Date.now();
const { environments } = await createProject(database, { name: 'Demo', timeZone: 'UTC', hosts }, nowMs);
const environment = { id: environments.live.id, name: 'live', linkHost: HOST, timeZone: 'UTC', webOrigins: [] } as const;
const caller = { keyId: 'key_1', keyName: 'test', kind: 'secret', scopes: ['links:write'], environment } as const;

const create = (body: LinkCreate) => createLink({ body, caller, nowMs }, database, FORM);
const bulk = (items: readonly LinkCreate[], dryRun = false) =>
  createLinks({ items, environment, createdBy: 'test', requestId: 'req_1', nowMs, dryRun, form: FORM }, database);
const on = (path: string) => ({ host: HOST, path });
const address = (normal_path: string) => ({ host: HOST, normal_path });

/** A link that was deleted this long ago. */
async function deleted(body: LinkCreate, age: string): Promise<string> {
  const { link } = await create(body);
  await pool.query(`UPDATE links SET state = 'deleted', deleted_at = now() - $2::interval WHERE id = $1`, [link.id, age]);
  return link.id;
}

/** Whether the link is stored, and the number of feed rows after the one of its creation. */
async function stateOf(id: string): Promise<{ readonly stored: boolean; readonly fed: number }> {
  const { rows } = await pool.query(
    `SELECT EXISTS (SELECT FROM links WHERE id = $1) AS stored,
       (SELECT count(*) FROM config_feed WHERE object_id = $1 AND NOT is_creation)::integer AS fed`,
    [id],
  );
  return rows[0];
}

t.test('only links whose reservation has ended are released, with a feed row each', async (t) => {
  const [ended, aliased, kept] = [
    await deleted({ path: 'ended' }, '91 days'),
    await deleted({ path: 'aliased', aliases: [on('its/alias')] }, '91 days'),
    await deleted({ path: 'kept' }, '89 days'),
  ];
  const { link } = await create({ path: 'alive' });
  await releaseAddresses(database, environments.test.id, ['ended', 'its/alias'].map(address));
  t.same(await Promise.all([ended, aliased].map(stateOf)), Array(2).fill({ stored: true, fed: 0 }), 'of another environment');
  await releaseAddresses(database, environment.id, []);
  await releaseAddresses(database, environment.id, ['ended', 'its/alias', 'kept', 'alive', 'nothing'].map(address));
  t.same(await stateOf(ended), { stored: false, fed: 1 });
  t.same(await stateOf(aliased), { stored: false, fed: 1 });
  t.same(await stateOf(kept), { stored: true, fed: 0 });
  t.same(await stateOf(link.id), { stored: true, fed: 0 });
});

t.test('a creation that released a path waits for the link hosts, which know the path as that of a deleted link', async (t) => {
  t.equal((await create({ path: 'new' })).feed, 'changed');
  await deleted({ path: 'again' }, '91 days');
  t.equal((await create({ path: 'again' })).feed, 'followed');
  t.equal((await bulk([{ path: 'new-2' }, {}])).feed, 'changed');
  await deleted({ path: 'again-2' }, '91 days');
  t.equal((await bulk([{}, { path: 'again-2' }])).feed, 'followed');
  t.equal((await bulk([{ aliases: [on('an/alias')] }])).feed, 'followed');
});

t.test('a call that is refused or tried leaves the link, or tells the hosts', async (t) => {
  const aliases = [on('taken/alias')];
  await create({ path: 'holder', aliases });
  const refusedAlone = await deleted({ path: 'refused' }, '91 days');
  await t.rejects(create({ path: 'refused', aliases }), { code: 'conflict' });
  const refused = await deleted({ path: 'refused-2' }, '91 days');
  t.match((await bulk([{ path: 'refused-2', aliases }])).result.results, [{ status: 409 }]);
  const tried = await deleted({ path: 'tried' }, '91 days');
  t.match((await bulk([{ path: 'tried' }], true)).result.results, [{ status: 201 }]);
  for (const id of [refusedAlone, refused]) {
    const { stored, fed } = await stateOf(id);
    t.equal(fed, stored ? 0 : 1);
  }
  t.same(await stateOf(tried), { stored: true, fed: 0 });
});

t.test('a path that the periodic deletion releases at the same time is free, and its link has its tags', async (t) => {
  const purge = (at: Queryable) => forgetDeletedLinks(at, 100);
  const tagged = (path: string): LinkCreate => ({ path, tags: [`tag of ${path}`] });
  const tagsOf = async (path: string) =>
    (await pool.query(`SELECT tags.name FROM links JOIN tags ON tags.number = ANY (tag_numbers) WHERE path = $1`, [path])).rows;
  await deleted({ path: 'waits' }, '91 days');
  await overlapped(database, purge, (at) => createLink({ body: tagged('waits'), caller, nowMs }, at, FORM));
  t.same(await tagsOf('waits'), [{ name: 'tag of waits' }]);
  for (const statement of ['release_addresses', 'address_owners']) {
    await deleted({ path: statement }, '91 days');
    const query: Queryable['query'] = async (asked) => {
      if (asked.name === statement) await purge(database);
      return database.query(asked);
    };
    t.equal((await createLink({ body: tagged(statement), caller, nowMs }, { ...database, query }, FORM)).feed, 'followed', statement);
    t.same(await tagsOf(statement), [{ name: `tag of ${statement}` }]);
  }
});
