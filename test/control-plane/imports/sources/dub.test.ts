import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DUB } from '../../../../control-plane/imports/sources/dub.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { linkOfRow, linksFrom } from '../source-service.js';

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
    const links = await linksFrom(t, 'dub', ({ pathname }) => (pathname === '/links/count' ? 1 : [{ domain: 'd.co', key, url }]));
    t.match(links, [{ id: 'd.co/_root', addresses: [], fault: /set redirects\.root of the domain to https:\/\/shop\.example\/home/ }]);
  }
  t.match(linkOfRow('dub', { 'short link': 'https://d.co', url }), { id: 'd.co/_root', addresses: [], fault: /redirects\.root/ });
  t.match(linkOfRow('dub', { 'short link': 'https://d.co', url: '' }), { fault: /leads nowhere/ });
});

t.test('Dub: the root of a domain is skipped if it has no URL', async (t) => {
  const pages = ({ pathname }: URL) => (pathname === '/links/count' ? 2 : [{ domain: 'd.co', key: '_root', url: '' }, LINK]);
  t.match(await linksFrom(t, 'dub', pages), [{ id: 'dub.sh/a' }]);
  const file = join(temporaryFolder(t), 'dub.csv');
  writeFileSync(file, 'domain,key,url\nd.co,_root,\ndub.sh,a,https://shop.example/\n');
  const links = [];
  for await (const link of DUB.read({ ...NOTHING_ASKED, file })) links.push(link);
  t.match(links, [{ id: 'dub.sh/a' }]);
  t.equal(links.length, 1);
});

t.test('Dub: a key that may not count links can read them, with a note', async (t) => {
  const notes: string[] = [];
  const answer = ({ pathname }: URL) => (pathname === '/links/count' ? { status: 403, body: {} } : [LINK]);
  const links = await linksFrom(t, 'dub', answer, { onNote: (note) => notes.push(note) });
  t.match(links, [{ id: 'dub.sh/a' }]);
  t.match(notes, [/does not return the number of links/]);
});
