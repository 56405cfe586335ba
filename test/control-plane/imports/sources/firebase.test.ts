import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FIREBASE } from '../../../../control-plane/imports/sources/firebase.js';
import type { SourceLink } from '../../../../control-plane/imports/sources/source-link.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { linkOfRow } from '../source-service.js';

const read = (row: Readonly<Record<string, string>>) =>
  linkOfRow('firebase', { 'short link': 'https://a.page.link/a', link: 'https://shop.example/p', ...row });

t.test('the App Store id is read with or without its prefix, and a malformed one is reported as lost', async (t) => {
  for (const isi of ['123', 'id123', 'ID123'])
    t.match(read({ isi }), { lost: [], fields: { destinations: { ios: 'https://apps.apple.com/app/id123' } } });
  const { lost, fields } = read({ isi: 'com.shop' });
  t.same([lost, fields.destinations], [['isi'], { web: 'https://shop.example/p' }]);
});

t.test('the id of an app is reported as lost if no destination contains it', async (t) => {
  t.same(read({ ibi: 'com.shop' }).lost, ['ibi']);
  t.same(read({ ibi: 'com.shop', isi: '123' }).lost, []);
  const ios = read({ ibi: 'com.shop', isi: '123', ifl: 'https://shop.example/ios' });
  t.match(ios, { lost: ['isi', 'ibi'], fields: { destinations: { ios: 'https://shop.example/ios' } } });
  t.match(read({ apn: 'com.shop' }), { lost: [], fields: { destinations: { android: /id=com.shop$/ } } });
  t.match(read({ apn: 'com.shop', afl: 'https://shop.example/a' }), {
    lost: ['apn'],
    fields: { destinations: { android: 'https://shop.example/a' } },
  });
});

t.test('the fragment of a deep link is part of the route in the app', async (t) => {
  t.match(read({ link: 'https://shop.example/#/p/1' }), { lost: [], fields: { deep_link_path: '/#/p/1' } });
  t.match(read({ link: 'https://shop.example/p?x=1#top' }), { fields: { deep_link_path: '/p?x=1#top' } });
});

const folder = temporaryFolder(t);

async function readFile(text: string): Promise<readonly SourceLink[]> {
  const file = join(folder, 'links.csv');
  writeFileSync(file, text);
  const links: SourceLink[] = [];
  const nothing = { apiKey: null, baseUrl: null, done: new Set<string>(), onWait: () => {}, onRead: () => {} };
  for await (const link of FIREBASE.read({ ...nothing, file, interrupted: new AbortController().signal })) links.push(link);
  return links;
}

/** Each column in the spellings of the issue, of the page about the export, and of files; a cell of it; and what a link takes from it. */
const COLUMNS: readonly (readonly [readonly string[], string, object])[] = [
  [['Short link', 'short_link'], 'https://a.page.link/x', { id: 'a.page.link/x' }],
  [['link', 'Deep link (link)', 'deep_link'], 'https://shop.example/p', { fields: { destinations: { web: 'https://shop.example/p' } } }],
  [['apn', 'Android package name (apn)'], 'com.shop', { fields: { destinations: { android: /id=com.shop$/ } } }],
  [['afl', 'Android fallback link (afl)'], 'https://shop.example/a', { fields: { destinations: { android: 'https://shop.example/a' } } }],
  [['amv', 'Android minimum package version code (amv)'], '7', { lost: ['amv'] }],
  [['ibi', 'iOS bundle ID (ibi)'], 'com.shop', { lost: ['ibi'] }],
  [['ifl', 'iOS fallback link (ifl)'], 'https://shop.example/i', { fields: { destinations: { ios: 'https://shop.example/i' } } }],
  [['ius', 'iOS custom scheme (ius)'], 'shop', { lost: ['ius'] }],
  [['ipfl', 'iOS iPad fallback link (ipfl)'], 'https://shop.example/pad', { lost: ['ipfl'] }],
  [['ipbi', 'iOS iPad bundle ID (ipbi)'], 'com.pad', { lost: ['ipbi'] }],
  [['isi', 'iOS app store ID (isi)'], '123', { fields: { destinations: { ios: /id123$/ } } }],
  [['imv', 'iOS minimum version (imv)'], '7', { lost: ['imv'] }],
  [['efr', 'Enable forced redirect? (efr)'], '1', { fields: { interstitial: false } }],
  [['ofl', 'Desktop fallback link (ofl)'], 'https://shop.example/d', { fields: { destinations: { desktop: 'https://shop.example/d' } } }],
  [['st', 'Social title (st)'], 'T', { fields: { card: { title: 'T' } } }],
  [['sd', 'Social description (sd)'], 'D', { fields: { card: { description: 'D' } } }],
  [['si', 'Social image link (si)'], 'https://shop.example/i.png', { fields: { card: { image_url: 'https://shop.example/i.png' } } }],
  ...['source', 'medium', 'campaign', 'term', 'content'].map(
    (name) => [[`utm_${name}`, `UTM ${name} (utm_${name})`], 'mail', { fields: { [`utm_${name}`]: 'mail' } }] as const,
  ),
  ...['at', 'ct', 'mt', 'pt'].map((name) => [[name, `iTunes Connect ${name}`], 'x', { lost: [name] }] as const),
  [['archived', 'Archived?'], 'true', { fields: { archived: true } }],
  [['name', 'Link name'], 'Spring', { fields: { title: 'Spring' } }],
  [['created', 'Creation timestamp'], '2021-03-04T05:06:07Z', { fields: { created_at: '2021-03-04T05:06:07.000Z' } }],
];

t.test('each column is recognised by its parameter, its label, or both', async (t) => {
  for (const [names, cell, expected] of COLUMNS)
    for (const name of names.flatMap((name) => [name, name.replace(/ \(.*/, ''), name.replaceAll(' ', '_'), name.toUpperCase()])) {
      const others = Object.entries({ 'short link': 'https://a.page.link/a', link: 'https://shop.example/' }).filter(
        ([other]) => !names.some((known) => known.toLowerCase() === other),
      );
      const head = [name, ...others.map(([other]) => other)].join(',');
      const [link] = await readFile(`${head}\n${[cell, ...others.map(([, value]) => value)].join(',')}\n`);
      t.match(link, { lost: [], ...expected }, name);
    }
});

t.test('a real export is read without losses', async (t) => {
  const head =
    'short_link,link,apn,afl,amv,ibi,ifl,ius,ipfl,ipbi,isi,imv,efr,ofl,st,sd,si,utm_source,utm_medium,utm_campaign,utm_term,utm_content,at,ct,mt,pt,archived,name,creation_timestamp';
  const row =
    'https://a.page.link/x,https://shop.example/p,com.shop,,0,com.shop,,,,,123,,false,,T,,,mail,,,,,,,,,false,Spring,2021-03-04T05:06:07Z';
  const [link, ...more] = await readFile(`${head}\n${row}\n`);
  t.match(link, { id: 'a.page.link/x', lost: [], fields: { title: 'Spring', created_at: '2021-03-04T05:06:07.000Z', utm_source: 'mail' } });
  t.same([more, link?.fields.archived, link?.fields.interstitial], [[], undefined, undefined]);
});

t.test('a second column of the same meaning is reported as lost, and a file without short links is refused', async (t) => {
  const [link] = await readFile('short_link,link,Deep link\nhttps://a.page.link/a,https://shop.example/1,https://shop.example/2\n');
  t.match(link, { lost: ['deep link'], fields: { destinations: { web: 'https://shop.example/1' } } });
  await t.rejects(readFile('link,apn,name\nhttps://shop.example/,com.shop,Spring\n'), {
    name: 'SyntaxError',
    message: /has no column for the short link, such as short link, short_link/,
  });
});

t.test('clicks are imported, and a missing deep link is reported as lost', async (t) => {
  t.match(read({ clicks: '1,234' }), { lost: [], clicks: [{ day: null, clicks: 1234 }] });
  t.same(read({ clicks: 'many' }).lost, ['clicks']);
  t.same(read({ link: '' }).lost, ['link']);
});
