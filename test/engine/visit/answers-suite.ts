import t from 'tap';
import type { ListenerKind } from '../../../engine/http/listener.js';
import { NOBODY } from '../../../engine/pages/brand.js';
import { STATIC_PAGE_CSP } from '../../../engine/pages/html.js';
import { openPageCsp } from '../../../engine/pages/open-page.js';
import { tabletPagePolicy } from '../../../engine/pages/tablet-page.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import { CHROME, SAFARI } from '../../support/visitor.js';
import {
  ANDROID,
  CLICK_ID,
  DESKTOP,
  environmentRecord,
  IPHONE,
  linkRecord,
  NO_DESTINATIONS,
  PREVIEW,
  templateRecord,
} from '../fixtures.js';
import { converse, type RawAnswer, request } from '../http/raw-http.js';
import { type Served, serve } from './served.js';

const WEB = 'https://shop.example/item';
const APP_STORE = 'https://apps.apple.com/app/id99';
const PLAY_STORE = 'https://play.google.com/store/apps/details?id=com.shop';
const REFERRER = `&referrer=click_id%3D${CLICK_ID}`;

const IOS_APP = { team_id: 'TEAM', bundle_id: 'com.shop', app_store_url: APP_STORE, uri_scheme: 'shop' };
const ANDROID_APP = { package_name: 'com.shop', sha256_cert_fingerprints: ['AA:BB'], play_store_url: PLAY_STORE, uri_scheme: 'shop' };

/** Link hosts of three environments: a typical one, one without the page that opens the app, and one without any app. */
const SHOP = environmentRecord({ ios_apps: [IOS_APP], android_apps: [ANDROID_APP] });
const DIRECT = environmentRecord({
  ...SHOP,
  number: 2,
  interstitial: false,
  link_host: 'direct.example',
  open_host: 'open.direct.example',
});
const PLAIN = environmentRecord({ number: 3, link_host: 'plain.example', open_host: 'open.plain.example' });

const DESTINATIONS = { ...NO_DESTINATIONS, ios: APP_STORE, android: PLAY_STORE, web: WEB };
const LINKS: Readonly<Record<string, Partial<LinkRecord>>> = {
  app: { destinations: DESTINATIONS },
  web: { destinations: { ...NO_DESTINATIONS, web: WEB } },
  scheme: { destinations: { ...NO_DESTINATIONS, ios: 'shop://item', android: 'shop://item', web: WEB } },
  disabled: { state: 'disabled', destinations: DESTINATIONS },
  expired: { expires_at_ms: 1, destinations: DESTINATIONS },
  deleted: { state: 'deleted', destinations: DESTINATIONS },
  blocked: { state: 'blocked', destinations: DESTINATIONS },
  nowhere: {},
  card: { destinations: DESTINATIONS, card: JSON.stringify({ title: 'Spring', description: null, image_url: null }) },
  'scheme-alone': { destinations: { ...NO_DESTINATIONS, ios: 'shop://item' } },
};

/** The headers of an answer, without those that HTTP itself adds. */
type Headers = Readonly<Record<string, string>>;

const REDIRECT: Headers = { 'cache-control': 'private, no-store', 'content-length': '0' };
const FILE: Headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' };
const PAGE: Headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': STATIC_PAGE_CSP,
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
const STATUS_PAGE: Headers = { ...PAGE, 'content-language': 'en', vary: 'Accept-Language' };
const CARD: Headers = { ...PAGE, vary: 'User-Agent' };
const VISITOR_PAGE: Headers = {
  ...PAGE,
  'content-language': 'en',
  vary: 'User-Agent, Accept-Language',
  'content-security-policy': openPageCsp({ device_url: '', brand: NOBODY }),
};
const TELLING_PAGE: Headers = { ...VISITOR_PAGE, 'content-security-policy': openPageCsp({ device_url: '/x', brand: NOBODY }) };
const HEALTH: Headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

interface Row {
  readonly name: string;
  readonly path: string;
  readonly agent?: string;
  readonly host?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly answer: Headers;
  readonly body?: RegExp;
  readonly clicks?: number;
}

const OPEN = 'open.go.shop.example';
const OPENED = `/app?click_id=${CLICK_ID}`;

/** The answers of the link hosts, in the order in which they are decided. A row fails if any header of its answer changes. */
const ROWS: readonly Row[] = [
  {
    name: 'another method, whatever it asks for',
    path: '/robots.txt',
    method: 'POST',
    status: 405,
    answer: { ...STATUS_PAGE, allow: 'GET, HEAD' },
  },
  { name: "Apple's file", path: '/.well-known/apple-app-site-association', status: 200, answer: FILE, body: /^\{"applinks"/ },
  { name: "Apple's file where old systems look", path: '/apple-app-site-association', status: 200, answer: FILE, body: /"TEAM.com.shop"/ },
  { name: "Google's file", path: '/.well-known/assetlinks.json', status: 200, answer: FILE, body: /"package_name":"com.shop"/ },
  { name: "Apple's file without an app", path: '/apple-app-site-association', host: 'plain.example', status: 404, answer: STATUS_PAGE },
  { name: "Google's file without an app", path: '/.well-known/assetlinks.json', host: 'plain.example', status: 404, answer: STATUS_PAGE },
  { name: 'a file for a preview bot', path: '/apple-app-site-association', agent: PREVIEW, status: 200, answer: FILE },
  {
    name: 'robots.txt',
    path: '/robots.txt',
    host: 'nobody.example',
    status: 200,
    answer: { ...FILE, 'content-type': 'text/plain; charset=utf-8' },
    body: /^User-agent: \*\nAllow: \/\n$/,
  },
  {
    name: 'the proof that this service answers the host',
    path: '/.well-known/link-host',
    host: 'nobody.example',
    status: 200,
    answer: HEALTH,
    body: /^clk_[0-9a-hjkmnp-tv-z]{26}\n$/,
  },
  {
    name: 'health, before the host is looked at',
    path: '/health/live',
    host: 'nobody.example',
    status: 200,
    answer: HEALTH,
    body: /^ok\n$/,
  },
  { name: 'readiness', path: '/health/ready', host: '10.0.0.1', status: 200, answer: HEALTH, body: /^ok\n$/ },
  {
    name: 'an unknown host',
    path: '/web',
    host: 'nobody.example',
    status: 404,
    answer: STATUS_PAGE,
    body: /<title>Link not found<\/title>/,
  },
  { name: 'an unknown host, for a preview bot', path: '/web', host: 'nobody.example', agent: PREVIEW, status: 404, answer: STATUS_PAGE },
  { name: 'an unknown path', path: '/none', status: 404, answer: STATUS_PAGE, body: /<title>Link not found · Shop &#38; Co<\/title>/ },
  { name: 'an unknown path, for a preview bot', path: '/none', agent: PREVIEW, status: 404, answer: STATUS_PAGE },
  { name: 'an id that does not fit its format', path: '/p/x', status: 404, answer: STATUS_PAGE, body: /Link not found/ },
  { name: 'a disabled link', path: '/disabled', status: 404, answer: STATUS_PAGE, body: /Link not available/ },
  { name: 'an expired link', path: '/expired', status: 410, answer: STATUS_PAGE, body: /Link expired/ },
  { name: 'a deleted link', path: '/deleted', status: 410, answer: STATUS_PAGE, body: /Link removed/ },
  { name: 'a blocked link', path: '/blocked', status: 403, answer: STATUS_PAGE, body: /Link blocked/ },
  { name: 'a blocked link, for a preview bot', path: '/blocked', agent: PREVIEW, status: 403, answer: STATUS_PAGE },
  { name: 'a preview bot', path: '/app', agent: PREVIEW, status: 302, answer: { ...REDIRECT, location: WEB } },
  {
    name: 'a preview bot that passes for a phone',
    path: '/app',
    agent: `${IPHONE} facebookexternalhit/1.1`,
    status: 302,
    answer: { ...REDIRECT, location: WEB },
  },
  {
    name: 'a preview bot on the open host',
    path: '/app',
    host: 'open.go.shop.example',
    agent: PREVIEW,
    status: 302,
    answer: { ...REDIRECT, location: WEB },
  },
  {
    name: 'a preview bot, for an item without a metadata API',
    path: '/p/7',
    agent: PREVIEW,
    status: 302,
    answer: { ...REDIRECT, location: 'https://shop.example/product/7' },
  },
  {
    name: 'a preview bot, for a link with a card of its own',
    path: '/card',
    agent: PREVIEW,
    status: 200,
    answer: CARD,
    body: /<meta property="og:title" content="Spring">/,
  },
  {
    name: 'a preview bot, for a link without a web destination',
    path: '/scheme-alone',
    agent: PREVIEW,
    status: 200,
    answer: CARD,
    body: /<meta property="og:title" content="Shop &#38; Co">/,
  },
  { name: 'a desktop', path: '/app', status: 302, answer: { ...REDIRECT, location: WEB }, clicks: 1 },
  { name: 'no user agent', path: '/app', agent: '', status: 302, answer: { ...REDIRECT, location: WEB }, clicks: 1 },
  { name: 'a program', path: '/app', agent: 'curl/8', status: 302, answer: { ...REDIRECT, location: WEB }, clicks: 1 },
  {
    name: 'Chrome on Android, which leaves its version out until it is asked',
    path: '/web',
    agent: ANDROID.replace('Android 14; Pixel 8', 'Android 10; K'),
    status: 302,
    answer: { ...REDIRECT, location: WEB, 'accept-ch': 'Sec-CH-UA-Platform-Version' },
    clicks: 1,
  },
  {
    name: 'the same once it was asked',
    path: '/web',
    agent: ANDROID.replace('Android 14; Pixel 8', 'Android 10; K'),
    headers: { 'Sec-CH-UA-Platform': '"Android"', 'Sec-CH-UA-Platform-Version': '"15.0.0"' },
    status: 302,
    answer: { ...REDIRECT, location: WEB },
    clicks: 1,
  },
  {
    name: 'the next visitor with that user agent, to whom the hint of the one before means nothing',
    path: '/web',
    agent: ANDROID.replace('Android 14; Pixel 8', 'Android 10; K'),
    status: 302,
    answer: { ...REDIRECT, location: WEB, 'accept-ch': 'Sec-CH-UA-Platform-Version' },
    clicks: 1,
  },
  { name: 'an item', path: '/p/7', status: 302, answer: { ...REDIRECT, location: 'https://shop.example/product/7' }, clicks: 1 },
  { name: 'a phone, to the web', path: '/web', agent: IPHONE, status: 302, answer: { ...REDIRECT, location: WEB }, clicks: 1 },
  {
    name: 'a phone, to a store',
    path: '/app',
    agent: IPHONE,
    status: 302,
    answer: { ...REDIRECT, location: `https://${OPEN}${OPENED}` },
    clicks: 1,
  },
  {
    name: "a phone, to an app's own scheme",
    path: '/scheme',
    agent: ANDROID,
    status: 302,
    answer: { ...REDIRECT, location: `https://${OPEN}/scheme?click_id=${CLICK_ID}` },
    clicks: 1,
  },
  {
    name: 'the page that opens the app, on iOS',
    path: OPENED,
    host: OPEN,
    agent: IPHONE,
    status: 200,
    answer: VISITOR_PAGE,
    body: /href="https:\/\/go.shop.example/,
  },
  {
    name: 'the page that opens the app, on Android',
    path: OPENED,
    host: OPEN,
    agent: ANDROID,
    status: 200,
    answer: VISITOR_PAGE,
    body: /href="intent:/,
  },
  {
    name: 'the page that opens the app, in Chrome on Android',
    path: OPENED,
    host: OPEN,
    agent: CHROME,
    status: 200,
    answer: TELLING_PAGE,
    body: /data-device="\/\.well-known\/click-device\?click_id=clk_/,
  },
  {
    name: 'what that page tells of its device',
    path: `/.well-known/click-device?click_id=${CLICK_ID}&version=14.0.0&model=Pixel%208`,
    host: OPEN,
    agent: CHROME,
    status: 204,
    answer: { 'cache-control': 'no-store' },
    clicks: 1,
  },
  {
    name: 'a Mac that may be an iPad, with nothing for either',
    path: '/nowhere',
    host: 'plain.example',
    agent: SAFARI,
    status: 302,
    answer: { ...REDIRECT, location: 'https://shop.example/' },
    clicks: 1,
  },
  {
    name: 'a Mac that may be an iPad, with an app for the iPad',
    path: '/nowhere',
    agent: SAFARI,
    status: 200,
    answer: { ...VISITOR_PAGE, 'content-security-policy': tabletPagePolicy(NOBODY) },
    body: /<div id="ipad" hidden>/,
    clicks: 1,
  },
  { name: 'its button without the app, on iOS', path: OPENED, agent: IPHONE, status: 302, answer: { ...REDIRECT, location: APP_STORE } },
  {
    name: 'its button without the app, on Android',
    path: OPENED,
    agent: ANDROID,
    status: 302,
    answer: { ...REDIRECT, location: PLAY_STORE + REFERRER },
  },
  {
    name: 'a desktop on the open host',
    path: OPENED,
    host: OPEN,
    status: 302,
    answer: { ...REDIRECT, location: 'https://go.shop.example/app' },
  },
  {
    name: 'interstitial off, iOS',
    path: '/app',
    host: 'direct.example',
    agent: IPHONE,
    status: 302,
    answer: { ...REDIRECT, location: APP_STORE },
    clicks: 1,
  },
  {
    name: 'interstitial off, Android',
    path: '/app',
    host: 'direct.example',
    agent: ANDROID,
    status: 302,
    answer: { ...REDIRECT, location: PLAY_STORE + REFERRER },
    clicks: 1,
  },
  {
    name: "interstitial off, an app's own scheme",
    path: '/scheme',
    host: 'direct.example',
    agent: IPHONE,
    status: 200,
    answer: VISITOR_PAGE,
    body: /href="shop:\/\/item"/,
    clicks: 1,
  },
  {
    name: 'no destination',
    path: '/nowhere',
    status: 200,
    answer: { ...STATUS_PAGE, vary: 'User-Agent, Accept-Language' },
    body: /the Shop &#38; Co app/,
    clicks: 1,
  },
  {
    name: 'a page in the language asked for',
    path: '/none',
    headers: { 'Accept-Language': 'nl, de-AT;q=0.8, en;q=0.7' },
    status: 404,
    answer: { ...STATUS_PAGE, 'content-language': 'de' },
    body: /<html lang="de">[\s\S]*<title>Link nicht gefunden · Shop &#38; Co<\/title>/,
  },
];

/** Headers that listeners add by themselves. */
const OF_HTTP: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

function headersOf(answer: RawAnswer): Headers {
  return Object.fromEntries([...answer.headers].filter(([name]) => !OF_HTTP.has(name)));
}

async function ask(served: Served, row: Row, method: string): Promise<RawAnswer> {
  const agent: Record<string, string> = row.agent === '' ? {} : { 'User-Agent': row.agent ?? DESKTOP };
  const head = request(row.path, { Host: row.host ?? 'go.shop.example', ...agent, ...row.headers }, method);
  const { answers } = await converse(served.port, head, { answers: 1, heads: method === 'HEAD' });
  if (answers[0] === undefined) throw new Error(`${row.name}: no answer`);
  return answers[0];
}

export function answers(kind: ListenerKind): void {
  t.test(`${kind}: each situation has its exact answer in every header, and HEAD has the same answer without a body`, async (t) => {
    const template = templateRecord({ redirects: { ...NO_DESTINATIONS, web: 'https://shop.example/{type}/{id}' } });
    const served = await serve(kind, {
      environments: [{ ...SHOP, default_destinations: NO_DESTINATIONS }, { ...DIRECT, default_destinations: NO_DESTINATIONS }, PLAIN],
      templates: [template],
    });
    t.teardown(() => served.stop());
    for (const [path, changes] of Object.entries(LINKS)) served.links.set(path, linkRecord(changes));
    for (const row of ROWS) {
      const before = served.ledger.clicks.length;
      const answer = await ask(served, row, row.method ?? 'GET');
      const expected = { ...(row.status === 204 ? {} : { 'content-length': String(answer.body.length) }), ...row.answer };
      t.same([answer.status, headersOf(answer)], [row.status, expected], row.name);
      if (row.body !== undefined) t.match(answer.body.toString(), row.body, row.name);
      t.equal(served.ledger.clicks.length - before, row.clicks ?? 0, `${row.name}: clicks`);
      if (row.method !== undefined) continue;
      const head = await ask(served, row, 'HEAD');
      t.same([head.status, headLike(headersOf(head), answer)], [row.status, headLike(headersOf(answer), answer)], `${row.name}: HEAD`);
      t.equal(served.ledger.clicks.length - before, row.clicks ?? 0, `${row.name}: HEAD is not a click`);
    }
    t.equal(served.host.stats().figures.of('failed'), 0);
  });
}

/** The headers that HEAD must have. HEAD stores no click, so that its answer cannot name one; a page that names one has another length. */
function headLike(headers: Headers, { body }: RawAnswer): Headers {
  const { location, ...rest } = headers;
  const plain = location?.replace(/[?&](?:click_id=|referrer=click_id%3D)clk_\w+/, '');
  const named = body.includes(CLICK_ID) ? { 'content-length': '' } : {};
  return plain === undefined ? { ...rest, ...named } : { ...rest, ...named, location: plain };
}
