import t from 'tap';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };

const LINKS = [
  { path: 'Spring-sale', title: 'Sale of spring', destinations: { web: 'https://shop.example.com/a_b' } },
  { path: 'zebra', title: 'alpha 100%', destinations: { ios: 'https://apps.apple.com/app/id1' } },
  { path: 'alpha', tags: ['Autumn campaign'] },
  { path: 'beta', title: 'Überschrift', destinations: { fallback: 'https://shop.example.com/axb' } },
  { path: 'gamma', archived: true, tags: ['Autumn campaign'] },
];
const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links: LINKS } });
t.equal(json.created, LINKS.length);

async function pathsOf(query: string): Promise<string[]> {
  const paths: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, json } = await call(t, api.baseUrl, `GET /links?limit=2&${query}${cursor}`, request);
    t.equal(status, 200, query);
    paths.push(...json.data.map(({ path }: { path: string }) => path));
    if (json.next_cursor === null) return paths;
    cursor = `&cursor=${json.next_cursor}`;
  }
}

const search = (text: string, more = '') => pathsOf(`search=${encodeURIComponent(text)}${more}`);

t.test('a search finds parts of path, title, destination and tag, in capitals or not, newest first', async (t) => {
  for (const [text, paths] of [
    ['SPRING', ['Spring-sale']],
    ['of spr', ['Spring-sale']],
    ['alpha', ['alpha', 'zebra']],
    ['shop.example.com', ['beta', 'Spring-sale']],
    ['apple', ['zebra']],
    ['autumn', ['alpha']],
    ['überschr', ['beta']],
    ['a', ['alpha', 'zebra']],
    ['SA', ['Spring-sale']],
    ['Sp', ['Spring-sale']],
    ['sp', ['Spring-sale']],
    ['SP', ['Spring-sale']],
    ['sP', ['Spring-sale']],
    ['s', ['Spring-sale']],
    ['Üb', ['beta']],
    ['ze', ['zebra']],
    ['hi', []],
    ['nothing like it', []],
    ['web', []],
  ] as const)
    t.same(await search(text), paths, text);
});

t.test('the text is no pattern', async (t) => {
  for (const [text, paths] of [
    ['00%', ['zebra']],
    ['%', []],
    ['com/a_b', ['Spring-sale']],
    ['\\', []],
    ["' OR 1=1 --", []],
  ] as const)
    t.same(await search(text), paths, text);
});

t.test('archived links are left out unless they are asked for, and filters narrow each other', async (t) => {
  t.same(await pathsOf('archived=true'), ['gamma']);
  t.same(await search('autumn', '&archived=true'), ['gamma']);
  t.same(await pathsOf('tag=Autumn%20campaign'), ['alpha']);
  t.same(await pathsOf('tag=autumn%20campaign'), [], 'the name of a tag is compared as it is');
  t.same(await search('alpha', '&tag=Autumn%20campaign'), ['alpha']);
  t.same(await search('alpha', '&path=z'), ['zebra']);
});

t.test('links are sorted by name or creation, either way, over pages', async (t) => {
  const named = ['alpha', 'zebra', 'Spring-sale', 'beta'];
  t.same(await pathsOf('sort=name'), named, 'the title, or else the path, in capitals or not');
  t.same(await pathsOf('sort=name&order=desc'), [...named].reverse());
  t.same(await pathsOf('sort=created_at&order=asc'), ['Spring-sale', 'zebra', 'alpha', 'beta']);
  t.same(await pathsOf('order=asc'), ['Spring-sale', 'zebra', 'alpha', 'beta']);
  t.same(await search('example.com', '&sort=name&order=desc'), ['beta', 'Spring-sale']);
  const { json } = await call(t, api.baseUrl, 'GET /links?sort=state', request);
  t.match(json.errors, [{ in: 'query', pointer: '/sort', code: 'invalid_value' }]);
});

t.test('an archived link is archived and taken out again by a change that is told of', async (t) => {
  const { json: link } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'put-away' } });
  t.equal(link.archived, false);
  const patch = (archived: unknown) => call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body: { archived } });
  t.match(await patch(true), { status: 200, json: { archived: true, status: 'active' } });
  t.notOk((await pathsOf('path=put-away')).length);
  t.match(await patch(false), { status: 200, json: { archived: false } });
  t.same(await pathsOf('path=put-away'), ['put-away']);
  t.match(await patch(null), { status: 422, json: { errors: [{ pointer: '/archived', code: 'wrong_type' }] } });
});

t.test('a link that moves in keeps the time at which it was made, and its place in the list', async (t) => {
  const create = (body: object) => call(t, api.baseUrl, 'POST /links', { ...request, body });
  const { status, json } = await create({ path: 'moved-in', created_at: '2019-05-01T12:00:00+02:00' });
  t.equal(status, 201);
  t.match(json, { created_at: '2019-05-01T10:00:00.000Z', updated_at: '2019-05-01T10:00:00.000Z' });
  t.equal((await pathsOf('order=asc'))[0], 'moved-in');
  t.same(await pathsOf('created_to=2019-05-01T10:00:00.000Z'), ['moved-in']);
  const links = [{ path: 'm2', created_at: '2020-01-01T00:00:00Z' }, { path: 'm3' }, { path: 'm1', created_at: '1999-01-01T00:00:00Z' }];
  const bulk = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } });
  t.equal(bulk.json.created, 3);
  t.same((await pathsOf('order=asc')).slice(0, 3), ['m1', 'moved-in', 'm2']);
  await create({ path: 'first-of-all', created_at: '1970-01-01T00:00:00Z' });
  t.same(await pathsOf('created_to=1970-01-01T00:00:00Z'), ['first-of-all']);
  for (const before of ['1969-12-31T23:59:59.999Z', '0001-01-01T00:00:00Z']) {
    t.same(await pathsOf(`created_to=${before}`), [], 'no link was made before 1970');
    t.ok((await pathsOf(`created_from=${before}&created_to=1999-01-01T00:00:00Z`)).includes('first-of-all'));
  }
  for (const [created_at, code] of [
    [new Date(Date.now() + 60_000).toISOString(), 'too_large'],
    ['1969-12-31T23:59:59Z', 'too_small'],
    ['yesterday', 'invalid_format'],
  ] as const) {
    const { json } = await create({ created_at });
    t.match(json.errors, [{ pointer: '/created_at', code }]);
  }
  const changed = await call(t, api.baseUrl, `PATCH /links/${bulk.json.results[1].link.id}`, {
    ...request,
    body: { created_at: '2020-01-01T00:00:00Z' },
  });
  t.match(changed.json.errors, [{ pointer: '/created_at', code: 'unknown_field' }]);
});

t.test('destinations by country are found too, as long as the link is there', async (t) => {
  const geo = { DE: 'https://laden.example/de', FR: 'https://magasin.example/fr' };
  const { json: link } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'by-country', geo } });
  t.same(await search('LADEN'), ['by-country']);
  t.same(await search('magasin.example/fr'), ['by-country']);
  t.same(await search('laden', '&path=other'), []);
  t.same(await search('DE":'), [], 'a country is no text of a link');
  await call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body: { geo: { DE: 'https://laden.example/gr%C3%B6%C3%9Fe' } } });
  t.same(await search('größe'), ['by-country']);
  await call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body: { geo: { DE: 'https://geschaeft.example/' } } });
  t.same([await search('laden'), await search('geschaeft')], [[], ['by-country']]);
  await send(api.baseUrl, `DELETE /links/${link.id}`, request);
  t.same(await search('geschaeft'), []);
});

t.test('the path of an alias is found too, also of a deleted link', async (t) => {
  const { link_host: host } = (await call(t, api.baseUrl, 'GET /environment', request)).json;
  const aliases = [
    { host, path: 'Old/Winter-offer' },
    { host, path: 'größe' },
  ];
  const { status, json: link } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'moved-here', aliases } });
  t.equal(status, 201);
  for (const text of ['old/winter', 'OFFER', 'größe', 'gr%C3%B6%C3%9Fe', 'gr%c3%b6', 'Winter%2Doffer'])
    t.same(await search(text), ['moved-here'], text);
  for (const text of ['gr%C3%B6%00', 'gr%C3', '%00%00', '200%']) t.same(await search(text), [], text);
  t.same(await search('winter', '&path=other'), []);
  t.same(await search('path":'), [], 'only its path is text of an alias');
  await call(t, api.baseUrl, `PATCH /links/${link.id}`, { ...request, body: { aliases: [{ host, path: 'new/summer' }] } });
  t.same([await search('winter-offer'), await search('new/summer')], [[], ['moved-here']]);
  await send(api.baseUrl, `DELETE /links/${link.id}`, request);
  t.same([await search('new/summer'), await search('new/summer', '&status=deleted')], [[], ['moved-here']]);
});

t.test('a text is found whichever of its characters are escaped, in the link or in the text', async (t) => {
  const links = [
    { path: 'esc-query', destinations: { web: 'https://escaped.example/red%20shoes?q=aa%26bb&r=bb%3Dcc&s=cc%2Fdd#dd%23ee' } },
    { path: 'esc-blank', destinations: { web: 'https://escaped.example/blue shoes' } },
    { path: 'esc-form', destinations: { fallback: 'https://escaped.example/?q=green+shoes&mail=me%40shop.example' } },
    { path: 'esc-letters', geo: { DE: 'https://escaped.example/%C3%96l%20und%20Essig/%D0%BC%D1%8B' } },
    { path: 'esc-kept', destinations: { web: 'https://escaped.example/half%2Dway?u=https%3A%2F%2Fx.example%2Fa%2520b' } },
    { path: 'esc-title', title: 'Q&A: 100% (C:\\temp) [a|b] ^x$ *y? {z}', tags: ['Öl & Essig'] },
  ];
  t.equal((await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links } })).json.created, links.length);
  for (const [text, paths] of [
    ['red shoes', ['esc-query']],
    ['RED%20shoes', ['esc-query']],
    ['red shoes?q=aa&bb', ['esc-query']],
    ['https://escaped.example/red shoes?q=aa%26bb&r=bb=cc', ['esc-query']],
    ['https%3a%2f%2fescaped.example%2fred%20shoes', ['esc-query']],
    ['aa&bb', ['esc-query']],
    ['bb=cc', ['esc-query']],
    ['cc/dd', ['esc-query']],
    ['dd#ee', ['esc-query']],
    ['aa%26bb', ['esc-query']],
    ['%2fdd', ['esc-query']],
    ['https://escaped.example/blue shoes', ['esc-blank']],
    ['green shoes', ['esc-form']],
    ['green+shoes', ['esc-form']],
    ['red+shoes', []],
    ['me@shop', ['esc-form']],
    ['Öl und', ['esc-letters']],
    ['öl UND', ['esc-letters']],
    ['%C3%B6l und essig/МЫ', ['esc-letters']],
    ['half%2Dway', ['esc-kept']],
    ['x.example/a%20b', ['esc-kept']],
    ['x.example/a%2520b', ['esc-kept']],
    ['%2520b', ['esc-kept']],
    ['Q%26A: 100%', ['esc-title']],
    ['q&a', ['esc-title']],
    ['C:\\temp) [a|b] ^x$ *y? {z}', ['esc-title']],
    ['öl%20%26%20essig', ['esc-title']],
    ['red.shoes', []],
    ['red_shoes', []],
    ['(red|blue) shoes', []],
    ['red%00shoes', []],
    ['esc-%0A', []],
  ] as const)
    t.same(await search(text), paths, text);
  for (const unit of ['/', 'ö', '\u{1f600}', '%', '('])
    t.same(await search(unit.repeat(100)), [], `the longest texts are searched for too: ${unit}`);
});

t.test('a text without a trigram finds what begins with it, escaped or not', async (t) => {
  const links = [{ path: 'A-b_C-d-1' }, { path: 'letters', title: 'A b & c' }, { path: 'dots', title: '... and so on' }];
  const tagged = { path: 'tagged', tags: ['x & y'] };
  const { json } = await call(t, api.baseUrl, 'POST /links/bulk', { ...request, body: { links: [...links, tagged] } });
  t.equal(json.created, 4);
  for (const [text, paths] of [
    ['a b', ['letters']],
    ['a%20B', ['letters']],
    ['%41 b &', ['letters']],
    ['b & c', []],
    ['...', ['dots']],
    ['%2E.', ['dots']],
    ['a-B', ['A-b_C-d-1']],
    ['a-B_c-D', ['A-b_C-d-1']],
    ['a-B_d', []],
    ['& Y', ['tagged']],
  ] as const)
    t.same(await search(text), paths, text);
});

t.test('a search finds an international domain as people write it, and as it is stored', async (t) => {
  const destinations = { web: 'https://www.müller-markt.example/x?y=1' };
  const { json: link } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'international', destinations } });
  t.match(link.destinations.web, /xn--/);
  for (const text of ['müller-markt', 'https://www.MÜLLER-Markt.example/x?y', 'xn--mller-markt'])
    t.same(await search(text), ['international'], text);
});
