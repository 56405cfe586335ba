import { randomBytes } from 'node:crypto';
import t from 'tap';
import { DEVICE_KIND, splitRegion, withPlatformVersion } from '../../../engine/spool/click.js';
import { idAt } from '../../../shared/base/ids.js';
import { OPEN_PAGE_VISIT_MS } from '../../../shared/base/limits.js';
import { AddressRanges } from '../../../shared/net/address-ranges.js';
import { deriveClickIdKeys, newClickId } from '../../../shared/secrets/click-id-keys.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';
import { until } from '../../support/until.js';
import { CHROME, SAFARI } from '../../support/visitor.js';
import { ANDROID, CLICK_ID, CLICKED_AT_MS, DESKTOP, IPHONE, linkRecord, NO_DESTINATIONS, PREVIEW, templateRecord } from '../fixtures.js';
import { started } from '../http/conformance.js';
import { converse, type RawAnswer, request } from '../http/raw-http.js';
import { type Served, serve } from './served.js';

const APP_STORE = 'https://apps.apple.com/app/id99';
const PLAY_STORE = 'https://play.google.com/store/apps/details?id=com.shop';
const CLICK = CLICK_ID;

async function get(served: Served, path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  const answer = (await converse(served.port, request(path, headers), { answers: 1 })).answers[0];
  if (answer === undefined) throw new Error(`no answer to ${path}`);
  return answer;
}

t.test('a phone goes over the open host to its store, and one click is stored for both visits', async (t) => {
  const served = await started(t, 'uws');
  served.links.set('app', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE, android: PLAY_STORE } }));
  const first = await get(served, '/app', { 'User-Agent': ANDROID });
  t.same([first.status, first.headers.get('location')], [302, `https://open.go.shop.example/app?click_id=${CLICK}`]);
  const page = await get(served, `/app?click_id=${CLICK}`, { 'User-Agent': ANDROID, Host: 'open.go.shop.example' });
  t.equal(page.status, 200);
  t.match(page.headers.get('content-security-policy'), /script-src 'sha256-/);
  t.match(page.body.toString(), `id=com.shop&#38;referrer=click_id%3D${CLICK}`);
  const back = await get(served, `/app?click_id=${CLICK}`, { 'User-Agent': ANDROID });
  t.same(
    [back.status, back.headers.get('location')],
    [302, `${PLAY_STORE}&referrer=click_id%3D${CLICK}`],
    'without the app the button leads to the store',
  );
  t.equal(served.host.stats().figures.of('to_store'), 1);
  t.equal(served.ledger.clicks.length, 1);
  t.equal(served.ledger.clicks[0]?.destination, PLAY_STORE);
});

t.test('the QR code mark is stored in the click alone, and neither the destination nor the app gets it', async (t) => {
  const template = templateRecord({ redirects: { ...NO_DESTINATIONS, web: 'https://shop.example/{id}' }, path_pattern: '/p/{id}' });
  for (const listener of ['uws', 'node'] as const) {
    const served = await started(t, listener, { templates: [template] });
    served.links.set('plain', linkRecord({ destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/' } }));
    served.links.set('open', linkRecord({ destinations: { ...NO_DESTINATIONS, android: PLAY_STORE }, allow_param_passthrough: true }));
    const passing = linkRecord({ destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/' }, allow_param_passthrough: true });
    served.links.set('passing', passing);
    for (const [path, userAgent, location, qr, query] of [
      ['/plain?qr=1', DESKTOP, 'https://shop.example/', true, ''],
      ['/plain', DESKTOP, 'https://shop.example/', false, ''],
      ['/p/7?qr=1', DESKTOP, 'https://shop.example/7', true, ''],
      ['/passing?qr=1', DESKTOP, 'https://shop.example/', true, ''],
      ['/passing?qr=1&ref=7', DESKTOP, 'https://shop.example/?ref=7', true, 'ref=7'],
      ['/passing?qr=2', DESKTOP, 'https://shop.example/?qr=2', false, 'qr=2'],
      ['/open?ref=7&qr=1', ANDROID, `https://open.go.shop.example/open?click_id=${CLICK}&ref=7`, true, 'ref=7'],
    ] as const) {
      const answer = await get(served, path, { 'User-Agent': userAgent });
      t.equal(answer.headers.get('location'), location, path);
      t.match(served.ledger.clicks.at(-1), { qr, query }, path);
    }
  }
});

t.test('a web destination gets the click id if the environment says so, unless it sets the parameter itself', async (t) => {
  const template = templateRecord({ redirects: { ...NO_DESTINATIONS, web: 'https://shop.example/{id}#a' }, path_pattern: '/p/{id}' });
  const served = await started(t, 'uws', { templates: [template], environment: { append_click_id: true } });
  const web = (url: string) => linkRecord({ destinations: { ...NO_DESTINATIONS, web: url, ios: APP_STORE, android: 'shop://a' } });
  served.links.set('plain', web('https://shop.example/'));
  served.links.set('asks', web('https://shop.example/a?b=c#d'));
  served.links.set('own', web('https://shop.example/?click_id=mine'));
  served.links.set('passing', { ...web('https://shop.example/'), allow_param_passthrough: true });
  for (const [path, location] of [
    ['/plain', `https://shop.example/?click_id=${CLICK}`],
    ['/plain?qr=1', `https://shop.example/?click_id=${CLICK}`],
    ['/asks', `https://shop.example/a?b=c&click_id=${CLICK}#d`],
    ['/own', 'https://shop.example/?click_id=mine'],
    ['/passing?ref=7', `https://shop.example/?ref=7&click_id=${CLICK}`],
    ['/p/7', `https://shop.example/7?click_id=${CLICK}#a`],
  ] as const) {
    const before = served.ledger.clicks.length;
    t.equal((await get(served, path, { 'User-Agent': DESKTOP })).headers.get('location'), location, path);
    t.equal(served.ledger.clicks.length, before + 1);
    t.notMatch(served.ledger.clicks.at(-1)?.destination, CLICK, 'the stored destination is without the id of its click');
  }
  const preview = await get(served, '/plain', { 'User-Agent': PREVIEW });
  t.equal(preview.headers.get('location'), 'https://shop.example/', 'the visit of a preview bot is no click');
  t.notMatch((await get(served, '/plain', { 'User-Agent': ANDROID })).headers.get('location') ?? '', /shop:.*click_id/);
});

t.test('an invented click id continues no visit: the click is stored, and the store gets the real id', async (t) => {
  const served = await started(t, 'uws');
  const item = templateRecord({ redirects: { ...NO_DESTINATIONS, android: PLAY_STORE }, path_pattern: '/p/{id}' });
  served.config.templates = [item];
  served.config.version++;
  served.links.set('app', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE, android: PLAY_STORE } }));
  await until(async () => (await get(served, '/p/7', { 'User-Agent': ANDROID })).status === 302, 'the template to be served');
  const before = served.ledger.clicks.length;
  const forged = idAt('click', CLICKED_AT_MS);
  for (const path of ['/app', '/p/7']) {
    const { headers } = await get(served, `${path}?click_id=${forged}`, { 'User-Agent': ANDROID });
    t.equal(headers.get('location'), `https://open.go.shop.example${path}?click_id=${CLICK}`);
    const page = await get(served, `${path}?click_id=${forged}`, { 'User-Agent': ANDROID, Host: 'open.go.shop.example' });
    t.match(page.body.toString(), CLICK);
    t.notMatch(page.body.toString(), forged);
  }
  t.equal(served.ledger.clicks.length, before + 4);
  t.equal(served.host.stats().figures.of('to_store'), 0);
});

t.test('with the interstitial off a phone goes to the store at once, with its click as the referrer', async (t) => {
  const served = await started(t, 'uws', { environment: { interstitial: false } });
  served.links.set('app', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: 'shop://a', android: PLAY_STORE } }));
  const android = await get(served, '/app', { 'User-Agent': ANDROID });
  t.equal(android.headers.get('location'), `${PLAY_STORE}&referrer=click_id%3D${CLICK}`);
  const ios = await get(served, '/app', { 'User-Agent': IPHONE });
  t.same([ios.status, ios.headers.has('location')], [200, false], "an app's own scheme is never in Location");
  t.match(ios.body.toString(), 'href="shop://a"');
  t.equal(served.ledger.clicks.length, 2);
});

t.test('items of a template are answered like links, without a look-up', async (t) => {
  const redirects = { ...NO_DESTINATIONS, ios: APP_STORE, web: 'https://shop.example/{type}/{id}' };
  const format = { kind: 'charset', charset: ' -~', min_length: 1, max_length: 40 } as const;
  const template = templateRecord({ redirects, id_format: format, path_pattern: '/p/item-{id}' });
  for (const listener of ['uws', 'node'] as const) {
    const served = await started(t, listener, { templates: [template], lookUp: async () => t.fail('no item is looked up') as never });
    const desktop = await get(served, '/p/item-a%22%26b/?x=1');
    t.same([desktop.status, desktop.headers.get('location')], [302, 'https://shop.example/product/a%22%26b']);
    const phone = await get(served, '/p/item-7', { 'User-Agent': IPHONE });
    t.equal(phone.headers.get('location'), `https://open.go.shop.example/p/item-7?click_id=${CLICK}`);
    const page = await get(served, `/p/item-7?click_id=${CLICK}`, { 'User-Agent': IPHONE, Host: 'open.go.shop.example' });
    t.match(page.body.toString(), `href="https://go.shop.example/p/item-7?click_id=${CLICK}"`);
    const preview = await get(served, '/p/item-a%22%3E', { 'User-Agent': PREVIEW });
    t.same([preview.status, preview.headers.get('location')], [302, 'https://shop.example/product/a%22%3E']);
    t.same(
      served.ledger.clicks.map(({ kind, item_id, path }) => [kind, item_id, path]),
      [
        [1, 'a"&b', 'p/item-a%22%26b'],
        [1, '7', 'p/item-7'],
      ],
    );
    for (const path of ['/p/item-', '/p/item-%00', '/p/item-%0d%0ax', '/p/item-%c3']) {
      const answer = await get(served, path);
      t.same([answer.status, answer.headers.get('cache-control')], [404, 'no-store'], path);
    }
    t.equal(served.ledger.clicks.length, 2);
    served.config.templates = [{ ...template, state: 'disabled' }];
    served.config.version++;
    const { figures } = served.host.stats();
    await until(async () => {
      await get(served, '/p/item-7', { 'User-Agent': PREVIEW });
      return figures.of('disabled') > 0;
    }, 'the disabled template');
    t.equal((await get(served, '/p/item-7')).status, 404);
    t.equal(served.ledger.clicks.length, 2);
  }
});

t.test('a desktop on the open host is redirected to the link, and is not a click there', async (t) => {
  const served = await started(t, 'uws');
  const answer = await get(served, '/abc?click_id=x&a=1', { Host: 'open.go.shop.example' });
  t.same([answer.status, answer.headers.get('location')], [302, 'https://go.shop.example/abc']);
  t.equal(served.ledger.clicks.length, 0);
});

t.test('a preview bot is redirected to the web destination like a visitor, and is not a click', async (t) => {
  const served = await started(t, 'uws');
  const preview = await get(served, '/abc', { 'User-Agent': PREVIEW });
  const visit = await get(served, '/abc', { 'User-Agent': DESKTOP });
  t.same([preview.status, preview.headers.get('location')], [302, visit.headers.get('location')]);
  t.equal(preview.headers.get('cache-control'), 'private, no-store');
  t.equal(served.ledger.clicks.length, 1, 'only the click of the visitor');
  t.same([served.host.stats().figures.of('preview_redirect'), served.host.stats().figures.of('redirect')], [1, 1]);
});

t.test("a link's own card is shown to preview bots alone, is no click and is not cached", async (t) => {
  const served = await started(t, 'uws');
  const own = { title: '<Spring> & more', description: null, image_url: 'https://img.example/1.png?a=1&b=2' };
  served.links.set('card', linkRecord({ card: JSON.stringify(own) }));
  t.equal((await get(served, '/card', { 'User-Agent': DESKTOP })).status, 302);
  served.ledger.clicks.length = 0;
  const card = await get(served, '/card', { 'User-Agent': PREVIEW });
  t.equal(card.status, 200);
  const html = card.body.toString();
  t.match(html, '<meta property="og:title" content="&#60;Spring&#62; &#38; more">');
  t.match(html, '<meta property="og:image" content="https://img.example/1.png?a=1&#38;b=2">');
  t.match(html, '<meta name="twitter:card" content="summary_large_image">');
  t.notMatch(html, 'og:description');
  t.match(html, 'href="https://shop.example/"', 'the card has a link for a person who is taken for a bot');
  t.match(html, '<meta property="og:url" content="https://go.shop.example/card">');
  t.same(
    ['cache-control', 'vary', 'x-robots-tag', 'content-type'].map((name) => card.headers.get(name)),
    ['no-store', 'User-Agent', 'noindex', 'text/html; charset=utf-8'],
  );
  t.match(card.headers.get('content-security-policy'), /^default-src 'none'/);
  t.equal(served.ledger.clicks.length, 0);
});

t.test('every state of a link has its page', async (t) => {
  const served = await started(t, 'uws');
  served.links.set('off', linkRecord({ state: 'disabled' }));
  served.links.set('old', linkRecord({ expires_at_ms: 1 }));
  served.links.set('gone', linkRecord({ state: 'deleted' }));
  served.links.set('bad', linkRecord({ state: 'blocked' }));
  for (const [path, status] of [
    ['/off', 404],
    ['/old', 410],
    ['/gone', 410],
    ['/bad', 403],
    ['/none', 404],
    ['/', 404],
    ['/a/b', 404],
  ] as const) {
    const answer = await get(served, path);
    t.equal(answer.status, status, path);
    t.equal(answer.headers.get('cache-control'), 'no-store', path);
    t.match(answer.body.toString(), 'Shop &#38; Co', path);
  }
  t.equal(served.ledger.clicks.length, 0);
  const stranger = await get(served, '/abc', { Host: 'nobody.example' });
  t.equal(stranger.status, 404);
  t.notMatch(stranger.body.toString(), 'Shop', 'the page of an unknown host names no project');
  t.equal(served.host.stats().figures.of('unknown_host'), 1);
});

t.test('while a damaged store may hide a host, an unknown host is answered 503 instead of 404', async (t) => {
  const served = await started(t, 'uws');
  served.links.set('abc', linkRecord());
  served.config.complete = false;
  served.config.version++;
  const unknown = () => get(served, '/abc', { Host: 'nobody.example' });
  await until(async () => (await unknown()).status === 503, 'the table to be swapped');
  const answer = await unknown();
  t.equal(answer.headers.get('retry-after'), '1');
  for (const path of ['/apple-app-site-association', '/.well-known/assetlinks.json'])
    t.equal((await get(served, path, { Host: 'nobody.example' })).status, 503, path);
  t.equal((await get(served, '/a/b')).status, 503, 'the damaged record may be a template');
  t.equal((await get(served, '/abc')).status, 302, 'a known link is served');
  t.equal((await get(served, '/apple-app-site-association')).status, 404, 'a file that is known to be absent is a 404');
  served.config.complete = true;
  served.config.version++;
  await until(async () => (await unknown()).status === 404, 'the table of the store that was rebuilt');
});

t.test('files for apps, robots and health go before links of the same name', async (t) => {
  const app = { team_id: 'A1', bundle_id: 'com.a', app_store_url: null, uri_scheme: null };
  const served = await started(t, 'uws', { environment: { ios_apps: [app] } });
  served.links.set('apple-app-site-association', linkRecord());
  for (const path of ['/apple-app-site-association', '/.well-known/apple-app-site-association']) {
    const file = await get(served, path);
    t.same(
      [file.status, file.headers.get('content-type'), file.headers.get('cache-control')],
      [200, 'application/json', 'public, max-age=3600'],
    );
    t.match(JSON.parse(file.body.toString()), { applinks: { details: [{ appIDs: ['A1.com.a'] }] } });
    t.equal((await get(served, path, { Host: 'open.go.shop.example' })).status, 404, 'links of the open host are for the browser');
    t.equal((await get(served, path, { Host: 'nobody.example' })).status, 404);
  }
  t.equal((await get(served, '/.well-known/assetlinks.json')).status, 404);
  t.equal((await get(served, '/robots.txt')).body.toString(), 'User-agent: *\nAllow: /\n');
  for (const path of ['/health/live', '/health/ready']) t.equal((await get(served, path, { Host: '10.0.0.1' })).status, 200);
});

t.test('a click has the address and country that a trusted proxy gives', async (t) => {
  const served = await started(t, 'uws', { trustedProxyHops: 1, countryHeader: 'cf-ipcountry' });
  await get(served, '/abc', { 'X-Forwarded-For': '6.6.6.6', 'x-forwarded-for': '203.0.113.7', 'CF-IPCountry': 'de' });
  await get(served, '/abc');
  t.same(
    served.ledger.clicks.map((click) => [
      click.address_text,
      click.address_bytes === null ? null : [...click.address_bytes],
      click.country,
    ]),
    [
      ['203.0.113.7', null, 'DE'],
      ['', [127, 0, 0, 1], ''],
    ],
  );
});

t.test('a click has the region and city that a trusted proxy names, in any script, on both listeners', async (t) => {
  for (const kind of ['uws', 'node'] as const)
    for (const hops of [1, 0]) {
      const served = await serve(kind, {
        trustedProxyHops: hops,
        countryHeader: 'cf-ipcountry',
        regionHeader: 'cf-region-code',
        cityHeader: 'cf-ipcity',
      });
      t.teardown(() => served.stop());
      served.links.set('abc', linkRecord());
      const city = Buffer.from('Zürich').toString('latin1');
      const sent = { 'X-Forwarded-For': '203.0.113.7', 'CF-IPCountry': 'ch', 'CF-Region-Code': 'ZH', 'CF-IPCity': city };
      await get(served, '/abc', sent);
      await get(served, '/abc', { ...sent, 'CF-IPCountry': 'XX' });
      const places = served.ledger.clicks.map(({ country }) => splitRegion(country));
      const nowhere = { country: '', region: '', city: '' };
      t.same(places, [hops === 1 ? { country: 'CH', region: 'ZH', city: 'Zürich' } : nowhere, nowhere], `${kind}, ${hops} proxies`);
    }
});

t.test('promise R16: both listeners trust the same proxies and find the same addresses', async (t) => {
  for (const kind of ['uws', 'node'] as const)
    for (const trusted of [true, false]) {
      const trustedProxies = AddressRanges.parse([trusted ? '127.0.0.0/8' : '10.0.0.0/8']);
      const served = await serve(kind, { trustedProxies, countryHeader: 'cf-ipcountry' });
      t.teardown(() => served.stop());
      served.links.set('abc', linkRecord());
      await get(served, '/abc', { 'X-Forwarded-For': '6.6.6.6', 'x-forwarded-for': '[2001:db8::1]:4711,127.0.0.1', 'CF-IPCountry': 'de' });
      await get(served, '/abc', { Forwarded: 'for=203.0.113.7' });
      const clicks = served.ledger.clicks.map((click) => [click.address_text, [...(click.address_bytes ?? [])], click.country]);
      const socket = ['', [127, 0, 0, 1], ''];
      t.same(clicks, [trusted ? ['2001:db8::1', [], 'DE'] : socket, socket], `${kind}, trusted: ${trusted}`);
    }
});

t.test('neither address nor country is stored of a visitor who opts out, if the installation honours that', async (t) => {
  const signals = [
    { 'Sec-GPC': '1' },
    { DNT: '1' },
    { DNT: '1', 'Sec-GPC': '0' },
    { 'Sec-GPC': '0' },
    { DNT: '0' },
    { 'Sec-GPC': 'true' },
    {},
  ];
  for (const kind of ['uws', 'node'] as const)
    for (const honoursOptOut of [true, false]) {
      const served = await serve(kind, { trustedProxyHops: 1, countryHeader: 'cf-ipcountry', honoursOptOut });
      t.teardown(() => served.stop());
      served.links.set('abc', linkRecord());
      for (const signal of signals) await get(served, '/abc', { ...signal, 'X-Forwarded-For': '203.0.113.7', 'CF-IPCountry': 'de' });
      for (const signal of signals) await get(served, '/abc', signal);
      const reply = served.ledger.clicks.map((click) => [click.address_text, [...(click.address_bytes ?? [])], click.country]);
      const nothing = ['', [], ''];
      const optedOut = signals.map((_, at) => honoursOptOut && at < 3);
      t.same(
        reply,
        [
          ...optedOut.map((out) => (out ? nothing : ['203.0.113.7', [], 'DE'])),
          ...optedOut.map((out) => (out ? nothing : ['', [127, 0, 0, 1], ''])),
        ],
        `${kind}, honoured: ${honoursOptOut}`,
      );
    }
});

t.test('an error is logged about once a second, however often it happens', async (t) => {
  const lines: string[] = [];
  const { pino } = await import('pino');
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const served = await started(t, 'uws', { log });
  served.ledger.fault = () => {
    throw new Error('broken');
  };
  for (let count = 0; count < 20; count++) await get(served, '/abc');
  t.equal(served.host.stats().figures.of('failed'), 20);
  t.ok(lines.length >= 1 && lines.length <= 2, `${lines.length} lines`);
  t.match(lines[0], 'broken');
});

const CLICK_DEVICE = '/.well-known/click-device';

t.test('a device report is stored with its click and its network, and is no click', async (t) => {
  for (const listener of ['uws', 'node'] as const) {
    const served = await started(t, listener);
    const report = `${CLICK_DEVICE}?click_id=${CLICK}&version=14.0.0&model=Pixel%208`;
    const answer = await get(served, report, { 'User-Agent': CHROME, Host: 'open.go.shop.example' });
    t.same([answer.status, answer.body.length, answer.headers.get('cache-control')], [204, 0, 'no-store']);
    t.same([answer.headers.has('content-length'), answer.headers.has('transfer-encoding')], [false, false]);
    t.equal(served.ledger.clicks.length, 1);
    t.match(served.ledger.clicks[0], {
      kind: DEVICE_KIND,
      occurred_at_ms: CLICKED_AT_MS,
      environment_number: 1,
      subject_id: CLICK,
      user_agent: withPlatformVersion(CHROME, '14'),
      platform_hint: 'android',
      item_id: 'Pixel 8',
      host: '',
      path: '',
      query: '',
      address_text: '',
      address_bytes: Uint8Array.of(127, 0, 0, 1),
    });
    t.equal(served.host.stats().figures.clicks, 0, 'it is not a click');
    await get(served, report, { 'User-Agent': CHROME, Host: 'open.go.shop.example' });
    t.equal(served.ledger.clicks.length, 1, 'the report of a reloaded page is not stored again');
    t.equal(served.host.stats().figures.of('click_device'), 2);
  }
});

t.test('an invented, late, foreign or oversized report gets the same answer and changes nothing', async (t) => {
  const served = await started(t, 'uws');
  const old = newClickId(TEST_SPOOL_KEYS.clickIds, CLICKED_AT_MS - OPEN_PAGE_VISIT_MS - 1);
  const other = newClickId(deriveClickIdKeys({ current: '0', keys: new Map([['0', randomBytes(32)]]) }), CLICKED_AT_MS);
  const reply = 'version=14.0.0&model=Pixel%208';
  for (const [query, headers] of [
    [`click_id=${idAt('click', CLICKED_AT_MS)}&${reply}`],
    [`click_id=${other}&${reply}`],
    [`click_id=${old}&${reply}`],
    [`${reply}&click_id=${CLICK}`],
    [`click_id=${CLICK}&version=x`],
    [`click_id=${CLICK}&${reply}&x=${'x'.repeat(600)}`],
    [`click_id=${CLICK}&${reply}`, { 'User-Agent': IPHONE }],
    [`click_id=${CLICK}&${reply}`, { 'User-Agent': PREVIEW }],
    [`click_id=${CLICK}&${reply}`, { 'Sec-Purpose': 'prefetch' }],
    [''],
  ] as const satisfies readonly (readonly [string, Readonly<Record<string, string>>?])[]) {
    const { status } = await get(served, `${CLICK_DEVICE}?${query}`, { 'User-Agent': CHROME, ...headers });
    t.equal(status, 204, query);
  }
  const head = await converse(served.port, request(`${CLICK_DEVICE}?click_id=${CLICK}&${reply}`, { 'User-Agent': CHROME }, 'HEAD'), {
    answers: 1,
  });
  t.equal(head.answers[0]?.status, 204);
  t.equal((await get(served, `${CLICK_DEVICE}?click_id=${CLICK}&${reply}`, { 'User-Agent': CHROME, Host: 'nobody.example' })).status, 404);
  t.equal(served.ledger.clicks.length, 0);
  for (let flood = 0; flood < 50; flood++)
    await get(served, `${CLICK_DEVICE}?click_id=${CLICK}&version=${flood + 5}`, { 'User-Agent': CHROME });
  t.equal(served.ledger.clicks.length, 1, 'only the first report of a click is stored');
});

t.test('a Mac goes to its web destination, and without one gets the desktop page', async (t) => {
  const served = await started(t, 'uws', { environment: { default_destinations: NO_DESTINATIONS } });
  served.links.set('app', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE } }));
  served.links.set('web', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE, web: 'https://shop.example/' } }));
  const web = await get(served, '/web', { 'User-Agent': SAFARI });
  t.same([web.status, web.headers.get('location')], [302, 'https://shop.example/']);
  const page = await get(served, '/app', { 'User-Agent': SAFARI });
  t.match([page.status, page.body.toString()], [200, `data-device="${CLICK_DEVICE}?click_id=${CLICK}"`]);
  t.notMatch((await get(served, '/app', { 'User-Agent': DESKTOP })).body.toString(), '<script>');
  await get(served, `${CLICK_DEVICE}?click_id=${CLICK}&touch=5`, { 'User-Agent': SAFARI });
  t.match(served.ledger.clicks.at(-1), { kind: DEVICE_KIND, platform_hint: 'ios', user_agent: withPlatformVersion(SAFARI, '17.5') });
});

t.test('a visitor who opted out gets a page that reports no device, and a report from them is not stored', async (t) => {
  const served = await started(t, 'uws', { honoursOptOut: true, environment: { default_destinations: NO_DESTINATIONS } });
  served.links.set('app', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE, android: PLAY_STORE } }));
  const optedOut = { 'Sec-GPC': '1' };
  for (const [userAgent, host] of [
    [CHROME, 'open.go.shop.example'],
    [SAFARI, 'go.shop.example'],
  ] as const) {
    const page = (headers: object) => get(served, `/app?click_id=${CLICK}`, { 'User-Agent': userAgent, Host: host, ...headers });
    t.match((await page({})).body.toString(), 'data-device="', userAgent);
    const unasked = await page(optedOut);
    t.equal(unasked.status, 200);
    t.notMatch(unasked.body.toString(), 'data-device="', userAgent);
  }
  const before = served.ledger.clicks.length;
  const report = `${CLICK_DEVICE}?click_id=${CLICK}&version=14.0.0&model=Pixel%208`;
  t.equal((await get(served, report, { 'User-Agent': CHROME, ...optedOut })).status, 204);
  t.equal(served.ledger.clicks.length, before);
});
