import t from 'tap';
import { LONG_LINK_CHARACTERS_MAX } from '../../../shared/base/long-link-limits.js';
import { rulesOf } from '../../../shared/records/link-rules.js';
import { type LongLink, longLinkRecord, readLongLink } from '../../../shared/resolve/long-link.js';
import { CLICK_ID, environmentRecord, linkRecord, NO_DESTINATIONS } from '../../engine/fixtures.js';

const settings = environmentRecord({
  long_link_hosts: ['www.shop.example', 'm.shop.example'],
  long_link_path: 'long',
  ios_apps: [
    { team_id: 'ABCDE12345', bundle_id: 'com.shop', app_store_url: 'https://apps.apple.com/us/app/shop/id99', uri_scheme: 'shop' },
  ],
  android_apps: [{ package_name: 'com.shop', sha256_cert_fingerprints: [], play_store_url: null, uri_scheme: null }],
});
const LINK = 'https://www.shop.example/shoes/1?size=44';
const PLAY = 'https://play.google.com/store/apps/details?id=com.shop';

function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams({ link: LINK, ...parameters }).toString();
}

function contentOf(text: string): LongLink {
  const read = readLongLink(text, settings);
  if (read.kind !== 'long_link') throw new Error(`${read.kind} ${text}`);
  return read.content;
}

t.test('each parameter of a long link sets its part of the link', async (t) => {
  const all = {
    isi: '99',
    apn: 'com.shop',
    ofl: 'https://m.shop.example/d',
    efr: '1',
    utm_source: 'mail',
    st: 'Shoes',
    si: 'https://i.example/1.png',
  };
  const content = contentOf(query(all));
  t.same(content.destinations, {
    ios: 'https://apps.apple.com/us/app/shop/id99',
    android: PLAY,
    web: LINK,
    desktop: 'https://m.shop.example/d',
    fallback: LINK,
  });
  const everywhere = { ios: LINK, android: LINK, web: LINK, desktop: LINK, fallback: LINK };
  t.same(contentOf(query({})).destinations, everywhere, 'no default of the environment goes before the URL that is named');
  t.match(content, {
    deep_link_path: '/shoes/1?size=44',
    without_page: true,
    utm: { utm_source: 'mail', utm_term: null },
    visit_query: '',
  });
  t.same(JSON.parse(content.card ?? ''), { title: 'Shoes', description: null, image_url: 'https://i.example/1.png' });
  t.equal(content.urls.length, 5, 'all these URLs are judged');
  t.match(contentOf(query({ isi: '99', ifl: 'https://m.shop.example/i' })).destinations, { ios: 'https://m.shop.example/i' });
  t.match(contentOf(query({ ifl: 'shop://a' })).destinations, { ios: 'shop://a' }, 'the scheme of an app of the environment');
  t.match(contentOf(query({ afl: 'market://details?id=com.shop' })).destinations, { android: 'market://details?id=com.shop' });
  t.equal(contentOf(query({ link: `${new URL(LINK).origin}/#/p/1` })).deep_link_path, '/#/p/1', 'the route of a web app');
});

t.test('no long link leads to a host that the environment does not list', async (t) => {
  for (const [name, url] of [
    ['link', 'https://evil.example/'],
    ['link', 'https://www.shop.example.evil.example/'],
    ['link', 'https://sub.www.shop.example/'],
    ['link', 'https://www.shop.example@evil.example/'],
    ['link', 'https://evil.example\\@www.shop.example/'],
    ['link', 'https:/evil.example/'],
    ['link', '//www.shop.example/'],
    ['link', 'www.shop.example'],
    ['link', 'javascript:alert(1)'],
    ['link', 'shop://a'],
    ['link', ''],
    ['link', 'https://www.shop.example/\r\nSet-Cookie: a=b'],
    ['ifl', 'https://evil.example/'],
    ['afl', 'https://evil.example/'],
    ['ofl', 'https://evil.example/'],
    ['ifl', 'other://a'],
    ['afl', 'shop://a'],
    ['ifl', 'https://apps.apple.com/app/id1'],
    ['ifl', 'itms-apps://apps.apple.com/app/id1'],
    ['afl', 'https://play.google.com/store/apps/details?id=com.evil'],
    ['afl', 'market://details?id=com.evil'],
    ['afl', 'market://launch?id=com.evil'],
    ['si', 'http://i.example/1.png'],
    ['si', 'https://user@i.example/1.png'],
  ] as const) {
    const read = readLongLink(query({ [name]: url }), settings);
    t.match(read, { kind: 'refused', detail: new RegExp(`^${name}: .`) }, `${name}=${url}`);
  }
  t.match(readLongLink(query({ sd: 'a'.repeat(LONG_LINK_CHARACTERS_MAX) }), settings), { kind: 'refused' });
  t.match(contentOf(query({ isi: '1', apn: 'com.evil' })).destinations, { ios: LINK, android: LINK }, 'another app is not used');
});

t.test('the first of two equal parameters counts, for the check and for the destination', async (t) => {
  const twice = `link=${encodeURIComponent(LINK)}&link=https://evil.example/`;
  t.equal(contentOf(twice).destinations.web, LINK);
  t.match(readLongLink(`link=https://evil.example/&${twice}`, settings), { kind: 'refused' });
  t.equal(contentOf(`%6cink=${encodeURIComponent(LINK)}`).visit_query, '', 'an escaped name is the same name');
});

t.test('without a setting, or without `link`, the address is no long link', async (t) => {
  for (const other of [environmentRecord(), { ...settings, long_link_hosts: [] }, { ...settings, long_link_path: null }])
    t.match(readLongLink(query({}), other), { kind: 'none' });
  for (const text of ['', 'a=1', 'apn=com.shop', 'links=https://www.shop.example/'])
    t.match(readLongLink(text, settings), { kind: 'none' });
});

t.test('parameters that are not part of the long link are left for the link to pass on, after the click id', async (t) => {
  t.equal(contentOf(`a=1&${query({ apn: 'com.shop', ibi: 'com.shop' })}&gclid=x%20y`).visit_query, 'a=1&gclid=x%20y');
  const back = contentOf(`click_id=${CLICK_ID}&a=1&${query({})}`);
  t.equal(back.visit_query, `click_id=${CLICK_ID}&a=1`);
  t.equal(back.query, `a=1&${query({})}`);
});

t.test('a visit follows the stored link, with what the long link replaces', async (t) => {
  const rules = { active_from_ms: 0, max_clicks: 3, used_up: false, password: null, geo: { DE: 'https://a.example/' }, interstitial: null };
  const utm = { utm_source: 'own', utm_medium: 'own', utm_campaign: null, utm_term: null, utm_content: null };
  const stored = linkRecord({
    ...{ id: 'lnk_1', campaign: 'spring', utm, card: '{"title":"own"}', allow_param_passthrough: true },
    ...{ destinations: { ...NO_DESTINATIONS, fallback: 'https://own.example/' }, rules: JSON.stringify(rules) },
  });
  const record = longLinkRecord(stored, contentOf(query({ utm_source: 'mail', efr: '1' })), false);
  t.match(record, { id: 'lnk_1', state: 'active', campaign: 'spring', card: null, allow_param_passthrough: true });
  t.same(record.destinations, { ios: LINK, android: LINK, web: LINK, desktop: LINK, fallback: LINK });
  t.match(record.utm, { utm_source: 'mail', utm_medium: 'own' });
  t.match(rulesOf(record), { max_clicks: 3, geo: null, interstitial: false });
  t.equal(longLinkRecord(linkRecord(), contentOf(query({})), false).rules, null, 'without rules there are none afterwards');
  t.equal(longLinkRecord(stored, contentOf(query({})), true).state, 'blocked');
  t.equal(longLinkRecord({ ...stored, state: 'disabled' }, contentOf(query({})), true).state, 'disabled');
  t.same(Object.keys(record), Object.keys(stored), 'the record has the shape of every link');
});
