import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { ImportLine } from '../../control-plane/imports/attempt.js';
import { importBatch } from '../../control-plane/imports/import-batch.js';
import { ofObject } from '../../control-plane/imports/sources/own.js';
import type { SourceLink } from '../../control-plane/imports/sources/source-link.js';
import { PASSWORDS_OF_BULK_MAX } from '../../shared/base/limits.js';
import type { Collision, ImportedLinks } from '../../shared/contract/schemas/link-import.js';
import { linkOfRow, linksFrom } from '../control-plane/imports/source-service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const folder = temporaryFolder(t);
let unique = 0;
const fresh = () => `p${++unique}-`;
const LONG = 'x'.repeat(201);
const NO_HTTPS = 'http://img.example/card.png';

async function importRows(body: object): Promise<ImportedLinks> {
  const { status, json } = await call(t, api.baseUrl, 'POST /imports/links', { key: api.liveKey, body });
  t.equal(status, 200);
  return json as unknown as ImportedLinks;
}

async function webAt(path: string): Promise<unknown> {
  const { rows } = await api.database.query<{ web: string }>({
    text: `SELECT destinations ->> 'web' AS web FROM links WHERE environment_id = $1 AND path = $2`,
    values: [api.live.id, path],
  });
  return rows[0]?.web;
}

t.test('a row that loses a field keeps its path before a later row, and the dry run says so', async (t) => {
  const path = fresh();
  const [first, second] = ['https://first.example/', 'https://second.example/'];
  const files = [
    {
      source: 'ndjson',
      rows: [
        { path, destinations: { web: first }, card: { image_url: NO_HTTPS } },
        { path, destinations: { web: second } },
      ],
      lost: 'card.image_url',
      at: path,
    },
    {
      source: 'bitly',
      columns: ['bitlink', 'long url', 'title'],
      rows: [
        [`a.ly/${path}b`, first, LONG],
        [`b.ly/${path}b`, second, 'Short'],
      ],
      lost: 'title',
      at: `${path}b`,
    },
    {
      source: 'dub',
      columns: ['domain', 'key', 'url', 'image', 'proxy'],
      rows: [
        ['dub.sh', `${path}d`, first, NO_HTTPS, 'true'],
        ['dub.sh', `${path}D`, second, '', ''],
      ],
      lost: 'card.image_url',
      at: `${path}d`,
    },
  ];
  for (const { lost, at, ...body } of files) {
    const wanted = [
      { outcome: 'created', lost: [lost] },
      { outcome: 'failed', lost: [], reason: new RegExp(`"${at}" is taken`) },
    ];
    t.match((await importRows({ ...body, dry_run: true })).results, wanted, body.source);
    t.match((await importRows(body)).results, wanted, body.source);
    t.equal(await webAt(at), first);
  }
});

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A link of whichever service. */
interface Row {
  readonly host: string;
  readonly path: string;
  readonly web: string;
  /** Further addresses, for the services that have them. */
  readonly others: readonly { readonly host: string; readonly path: string }[];
  readonly created: string;
  readonly isFaulty: boolean;
}

/** The links as each source reads them. Faulty ones have a field that this service refuses. */
const READ: Readonly<Record<string, (rows: readonly Row[]) => Promise<readonly SourceLink[]> | readonly SourceLink[]>> = {
  ndjson: (rows) =>
    rows.map(({ host: domain, path, web, others: aliases, created, isFaulty }, index) => {
      const faulty = { title: LONG, campaign: 'cmp_unknown', card: { image_url: NO_HTTPS } };
      return ofObject({ path, domain, destinations: { web }, aliases, created_at: created, ...(isFaulty ? faulty : {}) }, index + 1);
    }),
  csv: (rows) =>
    rows.map(({ host: domain, path, web, others, created, isFaulty }) => {
      const aliases = others.map((other) => `${other.host}/${other.path}`).join(',');
      return linkOfRow('csv', { path, domain, web, aliases, created_at: created, card_image_url: isFaulty ? NO_HTTPS : '' });
    }),
  bitly: (rows) =>
    rows.map(({ host, path, web, others, created, isFaulty }) => {
      const custom = others.map((other) => `${other.host}/${other.path}`).join(',');
      const cells = { created, title: isFaulty ? LONG : '', 'custom bitlinks': custom };
      return linkOfRow('bitly', { bitlink: `${host}/${path}`, 'long url': web, ...cells });
    }),
  dub: (rows) =>
    rows.map(({ host: domain, path: key, web: url, created, isFaulty }) =>
      linkOfRow('dub', { domain, key, url, createdat: created, title: isFaulty ? LONG : '' }),
    ),
  firebase: (rows) =>
    rows.map(({ host, path, web, created, isFaulty }) =>
      linkOfRow('firebase', { 'short link': `https://${host}/${path}`, link: web, created, si: isFaulty ? NO_HTTPS : '' }),
    ),
  rebrandly: (rows) => {
    const links = rows.map(({ host: domainName, path: slashtag, web: destination, created: createdAt, isFaulty }, id) => {
      return { id: String(id), slashtag, destination, domainName, createdAt, status: 'active', title: isFaulty ? LONG : '' };
    });
    return linksFrom(t, 'rebrandly', (url) => (url.pathname === '/v1/workspaces' ? [] : links));
  },
  shlink: (rows) => {
    const data = rows.map(({ host: domain, path: shortCode, web: longUrl, created: dateCreated, isFaulty }) => {
      return { shortCode, longUrl, domain, dateCreated, title: isFaulty ? LONG : '' };
    });
    return linksFrom(t, 'shlink', () => ({ shortUrls: { data, pagination: { pagesCount: 1 } } }));
  },
  kutt: (rows) => {
    const data = rows.map(({ host, path: address, web: target, created, isFaulty }) => {
      return { address, link: `https://${host}/${address}`, target, created_at: isFaulty ? '2999-01-01T00:00:00Z' : created };
    });
    return linksFrom(t, 'kutt', () => ({ data }));
  },
  branch: (rows) => {
    const file = join(folder, 'urls.txt');
    writeFileSync(file, rows.map(({ host, path }, index) => `https://${host}/${path}?${index}`).join('\n'));
    const answer = (url: URL) => {
      const row = rows[Number(url.searchParams.get('url')?.split('?')[1])] as Row;
      return { data: { $fallback_url: row.web, ...(row.isFaulty ? { $og_image_url: NO_HTTPS } : {}) } };
    };
    return linksFrom(t, 'branch', answer, { file });
  },
};

const HOSTS = ['a.ly', 'b.ly', 'c.ly'];
/** The hosts of each environment that take the place of those of the other service. For the last one there is none. */
const VERIFIED = new Map([api.live, api.test].map(({ id }, index) => [id, [`a${index}.acme.example`, `b${index}.acme.example`]]));
for (const [id, hosts] of VERIFIED)
  for (const host of hosts)
    await api.database.query({
      text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
             VALUES ($1, $2, $3, 'verified', 'x', now(), now())`,
      values: [`dom_${host}`, id, host],
    });

t.test('a row whose path is taken becomes an alias before a later row has the address, and the dry run says so', async (t) => {
  const path = fresh();
  const [host = ''] = VERIFIED.get(api.live.id) ?? [];
  const web = 'https://shop.example/';
  await importRows({ source: 'ndjson', rows: [{ path, destinations: { web: `${web}stored` } }] });
  const rows = [
    { path, domain: host, destinations: { web: `${web}1` }, title: LONG },
    { path: `${path}x`, destinations: { web: `${web}2` }, aliases: [{ host, path }] },
    { path: `${path}x`, destinations: { web: `${web}3` } },
  ];
  const wanted = [
    { outcome: 'aliased', lost: ['title'] },
    { outcome: 'failed', reason: /alias .* is taken/ },
    { outcome: 'created', lost: [] },
  ];
  const body = { source: 'ndjson', rows, on_collision: 'alias' };
  t.match((await importRows({ ...body, dry_run: true })).results, wanted);
  t.match((await importRows(body)).results, wanted);
  t.equal(await webAt(`${path}x`), `${web}3`);
});

t.test('of many rows that want one alias, the first one has it', async (t) => {
  const path = fresh();
  const [host = ''] = VERIFIED.get(api.live.id) ?? [];
  const rows = Array.from({ length: 500 }, (_, index) => ({
    path: `${path}${index}`,
    destinations: { web: `https://shop.example/${index}` },
    aliases: [{ host, path }],
  }));
  const body = { source: 'ndjson', rows, on_collision: 'alias' };
  const tried = await importRows({ ...body, dry_run: true });
  t.match(await importRows(body), { created: 1, failed: 499, results: [{ outcome: 'created' }, { outcome: 'failed' }] });
  t.match(tried, { created: 1, failed: 499 });
});

function imported(links: readonly SourceLink[], environment: typeof api.live, collision: Collision, dryRun: boolean) {
  const { id, name, link_host: linkHost } = environment;
  return importBatch(links, {
    ...{ database: api.database, environment: { id, name, linkHost }, environmentId: id, linkHost, collision, dryRun },
    ...{ form: { scheme: 'https', port: 0 }, sourceName: 'csv', createdBy: 'test', nowMs: Date.now },
    hosts: new Map((VERIFIED.get(id) ?? []).map((host, index) => [HOSTS[index] as string, host])),
  });
}

t.test('a dry run knows the links with passwords that were created by the call before', async (t) => {
  const path = fresh();
  const rows = Array.from({ length: PASSWORDS_OF_BULK_MAX + 1 }, (_, index) => ({
    path: index === PASSWORDS_OF_BULK_MAX ? `${path}0` : `${path}${index}`,
    destinations: { web: `https://shop.example/${index}` },
    password: 'secret',
  }));
  const links = rows.map((row, index) => ofObject(row, index + 1));
  for (const dryRun of [true, false]) t.match((await imported(links, api.live, 'fail', dryRun)).at(-1), { outcome: 'failed' });
});

/** A line without what differs between environments and between generated paths. Of two taken addresses, its reason may name either. */
function plain({ url, reason, lost, ...line }: ImportLine, paths: readonly string[]) {
  const path = paths.find((path) => url?.endsWith(`/${path}`) === true) ?? null;
  return { ...line, lost: lost.toSorted(), path, hasReason: reason !== null };
}

/** What was made of the row. The path of a link that became an alias is generated, and of no interest. */
function madeAs({ id, outcome, lost }: ImportLine) {
  return outcome === 'created' || outcome === 'aliased' ? { id, outcome, lost: lost.toSorted() } : { id };
}

/** The links of the run in the environment, by addresses, without what differs between environments. */
async function linksOf({ id, link_host }: typeof api.live, name: string): Promise<readonly string[]> {
  const { rows } = await api.database.query<{ path: string; web: string; title: string; aliases: { host: string; path: string }[] }>({
    text: `SELECT path, destinations ->> 'web' AS web, title, aliases FROM links
           WHERE environment_id = $1 AND (path LIKE $2 || '%' OR aliases::text LIKE '%"' || $2 || '%')`,
    values: [id, name],
  });
  const hosts = [...(VERIFIED.get(id) ?? []), link_host];
  return rows
    .map(({ path, aliases, ...fields }) => {
      const others = aliases.map((alias) => `${hosts.indexOf(alias.host)}/${alias.path}`).toSorted();
      return JSON.stringify([path.startsWith(name) ? path : null, others, fields]);
    })
    .toSorted();
}

const RUNS = 5;

for (const [number, [source, read]] of Object.entries(READ).entries())
  t.test(`${source}: a dry run, the import, and an import row by row have the same result for every row`, async (t) => {
    const random = randomNumbers(number + 1);
    const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    for (let run = 0; run < RUNS; run++) {
      const name = fresh();
      const paths = [`${name}a`, `${name}A`, `${name}b`, `${name}c`, `${name}d/e`];
      const address = () => ({ host: one(HOSTS), path: one(paths) });
      const row = (): Row => ({
        ...address(),
        web: one(['https://shop.example/1', 'https://shop.example/2', 'https://shop.example/3']),
        others: random() < 0.6 ? [] : [address()],
        created: one(['2021-01-01T00:00:00Z', '2022-01-01T00:00:00Z']),
        isFaulty: random() < 0.4,
      });
      const collision = one(['fail', 'skip', 'alias'] as const);
      const before = await read([row(), row()].slice(0, Math.floor(random() * 3)));
      for (const environment of [api.live, api.test]) for (const link of before) await imported([link], environment, 'fail', false);
      const links = await read(Array.from({ length: 8 }, row));
      const plainOf = (lines: readonly ImportLine[]) => lines.map((line) => plain(line, paths));
      const told = `run ${run}, ${collision}`;
      const tried = await imported(links, api.live, collision, true);
      const made = await imported(links, api.live, collision, false);
      t.same(plainOf(tried), plainOf(made), told);
      const alone: ImportLine[] = [];
      for (const link of links) alone.push(...(await imported([link], api.test, collision, false)));
      t.same(made.map(madeAs), alone.map(madeAs), `one by one, ${told}`);
      t.same(await linksOf(api.live, name), await linksOf(api.test, name), `links, ${told}`);
    }
  });
