import t from 'tap';
import type { Database, Queryable } from '../../../control-plane/db/database.js';
import { createPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { type DomainDependencies, domainOperations } from '../../../control-plane/domains/handlers.js';
import type { Call } from '../../../control-plane/http/operation.js';
import { asRefusal } from '../../../control-plane/http/problems.js';
import { createLinks } from '../../../control-plane/links/bulk.js';
import { createLink } from '../../../control-plane/links/create-link.js';
import { type LinkDependencies, linkOperations } from '../../../control-plane/links/handlers.js';
import { restoreLink } from '../../../control-plane/links/restore-link.js';
import { createProject } from '../../../control-plane/projects/projects.js';
import { idAt } from '../../../shared/base/ids.js';
import { PATH_RESERVATION_DAYS } from '../../../shared/base/limits.js';
import type { LinkCreate, LinkPatch } from '../../../shared/contract/schemas/link.js';
import { createDatabase } from '../../support/database.js';
import { handling } from '../../support/handling.js';
import { overlapped, type Work } from '../../support/overlapped.js';

const own = await createDatabase();
const pool = createPool(own.url, 20, 'test', () => {});
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
const environmentId = environments.live.id;
const addDomain = (id: string, hostname: string) =>
  pool.query(
    `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
     VALUES ($1, $2, $3, 'verified', 'v', now(), now())`,
    [id, environmentId, hostname],
  );
await addDomain('dom_1', DOMAIN);

const environment = { id: environmentId, name: 'live', linkHost: HOST, timeZone: 'UTC', webOrigins: [] } as const;
const CALL = {
  caller: { keyId: 'key_1', keyName: 'test', kind: 'secret', scopes: ['links:write'], environment },
  query: {},
  requestId: 'req_1',
  lastEventId: null,
  clientAddress: '',
  nowMs: NOW_MS,
  requireMatch: () => {},
} as const;
const dependencies = { form: FORM };
const operations = linkOperations(dependencies as unknown as LinkDependencies);

type Outcome = 'done' | 'conflict';

/** Whether the call is refused because another one was first. */
function isRefused(error: unknown): boolean {
  const refusal = asRefusal(error);
  return refusal?.code === 'conflict' || refusal?.errors?.[0]?.code === 'unknown_domain';
}

/** The outcome of a call. Any other error, above all one from the database, fails the test. */
const outcomeOf =
  (work: Work<Outcome | unknown>): Work<Outcome> =>
  async (at) => {
    try {
      return (await work(at)) === 'conflict' ? 'conflict' : 'done';
    } catch (error) {
      if (isRefused(error)) return 'conflict';
      throw error;
    }
  };

const body = (fields: LinkCreate): LinkCreate => ({ destinations: { web: 'https://example.com/' }, ...fields });
const create = (fields: LinkCreate) => (at: Database) => createLink({ ...CALL, body: body(fields) }, at, FORM);
const madeId = async (fields: LinkCreate): Promise<string> => (await create(fields)(database)).link.id;
const patch = (link: string, fields: LinkPatch) => (at: Database) =>
  handling(operations.updateLink)({ ...CALL, params: { link }, body: fields } as Call<'updateLink'>, at);
const bulk = (links: readonly LinkCreate[]) => (at: Database) =>
  createLinks({ items: links.map(body), environment, createdBy: 'test', requestId: 'req_1', nowMs: NOW_MS, dryRun: false, form: FORM }, at);
const bulkOfOne = (fields: LinkCreate) => async (at: Database) =>
  (await bulk([fields])(at)).result.results[0]?.status === 201 ? 'done' : 'conflict';

/** Prepares what will take an address, and returns the call that takes it. */
type Taker = (path: string) => Promise<Work<unknown>>;
const alias = (path: string) => ({ aliases: [{ host: HOST, path }] });

const LINKS: Readonly<Record<string, Taker>> = {
  'a link that is made': async (path) => create({ path }),
  'a link that is made with an alias': async (path) => create({ path, ...alias(`${path}/beside`) }),
  'a link that is made in bulk': async (path) => bulkOfOne({ path }),
  'a link that is moved to the host': async (path) => patch(await madeId({ path, domain: DOMAIN }), { domain: null }),
};
const ALIASES: Readonly<Record<string, Taker>> = {
  'an alias of a new link': async (path) => create(alias(path)),
  'an alias of a link that exists': async (path) => patch(await madeId({}), alias(path)),
  'an alias in bulk': async (path) => bulkOfOne(alias(path)),
};

/** Aliases of one link that have the address of another link. */
async function sharedAddresses(): Promise<readonly string[]> {
  const { rows } = await pool.query<{ path: string }>(
    `SELECT links.path FROM link_aliases AS alias
     JOIN links ON links.environment_id = alias.environment_id AND links.path = alias.normal_path AND links.id <> alias.link_id
     WHERE alias.host = coalesce((SELECT hostname FROM domains WHERE hostname = links.domain AND status = 'verified'), $1) AND links.state <> 'deleted'`,
    [HOST],
  );
  return rows.map(({ path }) => path);
}

let paths = 0;
const freshPath = () => `path-${paths++}`;

for (const [link, linkTaker] of Object.entries(LINKS))
  for (const [other, aliasTaker] of Object.entries(ALIASES))
    t.test(`of ${link} and ${other} at one address the first one gets it`, async (t) => {
      for (const [first, second] of [
        [linkTaker, aliasTaker],
        [aliasTaker, linkTaker],
      ] as const) {
        const path = freshPath();
        const [taken, late] = [outcomeOf(await first(path)), outcomeOf(await second(path))];
        t.same(await overlapped(database, taken, late), ['done', 'conflict'], `${path} is taken`);
        const free = freshPath();
        const [undone, next] = [outcomeOf(await first(free)), outcomeOf(await second(free))];
        t.same(await overlapped(database, undone, next, { rollback: true }), ['done', 'done'], `${free} is free after the rollback`);
      }
      t.same(await sharedAddresses(), []);
    });

const deletionOf = (link: string) =>
  handling(operations.deleteLink)({ ...CALL, params: { link }, body: undefined } as Call<'deleteLink'>, database);
const restoration = (link: string) => (at: Database) =>
  restoreLink({ ...CALL, params: { link }, body: undefined } as Call<'restoreLink'>, at, FORM);

/** A deleted link that the transaction restores at the last moment. Transactions that begin later see its path as free. */
async function lateRestore(path: string): Promise<Work<unknown>> {
  const link = await madeId({ path });
  await deletionOf(link);
  return async (transaction) => {
    const { rows } = await transaction.query<{ began: string }>({ text: 'SELECT now()::text AS began', values: [] });
    await pool.query(`UPDATE links SET deleted_at = $2::timestamptz - make_interval(days => $3) + interval '1 microsecond' WHERE id = $1`, [
      link,
      rows[0]?.began,
      PATH_RESERVATION_DAYS,
    ]);
    return restoration(link)(transaction);
  };
}

for (const [other, aliasTaker] of Object.entries(ALIASES))
  t.test(`a link that is restored at the last moment keeps its address from ${other}`, async (t) => {
    for (const [rollback, late] of [
      [false, 'conflict'],
      [true, 'done'],
    ] as const) {
      const path = freshPath();
      const [restored, alias] = [outcomeOf(await lateRestore(path)), outcomeOf(await aliasTaker(path))];
      t.same(await overlapped(database, restored, alias, { rollback }), ['done', late]);
    }
    t.same(await sharedAddresses(), []);
  });

const ROUNDS = 12;
const PAIRS_AT_ONCE = 8;

for (const [link, linkTaker] of Object.entries(LINKS))
  t.test(`of ${link} and an alias at the same time exactly one gets the address`, async (t) => {
    for (let round = 0; round < ROUNDS; round++) {
      const pairs = await Promise.all(
        Array.from({ length: PAIRS_AT_ONCE }, async (_, index) => {
          const path = freshPath();
          const pair = [await linkTaker(path), await (ALIASES['an alias of a new link'] as Taker)(path)].map(outcomeOf);
          return index % 2 === 0 ? pair : pair.reverse();
        }),
      );
      const outcomes = await Promise.all(pairs.map((pair) => Promise.all(pair.map((take) => take(database)))));
      t.same(
        outcomes.map((pair) => pair.toSorted()),
        Array(PAIRS_AT_ONCE).fill(['conflict', 'done']),
      );
    }
    t.same(await sharedAddresses(), []);
  });

/** Prepares a call after which the deletion of the domain would give a link the address of another one's alias. */
type DomainTaker = (path: string, domain: string) => Promise<Work<unknown>>;
const besideAlias =
  (prepare: DomainTaker): DomainTaker =>
  async (path, domain) => {
    const work = await prepare(path, domain);
    await madeId(alias(path));
    return work;
  };
const besideLink =
  (prepare: Taker): DomainTaker =>
  async (path, domain) => {
    await madeId({ path, domain });
    return prepare(path);
  };

const BESIDE_DELETION: Readonly<Record<string, DomainTaker>> = {
  ...Object.fromEntries(Object.entries(ALIASES).map(([name, prepare]) => [name, besideLink(prepare)])),
  'a link that is made on the domain': besideAlias(async (path, domain) => create({ path, domain })),
  'a link that is made there with an alias': besideAlias(async (path, domain) =>
    create({ path, domain, aliases: [{ host: HOST, path: `${path}/beside` }] }),
  ),
  'a link that is made there in bulk': besideAlias(async (path, domain) => bulkOfOne({ path, domain })),
  'a link that is moved there': besideAlias(async (path, domain) => patch(await madeId({ path, domain: DOMAIN }), { domain })),
  'a link that is restored there': besideAlias(async (path, domain) => {
    const link = await madeId({ path, domain });
    await deletionOf(link);
    return restoration(link);
  }),
};

/** The call, and the deletion of a domain of its own. */
async function besideDeletion(prepare: DomainTaker): Promise<readonly [taker: Work<Outcome>, deletion: Work<Outcome>]> {
  const path = freshPath();
  const [id, hostname] = [idAt('domain', NOW_MS), `${path}.example.org`];
  await addDomain(id, hostname);
  const { deleteDomain } = domainOperations({} as DomainDependencies);
  const call = { ...CALL, params: { domain: id }, body: undefined } as Call<'deleteDomain'>;
  return [outcomeOf(await prepare(path, hostname)), outcomeOf((at) => handling(deleteDomain)(call, at))];
}

for (const [name, prepare] of Object.entries(BESIDE_DELETION))
  t.test(`of ${name} and the deletion of a domain that it rules out, one is refused`, async (t) => {
    for (const isLate of [false, true])
      for (const [rollback, late] of [
        [false, 'conflict'],
        [true, 'done'],
      ] as const) {
        const pair = await besideDeletion(prepare);
        const [first, second] = isLate ? pair.toReversed() : pair;
        const outcomes = await overlapped(database, first as Work<Outcome>, second as Work<Outcome>, { rollback });
        t.same(outcomes, ['done', late], `${isLate ? 'after' : 'before'} the deletion${rollback ? ', which rolls back' : ''}`);
      }
    for (let round = 0; round < 3; round++) {
      const pairs = await Promise.all(Array.from({ length: PAIRS_AT_ONCE }, () => besideDeletion(prepare)));
      const outcomes = await Promise.all(pairs.map((pair) => Promise.all(pair.map((work) => work(database)))));
      t.same(
        outcomes.map((pair) => pair.toSorted()),
        Array(PAIRS_AT_ONCE).fill(['conflict', 'done']),
      );
    }
    t.same(await sharedAddresses(), []);
  });

t.test('calls for the same addresses in different orders do not deadlock', async (t) => {
  const SIZE = 40;
  const CALLS = 8;
  for (let round = 0; round < 4; round++) {
    const name = (place: number) => `circle-${round}-${place % SIZE}`;
    const linksOf = (call: number) =>
      Array.from({ length: SIZE / 2 }, (_, place) => {
        const at = place * 2 * (2 * call + 1) + call;
        return { path: name(at), tags: [`tag-${at % 5}`], ...alias(name(at + 1)) };
      });
    const calls = Array.from({ length: CALLS }, (_, call) => {
      const links = linksOf(call);
      return outcomeOf(bulk(call % 2 === 0 ? links : links.reverse()));
    });
    const singles = Array.from({ length: CALLS }, (_, place) => outcomeOf(create({ path: name(place), ...alias(name(place + 9)) })));
    t.equal((await Promise.all([...calls, ...singles].map((work) => work(database)))).length, 2 * CALLS);
  }
  t.same(await sharedAddresses(), []);
});

t.test('a call of a thousand links holds 64 locks and does not block other links, and a single link takes one statement', async (t) => {
  const links = Array.from({ length: 1000 }, (_, place) => ({ path: `many-${place}` }));
  const held = await database.transaction(async (transaction) => {
    t.equal((await bulk(links)(transaction)).result.created, 1000);
    const { rows } = await transaction.query<{ locks: number }>({
      text: `SELECT count(*)::integer AS locks FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
      values: [],
    });
    // If this needed a lock of the outer transaction, it would wait for itself.
    await create({ path: freshPath() })(database);
    t.equal((await bulk([{ path: freshPath() }])(database)).result.created, 1);
    return rows[0]?.locks;
  });
  t.equal(held, 64);
  const statements: (string | undefined)[] = [];
  const query: Queryable['query'] = (statement) => {
    statements.push(statement.name);
    return database.query(statement);
  };
  await create({ path: freshPath() })({ ...database, query });
  t.same(statements, ['insert_link']);
});
