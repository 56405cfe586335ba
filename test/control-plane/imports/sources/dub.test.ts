import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DUB } from '../../../../control-plane/imports/sources/dub.js';
import { TAGS_OF_LINK_MAX } from '../../../../shared/base/limits.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { dubOf, linkOfRow, linksFrom } from '../source-service.js';

const LINK = { domain: 'dub.sh', key: 'a', url: 'https://shop.example/' };
const NOTHING_ASKED = {
  ...{
    apiKey: null,
    baseUrl: null,
    interrupted: new AbortController().signal,
    done: new Set<string>(),
    onWait: () => {},
    onRead: () => {},
  },
};

const read = (row: Readonly<Record<string, string>>) =>
  linkOfRow('dub', { domain: 'dub.sh', key: 'a', url: 'https://shop.example/', ...row });

t.test('Dub: destinations by country and disabled links are read from its CSV', async (t) => {
  const geo = { DE: 'https://shop.example/de' };
  t.match(read({ geo: JSON.stringify(geo) }), { lost: [], fields: { geo } });
  t.same(read({ geo: 'DE' }).lost, ['geo']);
  t.match(read({ 'disabled at': '2026-01-01T00:00:00Z' }), { disabled: true, lost: [] });
});

t.test('Dub: only columns of its export that affect redirects are reported as lost', async (t) => {
  const columns = ['link id', 'updated at', 'leads', 'conversions', 'sales', 'sale amount', 'last clicked', 'tag id'];
  t.same(read(Object.fromEntries(columns.map((name) => [name, '7']))).lost, []);
  t.same(read({ rewrite: 'true', 'expired url': 'https://shop.example/over' }).lost, ['rewrite', 'expired url']);
  t.same(read({ rewrite: 'false' }).lost, []);
  t.same(read({ url: '' }).lost, ['destinations']);
});

t.test('Dub: other features of a link are reported as lost, and its card is read if proxy is set', async (t) => {
  t.same(read({ 'public stats': 'true', 'track conversion': 'true', webhookids: 'w' }).lost, [
    'public stats',
    'track conversion',
    'webhookids',
  ]);
  const card = { description: 'D', image: 'https://shop.example/i.png' };
  // Dub stores what the destination says about itself in these fields, and shows it to nobody unless `proxy` is set.
  t.match(read({ ...card, proxy: 'false' }), { lost: [], fields: { card: undefined } });
  t.match(read({ ...card, proxy: 'true' }), { lost: [], fields: { card: { description: 'D' } } });
});

t.test('Dub: the root of a domain is not imported, and the report says what to set instead', async (t) => {
  const url = 'https://shop.example/home';
  for (const key of ['_root', 'akoJCU0=']) {
    const links = await linksFrom(t, 'dub', dubOf(1, [{ domain: 'd.co', key, url }]));
    t.match(links, [{ id: 'd.co/_root', addresses: [], fault: /set redirects\.root of the domain to https:\/\/shop\.example\/home/ }]);
  }
  t.match(linkOfRow('dub', { 'short link': 'https://d.co', url }), { id: 'd.co/_root', addresses: [], fault: /redirects\.root/ });
  t.match(linkOfRow('dub', { 'short link': 'https://d.co', url: '' }), { fault: /leads nowhere/ });
});

t.test('Dub: the root of a domain is skipped if it has no URL', async (t) => {
  t.match(await linksFrom(t, 'dub', dubOf(2, [{ domain: 'd.co', key: '_root', url: '' }, LINK])), [{ id: 'dub.sh/a' }]);
  const file = join(temporaryFolder(t), 'dub.csv');
  writeFileSync(file, 'domain,key,url\nd.co,_root,\ndub.sh,a,https://shop.example/\n');
  const links = [];
  for await (const link of DUB.read({ ...NOTHING_ASKED, file })) links.push(link);
  t.match(links, [{ id: 'dub.sh/a' }]);
  t.equal(links.length, 1);
});

t.test('Dub: a key that may not count links can read them, with a note', async (t) => {
  const notes: string[] = [];
  const answer = (url: URL) => (url.pathname === '/links/count' ? { status: 403, body: {} } : dubOf(1, [LINK])(url));
  const links = await linksFrom(t, 'dub', answer, { onNote: (note) => notes.push(note) });
  t.match(links, [{ id: 'dub.sh/a' }]);
  t.match(notes, [/does not return the number of links/]);
});

const DAY = '2026-01-01T00:00:00.000Z';
const LINKS_OF_FOLDERS: Readonly<Record<string, number>> = { '': 3, f1: 101, f2: 2 };

/** Dub lists and counts the links of one folder, or those that are in none. `countsAll`: servers of 2024 count them all together. */
function withFolders(refused: Readonly<Record<string, number>> = {}, countsAll = false) {
  return ({ pathname, searchParams }: URL): unknown => {
    const folder = searchParams.get('folderId') ?? '';
    const status = refused[pathname === '/folders' ? 'all' : folder];
    if (status !== undefined) return { status, body: {} };
    const ids = Object.keys(LINKS_OF_FOLDERS).filter((id) => id !== '');
    if (pathname === '/folders') return ids.map((id) => ({ id, name: `The ${id}`, type: 'default', createdAt: DAY }));
    const number = LINKS_OF_FOLDERS[folder] ?? 0;
    if (pathname === '/links/count')
      return countsAll && folder === '' ? Object.values(LINKS_OF_FOLDERS).reduce((sum, each) => sum + each, 0) : number;
    const keys = Array.from({ length: number }, (_, at) => `${folder}-${at}`);
    const from = (Number(searchParams.get('page')) - 1) * 100;
    return keys.slice(from, from + 100).map((key) => ({ ...LINK, key, folderId: folder || null }));
  };
}

t.test('Dub: the links of every folder are read', async (t) => {
  for (const countsAll of [false, true]) {
    const links = await linksFrom(t, 'dub', withFolders({}, countsAll));
    t.equal(links.length, 106);
    t.match(links.at(-1), { id: 'dub.sh/f2-1', lost: [], fields: { tags: ['The f2'] } });
    t.equal(links[0]?.fields.tags, undefined);
  }
});

t.test('Dub: the name of a folder becomes a tag after those of the link, and a folder without a known name is lost', async (t) => {
  const tags = [{ name: 'spring' }, { name: 'Sales, EU' }];
  const links = [
    { ...LINK, key: 'b', folderId: 'f1', tags },
    { ...LINK, key: 'c', folderId: 'f1', tags: null },
    { ...LINK, key: 'd', folderId: 'f2', tags },
    { ...LINK, key: 'e', folderId: 'f3' },
    { ...LINK, key: 'f', folderId: 'f1', tags: Array.from({ length: TAGS_OF_LINK_MAX }, (_, at) => ({ name: `t${at}` })) },
  ];
  const folders = [{ id: 'f1', name: 'Sales, EU' }, { id: 'f2' }];
  const answer = ({ pathname, searchParams }: URL): unknown =>
    pathname === '/folders' ? folders : pathname === '/links/count' ? 0 : searchParams.has('folderId') ? [] : links;
  const read = await linksFrom(t, 'dub', answer);
  t.same(
    read.map(({ id, lost, fields }) => [id, lost, fields.tags?.slice(0, 2)]),
    [
      ['dub.sh/b', [], ['spring', 'Sales  EU']],
      ['dub.sh/c', [], ['Sales  EU']],
      ['dub.sh/d', ['folderId'], ['spring', 'Sales  EU']],
      ['dub.sh/e', ['folderId'], undefined],
      ['dub.sh/f', ['tags'], ['t0', 't1']],
    ],
  );
});

t.test('Dub: a server that lists the links of all folders together has none twice, and none too few', async (t) => {
  const keys = Array.from({ length: 250 }, (_, at) => `k${at}`);
  const links = await linksFrom(t, 'dub', ({ pathname, searchParams }) => {
    const own = searchParams.has('folderId') ? keys.slice(0, 200) : keys;
    if (pathname === '/folders') return [{ id: 'f1', name: 'The f1' }];
    if (pathname === '/links/count') return own.length;
    const from = (Number(searchParams.get('page')) - 1) * 100;
    return own.slice(from, from + 100).map((key) => ({ ...LINK, key }));
  });
  t.equal(links.length, 250);
});

t.test('Dub: the error at the end names a folder that the key may not read, and counts links that are missing', async (t) => {
  await t.rejects(linksFrom(t, 'dub', withFolders({ f1: 403 })), {
    name: 'MissingLinksError',
    message: /^the links of 1 folders could not be read \(The f1: 127\.0\.0\.1:\d+ answers 403\)$/,
  });
  const answer = withFolders();
  const short = (url: URL) => (url.pathname === '/links/count' && url.searchParams.get('folderId') === 'f2' ? 4 : answer(url));
  await t.rejects(linksFrom(t, 'dub', short), { name: 'MissingLinksError', message: /^2 of 108 links are missing/ });
});

t.test('Dub: without the right to list folders, the other links are read, with a note', async (t) => {
  const notes: string[] = [];
  const onNote = (note: string) => notes.push(note);
  t.equal((await linksFrom(t, 'dub', withFolders({ all: 403 }), { onNote })).length, 3);
  t.match(notes, [/^the key is not allowed to list folders, so only the links that are in none are read/]);
  t.equal((await linksFrom(t, 'dub', withFolders({ all: 404 }), { onNote })).length, 3, 'an older server has none');
  t.equal(notes.length, 1);
});
