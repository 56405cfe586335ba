import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ofObject } from '../../../../control-plane/imports/sources/own.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { linkOfRow, linksFrom, ONE_LINK } from '../source-service.js';

async function read(t: Test, source: string, more: object) {
  const [link] = await linksFrom(t, source, ONE_LINK[source]?.(more) ?? (() => []));
  return link;
}

t.test('members that affect redirects and cannot be imported are reported as lost, and others are not', async (t) => {
  const variants = [{ url: 'https://shop.example/b', percentage: 50 }];
  const sources: Readonly<Record<string, readonly [object, object, readonly string[]]>> = {
    rebrandly: [
      { domainId: '7', favourite: true, creator: { id: 'x' }, updatedAt: 'x', sessions: 3, https: true, scripts: [], tags: [] },
      { scripts: [{ id: 's' }], routing: { rules: 1 } },
      ['scripts', 'routing'],
    ],
    dub: [
      {
        ...{ id: 'l', qrCode: 'x', tagId: 't', userId: 'u', leads: 3, updatedAt: 'x', shortLink: 'x', rewrite: false, testVariants: null },
        ...{ trackConversion: false, publicStats: false, webhookIds: [], proxy: false, description: null, image: '', doIndex: true },
      },
      {
        ...{ testVariants: variants, externalId: 'e', video: 'x', folderId: 'f', expiredUrl: 'https://x.example/', rewrite: true },
        ...{ trackConversion: true, publicStats: true, webhookIds: ['w'], description: 'D', image: 'https://x.example/i.png' },
      },
      [...['rewrite', 'testVariants', 'trackConversion', 'publicStats', 'webhookIds', 'externalId', 'video', 'folderId', 'expiredUrl']],
    ],
    shlink: [
      { crawlable: true, hasRedirectRules: false, deviceLongUrls: null, meta: { validSince: null } },
      { hasRedirectRules: true, meta: { requireTerms: true }, deviceLongUrls: { linux: 'https://shop.example/' } },
      ['requireTerms', 'linux', 'hasRedirectRules'],
    ],
    kutt: [
      { id: 'x', domain: null, updated_at: 'x', visit_count: 3, relative_created_at: '3 days ago', banned: false },
      { rules: ['x'] },
      ['rules'],
    ],
    bitly: [
      { link: 'x', created_by: 'x', client_id: 'x', references: { group: 'x' }, campaign_ids: [], deeplinks: [], is_deleted: false },
      { deeplinks: [{ app_guid: 'x' }], redirect_rules: { a: 1 }, campaign_ids: ['c'], launchpad_ids: ['l'], qr_code_ids: ['q'] },
      ['campaign_ids', 'deeplinks', 'redirect_rules', 'launchpad_ids', 'qr_code_ids'],
    ],
  };
  for (const [source, [passedOver, more, lost]] of Object.entries(sources)) {
    t.same((await read(t, source, passedOver))?.lost, [], source);
    t.same((await read(t, source, { ...passedOver, ...more }))?.lost, lost, source);
  }
});

t.test('an unknown member is reported as lost even if it is false or 0', async (t) => {
  for (const source of ['rebrandly', 'dub', 'shlink', 'kutt', 'bitly'])
    t.same((await read(t, source, { enabled: false, active: 0 }))?.lost, ['enabled', 'active'], source);
  t.same(ofObject({ path: 'a', destinations: {}, enabled: false, active: 0, note: null }, 1).lost, ['enabled', 'active']);
  t.same(linkOfRow('csv', { path: 'a', web: '', enabled: 'false', active: '0', note: '' }).lost, ['enabled', 'active']);
  const dub = { domain: 'dub.sh', key: 'a', url: 'https://shop.example/' };
  t.same(linkOfRow('dub', { ...dub, enabled: 'false', active: '0', rewrite: 'false', 'track conversion': '0' }).lost, [
    'enabled',
    'active',
  ]);
  const firebase = { 'short link': 'https://a.page.link/a', link: 'https://shop.example/p' };
  t.same(linkOfRow('firebase', { ...firebase, enabled: 'false', amv: '0' }).lost, ['enabled']);
  const file = join(temporaryFolder(t), 'urls.txt');
  writeFileSync(file, 'https://acme.app.link/a\n');
  const data = { $fallback_url: 'https://shop.example/', $web_only: false, $ios_deepview: false };
  t.same((await linksFrom(t, 'branch', () => ({ data, live: false }), { file }))[0]?.lost, ['live', '$ios_deepview']);
});

t.test('Shlink: URLs by device are imported as destinations of platforms', async (t) => {
  const deviceLongUrls = { ios: 'https://shop.example/i', android: 'https://shop.example/a', desktop: null };
  t.match(await read(t, 'shlink', { deviceLongUrls }), {
    lost: [],
    fields: { destinations: { web: 'https://shop.example/', ios: 'https://shop.example/i', android: 'https://shop.example/a' } },
  });
});

t.test('Branch: data that controls a link and cannot be imported is reported as lost', async (t) => {
  const file = join(temporaryFolder(t), 'urls.txt');
  writeFileSync(file, 'https://acme.app.link/a\n');
  const data = { $fallback_url: 'https://shop.example/', '~id': 1, '+url': 'x', $one_time_use: false, '~channel': 'mail', product: 7 };
  const readBranch = async (more: object, top: object = {}) =>
    (await linksFrom(t, 'branch', () => ({ data: { ...data, ...more }, type: 2, ...top }), { file }))[0];
  t.match(await readBranch({}), { lost: [], fields: { utm_source: 'mail', data: { product: 7 } } });
  const more = { $android_deeplink_path: 'a', $ios_deeplink_path: 'i', $ipad_url: 'https://shop.example/', $web_only: true, '+other': 1 };
  t.same((await readBranch(more, { stage: 'new' }))?.lost, ['stage', ...Object.keys(more)]);
});

t.test('Branch: a one-time link is disabled, because it may have been used', async (t) => {
  const file = join(temporaryFolder(t), 'urls.txt');
  writeFileSync(file, 'https://acme.app.link/a\n');
  for (const [type, once, lost] of [
    [1, false, ['type']],
    [0, true, ['$one_time_use']],
  ] as const) {
    const data = { $fallback_url: 'https://shop.example/', $one_time_use: once };
    const [link] = await linksFrom(t, 'branch', () => ({ data, type }), { file });
    t.match(link, { disabled: true, lost });
  }
});

t.test('unknown members of an NDJSON object are reported as lost', async (t) => {
  const link = {
    path: 'a',
    destinations: {},
    id: 'x',
    url: 'x',
    environment: 'live',
    updated_at: 'x',
    has_password: false,
    clicks_left: null,
    domain: null,
  };
  t.same(ofObject(link, 1).lost, []);
  t.same(ofObject({ ...link, colour: 'red', redirects: { a: 1 }, empty: [] }, 1).lost, ['colour', 'redirects']);
});
