import t from 'tap';
import { createPool, type Database, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import type { Call } from '../../../control-plane/http/operation.js';
import { asRefusal } from '../../../control-plane/http/problems.js';
import { createLinks } from '../../../control-plane/links/bulk.js';
import { createLink } from '../../../control-plane/links/create-link.js';
import { type LinkDependencies, linkOperations } from '../../../control-plane/links/handlers.js';
import { changeHosts, createProject, type EnvironmentRow, findEnvironment } from '../../../control-plane/projects/projects.js';
import type { LinkCreate } from '../../../shared/contract/schemas/link.js';
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
const HOST = 'go.example.com';
const DOMAIN = 'links.example.org';
const FORM = { scheme: 'https', port: 0 } as const;
const hosts = { test: { linkHost: 'test.example.com' }, live: { linkHost: HOST } };
const { environments } = await createProject(database, { name: 'Demo', timeZone: 'UTC', hosts }, NOW_MS);
const environment = { id: environments.live.id, name: 'live', linkHost: HOST, timeZone: 'UTC', webOrigins: [] } as const;
await pool.query(
  `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
   VALUES ('dom_1', $1, $2, 'verified', 'v', now(), now())`,
  [environment.id, DOMAIN],
);
const CALL = {
  caller: { keyId: 'key_1', keyName: 'test', kind: 'secret', scopes: ['links:write'], environment },
  query: {},
  requestId: 'req_1',
  lastEventId: null,
  clientAddress: '',
  nowMs: NOW_MS,
  requireMatch: () => {},
} as const;

const operations = linkOperations({ form: FORM } as unknown as LinkDependencies);
const body = (fields: LinkCreate): LinkCreate => ({ destinations: { web: 'https://example.com/' }, ...fields });
const create = (fields: LinkCreate) => (at: Database) => createLink({ ...CALL, body: body(fields) }, at, FORM);
const { link: owner } = await create({ path: 'shown', domain: DOMAIN })(database);
const { link: other } = await create({})(database);
const { link: keeper } = await create({ aliases: [{ host: DOMAIN, path: 'kept' }] })(database);
const patch =
  (link: string, aliases: LinkCreate['aliases']): Work<unknown> =>
  (at) =>
    handling(operations.updateLink)({ ...CALL, params: { link }, body: { aliases } } as Call<'updateLink'>, at);
/** The code of the field error that the call is refused with. */
const codeOf =
  (work: Work<unknown>): Work<unknown> =>
  async (at) => {
    try {
      await work(at);
      return 'done';
    } catch (error) {
      const refusal = asRefusal(error);
      if (refusal === null) throw error;
      return refusal.errors?.[0]?.code;
    }
  };

t.test(
  'a domain that is lost while a call is checked gets no alias, which would take the address of a link that returns to it',
  async (t) => {
    const aliases = [{ host: DOMAIN, path: owner.path }];
    t.equal(await codeOf(create({ aliases }))(database), 'taken');
    await pool.query(`UPDATE domains SET status = 'failed'`);
    for (const give of [create({ aliases }), patch(other.id, aliases)]) t.equal(await codeOf(give)(database), 'unknown_domain');
    t.equal(
      await codeOf(
        patch(keeper.id, [
          { host: DOMAIN, path: 'kept' },
          { host: HOST, path: 'more' },
        ]),
      )(database),
      'done',
      'what it has is kept',
    );
    await pool.query(`UPDATE domains SET status = 'verified'`);
    t.equal(await codeOf(create({ aliases }))(database), 'taken');
  },
);

t.test('no alias is left on a link host that is changed at the same time', async (t) => {
  const give = (path: string) => codeOf(create({ aliases: [{ host: HOST, path }] }));
  const change: Work<unknown> = (at) => changeHosts(at, { ...environments.live, link_host: 'new.example.com' }, NOW_MS);
  t.same(await overlapped(database, give('early'), change), ['done', null]);
  t.same((await pool.query('SELECT normal_path FROM link_aliases WHERE host = $1 ORDER BY 1', ['new.example.com'])).rows, [
    { normal_path: 'early' },
    { normal_path: 'more' },
  ]);
  await changeHosts(database, environments.live, NOW_MS);
  t.same(await overlapped(database, change, give('late')), [null, 'unknown_domain']);
  t.same((await pool.query('SELECT FROM link_aliases WHERE host = $1', [HOST])).rowCount, 0);
});

const bulk = (links: readonly LinkCreate[]) => (at: Database) =>
  createLinks({ items: links, environment, createdBy: 'test', requestId: 'req_1', nowMs: NOW_MS, dryRun: false, form: FORM }, at);
/** Calls that give an alias on the host. */
const GIVERS: Readonly<Record<string, (host: string) => Promise<Work<unknown>>>> = {
  'a link that is made': async (host) => create({ aliases: [{ host, path: freshPath() }] }),
  'links that are made in bulk': async (host) => bulk([1, 2].map(() => body({ aliases: [{ host, path: freshPath() }] }))),
  'a link that gets its first alias': async (host) => patch((await create({})(database)).link.id, [{ host, path: freshPath() }]),
  'a link that gets another alias': async (host) => {
    const aliases = [{ host, path: freshPath() }];
    const { link } = await create({ aliases })(database);
    return patch(link.id, [...aliases, { host, path: freshPath() }]);
  },
};
let paths = 0;
const freshPath = () => `fresh/${paths++}`;
const STATEMENTS_MAX = 20;

for (const [name, giver] of Object.entries(GIVERS))
  t.test(`${name} and a link host that is changed at any moment of it do not deadlock`, async (t) => {
    for (let place = 0; place < STATEMENTS_MAX; place++) {
      const { link_host } = (await findEnvironment(database, environment.id)) as EnvironmentRow;
      const give = await giver(link_host);
      const { database: at, other } = interrupted(database, place, (beside) =>
        changeHosts(beside, { ...environments.live, link_host: `host-${paths++}.example.com` }, NOW_MS),
      );
      t.match(await codeOf(give)(at), /done|unknown_domain/, `before statement ${place}`);
      const changed = await other();
      if (changed === undefined) break;
      t.equal(changed, null, `before statement ${place}`);
      t.same((await pool.query('SELECT FROM link_aliases WHERE host = $1', [link_host])).rowCount, 0, 'no alias is left');
    }
  });
