import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findImported } from '../../control-plane/imports/existing-links.js';
import { planLink } from '../../control-plane/imports/plan-link.js';
import { csvRows } from '../../control-plane/imports/sources/csv-rows.js';
import { withoutAddress } from '../../control-plane/imports/sources/source-link.js';
import { IMPORT_ROWS_MAX, PASSWORDS_OF_BULK_MAX } from '../../shared/base/limits.js';
import type { ImportedLinks } from '../../shared/contract/schemas/link-import.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
let unique = 0;
const fresh = () => `p${++unique}`;

async function importRows(body: object): Promise<ImportedLinks> {
  const { status, json } = await call(t, api.baseUrl, 'POST /imports/links', { ...request, body });
  t.equal(status, 200);
  return json as unknown as ImportedLinks;
}

const countOf = async (web: string) => {
  const { rows } = await api.database.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM links WHERE environment_id = $1 AND destinations ->> 'web' LIKE $2`,
    values: [api.live.id, `${web}%`],
  });
  return rows[0]?.count;
};

t.test('rows of a Bitly export become links with path, tags, creation and clicks of before, and what is lost is named', async (t) => {
  const path = fresh();
  const body = {
    source: 'bitly',
    columns: ['Bitlink', 'Long URL', 'Title', 'Created', 'Tags', 'Total Clicks', 'Colour'],
    rows: [[`bit.ly/${path}`, 'https://shop.example/spring', 'Spring', '2021-03-04T05:06:07Z', 'a,b', '1,234', 'red']],
    first_row: 41,
  };
  const tried = await importRows({ ...body, dry_run: true });
  t.match(tried, {
    created: 1,
    failed: 0,
    with_losses: 1,
    results: [{ row: 41, id: `bit.ly/${path}`, outcome: 'created', lost: ['colour'] }],
  });
  t.equal(await countOf('https://shop.example/spring'), 0, 'a dry run makes none');
  const made = await importRows(body);
  t.match(made.results, [{ outcome: 'created', url: `https://${api.live.link_host}/${path}`, reason: null }]);
  const again = await importRows(body);
  t.match(again, { created: 0, exists: 1, results: [{ outcome: 'exists', url: `https://${api.live.link_host}/${path}` }] });
  t.equal(await countOf('https://shop.example/spring'), 1, 'twice is once');
  const { json } = await send(api.baseUrl, `GET /links?search=${path}`, request);
  t.match(json.data[0], { path, title: 'Spring', created_at: '2021-03-04T05:06:07.000Z' });
  t.same(json.data[0].tags.toSorted(), ['a', 'b']);
  const stats = await send(api.baseUrl, `GET /links/${json.data[0].id}/stats`, request);
  t.same(stats.json.imported, { clicks: 1234, by_source: [{ source: 'bitly', clicks: 1234 }] });
});

t.test('each file source is read by its own columns, and a row of another kind of file makes no link', async (t) => {
  const web = `https://shop.example/${fresh()}`;
  const files: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['firebase', ['Short Link', 'Link'], [`https://acme.page.link/${fresh()}`, web]],
    ['firebase', ['Short link', 'Deep link (link)'], [`https://acme.page.link/${fresh()}`, web]],
    ['firebase', ['short_link', 'deep_link'], [`https://acme.page.link/${fresh()}`, web]],
    ['dub', ['domain', 'key', 'url'], ['dub.sh', fresh(), web]],
    ['bitly', ['bitlink', 'long url'], [`bit.ly/${fresh()}`, web]],
    ['csv', ['path', 'web'], [fresh(), web]],
  ];
  for (const [source, columns, cells] of files) {
    t.match(await importRows({ source, columns, rows: [cells] }), { created: 1, with_losses: 0 }, source);
    if (source !== 'csv')
      t.match(
        (await importRows({ source, columns: ['path', 'web'], rows: [[fresh(), web]], first_row: 3 })).results,
        [{ row: 3, id: 'number 3', outcome: 'failed', reason: /is the file an export of/ }],
        source,
      );
  }
  t.match(await importRows({ source: 'ndjson', rows: [{ path: fresh(), destinations: { web } }] }), { created: 1, with_losses: 0 });
  t.equal(await countOf(web), 7);
});

t.test('a taken path fails, is skipped, or becomes an alias on the host that takes the place of the old one', async (t) => {
  const path = fresh();
  await send(api.baseUrl, 'POST /links', { ...request, body: { path, destinations: { web: 'https://other.example/' } } });
  const body = {
    source: 'bitly',
    columns: ['bitlink', 'long url'],
    rows: [[`Bit.ly/${path}`, `https://shop.example/${path}`]],
    domains: [{ from: 'BIT.LY', to: 'go.acme.example' }],
  };
  const refused = await call(t, api.baseUrl, 'POST /imports/links', { ...request, body });
  t.equal(refused.status, 422);
  t.match(refused.json.errors, [{ pointer: '/domains/0/to', code: 'unknown_domain' }]);
  await api.database.query({
    text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
           VALUES ('dom_1', $1, 'go.acme.example', 'verified', 'x', now(), now())`,
    values: [api.live.id],
  });
  t.match((await importRows(body)).results, [{ outcome: 'failed', reason: /taken/ }]);
  t.match(await importRows({ ...body, on_collision: 'skip' }), { skipped: 1, failed: 0 });
  t.match(await importRows({ ...body, on_collision: 'alias', dry_run: true }), { aliased: 1 });
  t.match(await importRows({ ...body, on_collision: 'alias' }), { aliased: 1 });
  t.match(await importRows({ ...body, on_collision: 'alias' }), { aliased: 0, exists: 1 }, 'again');
  const { rows } = await api.database.query({
    text: `SELECT host, normal_path FROM link_aliases WHERE environment_id = $1 AND host = 'go.acme.example'`,
    values: [api.live.id],
  });
  t.same(rows, [{ host: 'go.acme.example', normal_path: path }]);
});

t.test('a host that is a verified domain stays one, without a pair, and each row says which hosts it names', async (t) => {
  const [one, other] = [fresh(), fresh()];
  const rows = [
    [one, 'GO.acme.example', `go.acme.example/${one}-b, other.example/${one}-c`],
    [other, 'bit.ly', ''],
  ];
  const body = { source: 'csv', columns: ['path', 'domain', 'aliases'], rows };
  const linkHost = api.live.link_host;
  const columns = async (path: string) => {
    const { json } = await send(api.baseUrl, `GET /links?path=${path}`, request);
    const { domain, aliases } = json.data[0];
    return [domain, aliases.map(({ host }: { host: string }) => host).toSorted()];
  };
  t.match((await importRows({ ...body, dry_run: true })).results, [
    { outcome: 'created', url: `https://go.acme.example/${one}`, hosts: ['go.acme.example', 'other.example'] },
    { outcome: 'created', url: `https://${linkHost}/${other}`, hosts: ['bit.ly'] },
  ]);
  await importRows(body);
  t.same(await columns(one), ['go.acme.example', ['go.acme.example', linkHost].toSorted()]);
  t.same(await columns(other), [null, []]);
  t.match(await importRows(body), { exists: 2 });
  const third = { ...body, rows: [[fresh(), 'go.acme.example', '']], domains: [{ from: 'go.acme.example', to: linkHost }] };
  t.match((await importRows(third)).results, [{ url: new RegExp(`^https://${linkHost}/`) }], 'a pair goes before it');
});

t.test('a row whose address has no path is refused, or keeps its others, and makes no link at every run', async (t) => {
  const web = `https://shop.example/${fresh()}`;
  const refused = async (source: string, columns: readonly string[], ...cells: readonly string[]) => {
    const { results } = await importRows({ source, columns, rows: [cells, cells] });
    t.match(results, [{ outcome: 'failed', url: null, reason: /has no path/ }, { outcome: 'failed' }], source);
  };
  await refused('bitly', ['bitlink', 'long url'], 'https://bit.ly/', web);
  await refused('firebase', ['short link', 'link'], 'https://acme.page.link', web);
  await refused('dub', ['domain', 'url'], 'dub.sh', web);
  await refused('csv', ['path', 'aliases', 'web'], '', 'go.example.com', web);
  t.equal(await countOf(web), 0);
  const back = fresh();
  const body = {
    source: 'bitly',
    columns: ['bitlink', 'long url', 'custom bitlinks'],
    rows: [
      [back, web, 'https://brand.example/'],
      [`${back}-2`, web, ''],
    ],
  };
  t.match((await importRows(body)).results, [
    { id: `bit.ly/${back}`, outcome: 'created', lost: ['aliases'], url: new RegExp(`/${back}$`) },
    { outcome: 'created', lost: [] },
  ]);
  t.match(await importRows(body), { created: 0, exists: 2, with_losses: 1 });
  t.equal(await countOf(web), 2);
});

t.test('rows without an address get a path each, and the same one in every run', async (t) => {
  const web = `https://shop.example/${fresh()}`;
  const rows = [
    ['', web],
    ['', web],
    ['', `${web}/2`],
  ];
  const body = { source: 'csv', columns: ['path', 'web'], rows, first_row: 7 };
  const tried = await importRows({ ...body, dry_run: true });
  const made = await importRows(body);
  t.match(made, { created: 3, exists: 0 });
  t.equal(new Set(made.results.map(({ url }) => url)).size, 3, 'two rows of one content are two links');
  t.same(tried.results, made.results, 'a dry run has told their URLs');
  const again = await importRows({ ...body, rows: rows.slice(1), first_row: 8 });
  t.match(again, { created: 0, exists: 2 }, 'also where the slices are others');
  t.same(
    again.results.map(({ url }) => url),
    made.results.slice(1).map(({ url }) => url),
  );
  t.equal(await countOf(web), 3);
});

t.test('a path that follows from a row gives way where another link has it', async (t) => {
  const web = `https://shop.example/${fresh()}`;
  const body = { source: 'csv', columns: ['web'], rows: [[web]], dry_run: true };
  const [first] = (await importRows(body)).results;
  const taken = new URL(first?.url ?? '').pathname.slice(1);
  await send(api.baseUrl, 'POST /links', { ...request, body: { path: taken, destinations: { web: 'https://other.example/' } } });
  const made = await importRows({ ...body, dry_run: false });
  t.match(made, { created: 1 });
  t.not(made.results[0]?.url, first?.url);
  t.match(await importRows({ ...body, dry_run: false }), { created: 0, exists: 1, results: [{ url: made.results[0]?.url }] });
});

t.test('a path does not tell the password of its row, and differs between environments', async (t) => {
  const source = { ...withoutAddress(''), id: 'number 1', fields: { destinations: { web: 'https://shop.example/' } } };
  const hosts = { environmentId: api.live.id, linkHost: api.live.link_host, hosts: new Map() };
  const { path } = planLink(source, hosts, false).body;
  t.match(path, /^[0-9A-Za-z]{7}$/);
  t.equal(planLink({ ...source, fields: { ...source.fields, password: 'sesame' } }, hosts, false).body.path, path);
  t.not(planLink(source, { ...hosts, environmentId: api.test.id }, false).body.path, path);
});

t.test('hostile rows fail by themselves, and the call is answered', async (t) => {
  const good = { path: fresh(), destinations: { web: 'https://shop.example/' } };
  const hostile = [
    null,
    7,
    'text',
    [],
    { path: 7 },
    { path: fresh(), domain: {} },
    { path: fresh(), aliases: 'x' },
    { path: fresh(), aliases: [null] },
    { aliases: [{ host: 'a\0b', path: 'c\0d' }] },
    { path: 'a\0b', destinations: { web: 'https://shop.example/' } },
    { path: fresh(), aliases: Array.from({ length: 21 }, (_, at) => ({ host: 'a.example', path: `${at}` })) },
    { path: fresh(), destinations: 'x' },
    { path: '\ud800', destinations: { web: 'https://shop.example/' } },
    { path: '../..', destinations: { web: 'https://shop.example/' } },
  ];
  const { results } = await importRows({ source: 'ndjson', rows: [...hostile, good] });
  t.equal(results.at(-1)?.outcome, 'created');
  for (const [index, { outcome, reason, lost }] of results.slice(0, -1).entries())
    t.ok(outcome === 'failed' ? reason : lost.length > 0, JSON.stringify(hostile[index]));
  const cells = [[1], 'x', null, ['a\0b', 'https://shop.example/'], [], Array.from({ length: 300 }, () => 'x')];
  const byCells = await importRows({ source: 'csv', columns: ['path', 'web'], rows: cells });
  t.match(
    byCells.results.map(({ outcome }) => outcome),
    ['failed', 'failed', 'failed', 'failed', 'failed', 'failed'],
  );
  for (const source of ['firebase', 'bitly', 'dub'])
    t.match(await importRows({ source, columns: ['__proto__', 'constructor'], rows: [['a', 'b'], []] }), { failed: 2 });
});

t.test('a member that is nested deeply is lost if it cannot be stored, and does not fail the call', async (t) => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const names = ['data', 'title', 'tags', 'card', 'geo', 'created_at', 'active_from', 'expires_at', 'max_clicks', 'password', 'archived'];
  const path = fresh();
  const rows = [
    ...names.map((name) => `{"path":"${fresh()}","${name}":${nested(20_000)}}`),
    `{"path":"${fresh()}","data":{"a":${nested(20_000)}}}`,
    `{"path":"${fresh()}","status":"expired","expires_at":${nested(20_000)}}`,
    `{"title":"without an address","data":{"a":${nested(20_000)}}}`,
    `{"path":"${path}","data":{"a":${nested(2_000)}}}`,
  ];
  for (const outcome of ['created', 'exists']) {
    const { results } = await importRows({ source: 'ndjson', rows });
    t.same([...new Set(results.map((result) => result.outcome))], [outcome]);
    t.same(
      results.map(({ lost }) => lost),
      [...names.map((name) => [name]), ['data'], ['expires_at', 'status'], ['data'], []],
    );
  }
});

t.test('a call hashes no more passwords than a bulk call, and says of each row past them that it was not made', async (t) => {
  const rows = Array.from({ length: PASSWORDS_OF_BULK_MAX + 2 }, () => [fresh(), 'https://shop.example/', 'sesame']);
  const body = { source: 'csv', columns: ['path', 'web', 'password'], rows };
  t.match(await importRows(body), { created: PASSWORDS_OF_BULK_MAX, failed: 2 });
  t.match(await importRows({ ...body, rows: rows.slice(-2) }), { created: 2 });
});

t.test('what the call as a whole lacks is named', async (t) => {
  const wrong = async (body: object, pointer: string) => {
    const { status, json } = await call(t, api.baseUrl, 'POST /imports/links', { ...request, body });
    t.equal(status, 422);
    t.match(json.errors, [{ pointer }]);
    t.equal(json.errors.length, 1, 'and nothing else');
  };
  await wrong({ source: 'csv', rows: [['a']] }, '/columns');
  await wrong({ rows: [{}] }, '/source');
  await wrong({ source: 'nope', rows: [{}] }, '/source');
  await wrong({ source: 'rebrandly', columns: ['a'], rows: [['a']] }, '/source');
  await wrong({ source: 'ndjson', rows: Array.from({ length: IMPORT_ROWS_MAX + 1 }, () => ({})) }, '/rows');
  await wrong({ source: 'ndjson', rows: [{}], domains: [{ from: 'a', to: 'not\0here' }] }, '/domains/0/to');
  await wrong({ source: 'ndjson', rows: [{}], first_row: 0 }, '/first_row');
});

t.test('a call of many rows is worked on by the thread, finds its links again, and is undone by nobody else', async (t) => {
  const web = `https://shop.example/${fresh()}`;
  const prefix = fresh();
  const rows = Array.from({ length: IMPORT_ROWS_MAX }, (_, at) => [`${prefix}-${at}`, `${web}/${at}`, 'print', 'disabled']);
  const body = { source: 'csv', columns: ['path', 'web', 'tags', 'status'], rows };
  const pokes = api.pokes();
  const answers = await Promise.all([importRows(body), importRows(body)]);
  t.ok(api.pokes() > pokes, 'engines are told');
  const [one, other] = answers as [ImportedLinks, ImportedLinks];
  t.equal(one.created + other.created, IMPORT_ROWS_MAX, 'two at once make each link once');
  t.match(await importRows(body), { created: 0, exists: IMPORT_ROWS_MAX });
  const { rows: states } = await api.database.query({
    text: `SELECT state, count(*)::integer AS count FROM links WHERE destinations ->> 'web' LIKE $1 GROUP BY 1`,
    values: [`${web}/%`],
  });
  t.same(states, [{ state: 'disabled', count: IMPORT_ROWS_MAX }]);
  t.match(
    (await call(t, api.baseUrl, 'POST /imports/links', { key: api.testKey, body: { ...body, dry_run: true } })).json,
    { created: IMPORT_ROWS_MAX },
    'the other environment has none of them',
  );
});

t.test('no look-up is made for links that have no address in this service', async (t) => {
  const database = { query: async () => t.fail('nothing is asked') } as never;
  t.equal((await findImported(database, api.live.id, [])).size, 0);
});

t.test('cells are those that the command line reads', async (t) => {
  const file = join(temporaryFolder(t), 'links.csv');
  writeFileSync(file, '\uFEFFPath ;web\r\n" a ";"https://shop.example/?a=""b"""\r\n\r\nb\r\n;\r\n ;" ";\r\nc;d;e\r\n');
  const rows: unknown[] = [];
  for await (const row of csvRows(file, new Set(['path']))) rows.push(row);
  t.same(rows, [{ path: ' a ', web: 'https://shop.example/?a="b"' }, { path: 'b' }, { path: 'c', web: 'd', 'column 3': 'e' }]);
});

t.test('rows of which every cell or every member is empty make no link', async (t) => {
  const linkCount = async () => (await api.database.query({ text: 'SELECT 1 FROM links', values: [] })).rowCount;
  const before = await linkCount();
  for (const source of ['csv', 'bitly', 'dub', 'firebase'] as const) {
    const rows = [[], ['', ''], [' ', '\t', '']];
    const { results, failed } = await importRows({ source, columns: ['path', 'web'], rows, first_row: 5 });
    t.equal(failed, 3);
    t.match(
      results,
      [5, 6, 7].map((row) => ({ row, id: `number ${row}`, outcome: 'failed', reason: 'all cells of the row are empty', url: null })),
    );
  }
  const rows = [{}, '{}', { path: null, destinations: null }, { path: '', tags: [], destinations: { web: ' ' } }, { colour: 'red' }];
  const { results, failed } = await importRows({ source: 'ndjson', rows, first_row: 5 });
  t.equal(failed, rows.length);
  for (const [index, result] of results.entries())
    t.match(result, { id: `number ${index + 5}`, outcome: 'failed', reason: 'all members that are read are empty', url: null });
  t.equal(await linkCount(), before);
  t.match(await importRows({ source: 'ndjson', rows: [{ destinations: null, archived: false }] }), { created: 1 });
});

t.test('a row without destinations loses none: its link leads to those of the environment', async (t) => {
  const object = await importRows({ source: 'ndjson', rows: [{ path: fresh() }] });
  const cells = await importRows({ source: 'csv', columns: ['path', 'title'], rows: [[fresh(), 'Untold']] });
  for (const { with_losses, results } of [object, cells]) t.match({ with_losses, results }, { with_losses: 0, results: [{ lost: [] }] });
});

t.test('rows without any known column make no link', async (t) => {
  const { results } = await importRows({ source: 'csv', columns: ['colour'], rows: [['red']] });
  t.match(results, [{ id: 'number 1', outcome: 'failed', reason: /none of the columns/ }]);
});

t.test('of two columns with one name the second is told as lost', async (t) => {
  const rows = [[fresh(), 'https://shop.example/', 'https://elsewhere.example/', '']];
  const { results } = await importRows({ source: 'csv', columns: ['path', 'web', 'WEB', ''], rows });
  t.match(results, [{ outcome: 'created', lost: ['web (column 3)'] }]);
});

t.test('an import that comes twice at once makes its links once', async (t) => {
  const web = `https://shop.example/${fresh()}`;
  const day = '2026-01-01';
  const clicks = JSON.stringify([{ source: 'before', day, clicks: 5 }]);
  const rows = Array.from({ length: 40 }, (_, index) => ({
    destinations: { web: `${web}/${index}` },
    imported_clicks: JSON.parse(clicks),
  }));
  for (const paths of [false, true]) {
    const own = rows.map((row, index) => ({ ...row, ...(paths ? { path: `${web.slice(-3)}-${index}` } : {}) }));
    const start = await countOf(web);
    const answers = await Promise.all([0, 1, 2].map(() => importRows({ source: 'ndjson', rows: own })));
    t.equal(await countOf(web), (start ?? 0) + rows.length);
    t.equal(
      answers.reduce((sum, { created }) => sum + created, 0),
      rows.length,
    );
    t.equal(
      answers.reduce((sum, { exists }) => sum + exists, 0),
      2 * rows.length,
    );
  }
});

t.test('clicks of before on a day or of a source that cannot be stored are named as lost', async (t) => {
  for (const wrong of [
    { source: 'x', day: '0000-01-01', clicks: 1 },
    { source: '\ud800', day: null, clicks: 1 },
    { source: 'a\0', day: null, clicks: 1 },
  ]) {
    const rows = [{ path: fresh(), destinations: { web: 'https://shop.example/' }, imported_clicks: [wrong] }];
    t.match((await importRows({ source: 'ndjson', rows })).results, [{ outcome: 'created', lost: ['imported_clicks'] }]);
  }
});

t.test('a time of creation in any form that is taken finds its link again', async (t) => {
  for (const created_at of ['2021-01-01T00:00:00+05', '2021-01-01T00:00:00,5Z']) {
    const rows = [{ path: fresh(), destinations: { web: 'https://shop.example/' }, created_at }];
    t.match(await importRows({ source: 'ndjson', rows }), { created: 1 });
    t.match(await importRows({ source: 'ndjson', rows }), { exists: 1 });
  }
});

t.test('a whole number that cannot be kept exactly is named as lost, whichever way it comes', async (t) => {
  const data = '{"id": 9007199254740993}';
  const web = 'https://shop.example/';
  const paths = [fresh(), fresh(), fresh()];
  const lost = [{ outcome: 'created', lost: ['data'] }];
  t.match((await importRows({ source: 'csv', columns: ['path', 'web', 'data'], rows: [[paths[0], web, data]] })).results, lost);
  const line = `{"path":"${paths[1]}","destinations":{"web":"${web}"},"data":${data}}`;
  t.match((await importRows({ source: 'ndjson', rows: [line] })).results, lost);
  const body = `{"source":"ndjson","rows":[${line.replace(paths[1] as string, paths[2] as string)}]}`;
  const response = await fetch(`${api.baseUrl}/imports/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.liveKey}`, 'content-type': 'application/json' },
    body,
  });
  t.match(((await response.json()) as ImportedLinks).results, lost);
  t.match((await importRows({ source: 'ndjson', rows: ['{'] })).results, [{ outcome: 'failed', reason: 'is not JSON' }]);
});

t.test('keys of Dub that differ in case alone are one path, or different links if the call says so', async (t) => {
  const key = fresh();
  const rows = [key, key.toUpperCase()].map((shown, index) => ['dub.sh', shown, `https://shop.example/${key}/${index}`]);
  const body = { source: 'dub', columns: ['domain', 'key', 'url'], rows };
  t.match(await importRows({ ...body, dry_run: true }), { created: 1, failed: 1 });
  t.match(await importRows({ ...body, case_sensitive: true }), { created: 2, aliased: 0, failed: 0 });
  t.match(await importRows({ ...body, case_sensitive: true }), { exists: 2 });
  const other = { source: 'csv', columns: ['path', 'web'], rows: [[key, 'https://shop.example/']], case_sensitive: true };
  const refused = await call(t, api.baseUrl, 'POST /imports/links', { ...request, body: other });
  t.match(refused, { status: 422, json: { errors: [{ pointer: '/case_sensitive', code: 'invalid_value' }] } });
});

t.test('a row that is not imported does not count as one that is imported without some of its fields', async (t) => {
  const path = fresh();
  const rows = [path, path].map((path, at) => [path, `https://shop.example/${at}`, 'red']);
  for (const [on_collision, outcome] of [
    ['fail', 'failed'],
    ['skip', 'skipped'],
  ] as const) {
    const answer = await importRows({ source: 'csv', columns: ['path', 'web', 'colour'], rows, on_collision });
    t.match(answer, { with_losses: 1, [outcome]: 1, results: [{}, { outcome, lost: ['colour'] }] });
  }
});

t.test('a dry run hashes no passwords', async (t) => {
  const rows = Array.from({ length: 20 }, () => [fresh(), 'https://shop.example/', 'sesame']);
  const took = async (dry_run: boolean) => {
    const start = performance.now();
    t.match(await importRows({ source: 'csv', columns: ['path', 'web', 'password'], rows, dry_run }), { created: 20, with_losses: 0 });
    return performance.now() - start;
  };
  await took(true);
  const tried = await took(true);
  const made = await took(false);
  t.ok(tried < made / 2, `${tried} ms, and ${made} ms with hashes`);
});

t.test('a line that is not JSON fails alone', async (t) => {
  const rows = ['{"path"', JSON.stringify({ path: fresh(), destinations: { web: 'https://shop.example/' } }), '7'];
  t.match((await importRows({ source: 'ndjson', rows, first_row: 9 })).results, [
    { row: 9, id: 'number 9', outcome: 'failed', reason: 'is not JSON' },
    { row: 10, outcome: 'created' },
    { row: 11, outcome: 'failed', reason: 'is not an object' },
  ]);
});

t.test('an address that is listed twice in different forms becomes one alias', async (t) => {
  const path = fresh();
  const host = 'go.example.com';
  const aliases = [`${host}/${path}/`, `${host}/${path}/a b`, `${host}/${path}/a%20b/`, `${host}/${path}/c`].join(', ');
  const columns = ['path', 'web', 'aliases'];
  const { results } = await importRows({ source: 'csv', columns, rows: [[path, 'https://shop.example/', aliases]] });
  t.match(results, [{ outcome: 'created', lost: [], reason: null }]);
});

t.test('a path with a slash at its end is the path without it, which the link host answers too', async (t) => {
  const [own, bitlink] = [fresh(), fresh()];
  const web = 'https://shop.example/';
  for (const outcome of ['created', 'exists']) {
    t.match((await importRows({ source: 'csv', columns: ['path', 'web'], rows: [[`${own}/`, web]] })).results, [
      { outcome, url: `https://go.example.com/${own}` },
    ]);
    t.match((await importRows({ source: 'bitly', columns: ['link', 'long url'], rows: [[`https://bit.ly/${bitlink}/`, web]] })).results, [
      { outcome, url: `https://go.example.com/${bitlink}` },
    ]);
  }
});
