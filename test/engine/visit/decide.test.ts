import t from 'tap';
import { beginFacts, type Facts, newFacts } from '../../../engine/http/facts.js';
import { type Decision, decide } from '../../../engine/visit/decide.js';
import { idFloor } from '../../../shared/base/ids.js';
import { OPEN_PAGE_VISIT_MS } from '../../../shared/base/limits.js';
import type { CampaignRecord, Destinations, EnvironmentRecord, LinkRecord, Utm } from '../../../shared/records/records.js';
import { BLOCKED_DESTINATION } from '../../../shared/resolve/destination.js';
import { recogniseVisitor } from '../../../shared/resolve/recognise-visitor.js';
import {
  ANDROID,
  CLICK_ID,
  CLICKED_AT_MS,
  DESKTOP,
  environmentRecord,
  IPHONE,
  linkRecord,
  locateLink,
  NO_DESTINATIONS,
  PREVIEW,
  tableOf,
} from '../fixtures.js';

/** iMessage identifies itself as Facebook and Twitter on a Mac. */
const IMESSAGE =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0';
const APP_STORE = 'https://apps.apple.com/app/id1';
const PLAY_STORE = 'https://play.google.com/store/apps/details?id=a';
/** A little after the click of the ledger. */
const NOW = CLICKED_AT_MS + 60_000;

interface Question {
  readonly campaigns?: readonly CampaignRecord[];
  readonly link?: Partial<LinkRecord> | null;
  readonly environment?: Partial<EnvironmentRecord>;
  readonly userAgent?: string;
  readonly host?: string;
  readonly facts?: Partial<Facts>;
}

function ask({
  link = {},
  environment,
  campaigns = [],
  userAgent = DESKTOP,
  host = 'go.shop.example',
  facts: changes,
}: Question): Decision {
  const facts = newFacts();
  beginFacts(facts, 'GET', '/abc', '');
  Object.assign(facts, { host, user_agent: userAgent, visitor: recogniseVisitor(userAgent) }, changes);
  const table = tableOf({ environments: [environmentRecord(environment)], campaigns });
  return decide(facts, locateLink(facts, table), link === null ? null : linkRecord(link), NOW);
}

t.test('the state of a link goes before everything else', async (t) => {
  for (const userAgent of [DESKTOP, IPHONE, PREVIEW]) {
    t.match(ask({ link: null, userAgent }), { outcome: 'not_found', click: false, destination: '' });
    for (const state of ['disabled', 'blocked', 'deleted'] as const)
      t.match(ask({ link: { state }, userAgent }), { outcome: state, click: false });
    t.match(ask({ link: { expires_at_ms: NOW }, userAgent }), { outcome: 'expired', click: false });
    t.match(ask({ link: { state: 'blocked', expires_at_ms: 1 }, userAgent }), { outcome: 'blocked' });
  }
});

t.test('a desktop is redirected, and so is a phone whose destination is not a store', async (t) => {
  for (const userAgent of [
    DESKTOP,
    IPHONE,
    ANDROID,
    'Mozilla/5.0 (PlayStation; PlayStation 5/5.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15',
  ])
    t.match(ask({ userAgent }), { outcome: 'redirect', destination: 'https://shop.example/', click: true, bot_reason: '' }, userAgent);
});

t.test('a phone whose destination is a store or an app is sent over the open host while the interstitial is on', async (t) => {
  for (const [userAgent, destinations] of [
    [IPHONE, { ios: APP_STORE }],
    [ANDROID, { android: PLAY_STORE }],
    [IPHONE, { ios: 'shop://product/1' }],
    [ANDROID, { fallback: PLAY_STORE }],
  ] as const) {
    const link = { destinations: { ...NO_DESTINATIONS, ...destinations } };
    const destination = Object.values(destinations)[0] as string;
    t.match(ask({ userAgent, link }), { outcome: 'to_open_page', destination, click: true });
    const facts = { query: `click_id=${CLICK_ID}` };
    t.match(ask({ userAgent, link, host: 'open.go.shop.example', facts }), { outcome: 'open_page', destination, click: false });
    const off = { interstitial: false };
    t.match(ask({ userAgent, link, environment: off }), {
      outcome: destination.startsWith('shop:') ? 'app_page' : 'redirect',
      click: true,
    });
    t.match(ask({ userAgent, link, environment: off, host: 'open.go.shop.example' }), { outcome: 'to_link', click: false });
  }
});

const STORES = [
  [IPHONE, { ios: APP_STORE }, APP_STORE],
  [ANDROID, { android: PLAY_STORE }, PLAY_STORE],
  [IPHONE, { ios: 'itms-apps://apps.apple.com/app/id1' }, APP_STORE],
  [ANDROID, { android: 'market://details?id=a' }, PLAY_STORE],
] as const;

t.test("a visitor whom the open page's button leads back to the link goes to the store, without a second click", async (t) => {
  const facts = { query: `click_id=${CLICK_ID}&a=1` };
  for (const [userAgent, destinations, destination] of STORES) {
    const link = { destinations: { ...NO_DESTINATIONS, ...destinations } };
    t.match(ask({ userAgent, link, facts }), { outcome: 'to_store', destination, click: false, continues: CLICK_ID, query: '' });
    t.match(ask({ userAgent, link: { ...link, allow_param_passthrough: true }, facts }), {
      outcome: 'to_store',
      destination: `${destination}${destination.includes('?') ? '&' : '?'}a=1`,
      query: 'a=1',
    });
  }
});

t.test('a click id that is too old, in the future or malformed does not continue a visit, which then is a click of its own', async (t) => {
  const link = { destinations: { ...NO_DESTINATIONS, ios: APP_STORE } };
  const stale = [
    idFloor('click', NOW - OPEN_PAGE_VISIT_MS - 1),
    idFloor('click', NOW + OPEN_PAGE_VISIT_MS + 1),
    'clk_x',
    '',
    CLICK_ID.replace('clk_', 'lnk_'),
  ];
  for (const id of stale) {
    const facts = { query: `click_id=${id}` };
    t.match(ask({ userAgent: IPHONE, link, facts }), { outcome: 'to_open_page', click: true, continues: '' }, id);
    t.match(
      ask({ userAgent: IPHONE, link, facts, host: 'open.go.shop.example' }),
      { outcome: 'open_page', click: true, continues: '' },
      id,
    );
  }
  for (const id of [idFloor('click', NOW - OPEN_PAGE_VISIT_MS), idFloor('click', NOW + OPEN_PAGE_VISIT_MS)])
    t.match(ask({ userAgent: IPHONE, link, facts: { query: `click_id=${id}` } }), { outcome: 'to_store', continues: id }, id);
});

t.test('a visit to a shared address of the open page is a click, except for HEAD', async (t) => {
  const question = { userAgent: IPHONE, link: { destinations: { ...NO_DESTINATIONS, ios: APP_STORE } }, host: 'open.go.shop.example' };
  t.match(ask(question), { outcome: 'open_page', click: true, continues: '' });
  t.match(ask({ ...question, facts: { method: 'HEAD' } }), { outcome: 'open_page', click: false });
});

t.test('the id of a click has no effect for visitors without an open page, and is not passed on as a parameter', async (t) => {
  const facts = { query: `click_id=${CLICK_ID}&a=1` };
  const link = { allow_param_passthrough: true, destinations: { ...NO_DESTINATIONS, ios: 'shop://a' } };
  t.match(ask({ link, facts }), { outcome: 'redirect', destination: 'https://shop.example/?a=1', click: true, query: 'a=1' });
  t.match(ask({ link, facts, userAgent: PREVIEW }), {
    outcome: 'preview_redirect',
    destination: 'https://shop.example/?a=1',
    click: false,
  });
  t.match(ask({ link, facts, userAgent: IPHONE }), { outcome: 'to_open_page', click: true });
  t.match(ask({ link, facts: { query: 'click_id=abc&a=1' } }), { query: 'click_id=abc&a=1' }, 'others use the same name');
});

t.test('a desktop whose destination is a store is redirected, and from the open host it is sent back to the link', async (t) => {
  const link = { destinations: { ...NO_DESTINATIONS, desktop: APP_STORE } };
  t.match(ask({ link }), { outcome: 'redirect', destination: APP_STORE });
  t.match(ask({ link, host: 'open.go.shop.example' }), { outcome: 'to_link', click: false });
});

t.test('no host sends a visitor to the other host and back', async (t) => {
  for (const userAgent of [DESKTOP, IPHONE, ANDROID, PREVIEW])
    for (const interstitial of [true, false])
      for (const url of [APP_STORE, PLAY_STORE, 'shop://a', 'https://shop.example/x', null])
        for (const platform_hint of ['', 'ios', 'android'] as const) {
          const link = { destinations: { ...NO_DESTINATIONS, ios: url, android: url } };
          const question = { userAgent, link, environment: { interstitial }, facts: { platform_hint } };
          const there = ask(question).outcome === 'to_open_page';
          const back = ask({ ...question, host: 'open.go.shop.example' }).outcome === 'to_link';
          t.notOk(there && back, `${url} ${interstitial} ${platform_hint}`);
        }
});

t.test(
  'a preview bot gets the card of the link, or is sent to the web destination, or gets a generic card; it is not a click',
  async (t) => {
    const card = JSON.stringify({ title: 'Spring', description: null, image_url: null });
    const web = 'https://page.example/';
    for (const host of ['go.shop.example', 'open.go.shop.example'])
      for (const userAgent of [PREVIEW, IMESSAGE]) {
        const asked = (link: Partial<LinkRecord>, defaults: Partial<Destinations> = {}) =>
          ask({ userAgent, host, link, environment: { default_destinations: { ...NO_DESTINATIONS, ...defaults } } });
        const led = { outcome: 'preview_redirect', destination: web, click: false };
        t.match(asked({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE, web } }), led, 'the web destination on every platform');
        t.match(asked({ destinations: { ...NO_DESTINATIONS, desktop: APP_STORE, fallback: web } }), led);
        t.match(
          asked({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE } }, { web }),
          led,
          'the default web destination of the environment',
        );
        t.match(asked({ card, destinations: { ...NO_DESTINATIONS, web } }), { outcome: 'card', destination: web, click: false });
        t.match(asked({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE } }), { outcome: 'card', destination: '', click: false });
        t.match(asked({ destinations: { ...NO_DESTINATIONS, web: BLOCKED_DESTINATION } }), { outcome: 'blocked', click: false });
      }
  },
);

t.test('a program and a prefetch are redirected, and their click says so', async (t) => {
  t.match(ask({ userAgent: 'curl/8.5.0' }), { outcome: 'redirect', click: true, bot_reason: 'isbot' });
  t.match(ask({ facts: { prefetch: true } }), { outcome: 'redirect', click: true, bot_reason: 'prefetch' });
  t.match(ask({ userAgent: 'curl/8.5.0', facts: { prefetch: true } }), { bot_reason: 'isbot' });
  t.match(ask({ userAgent: '' }), { outcome: 'redirect', click: true, bot_reason: 'no_user_agent' });
  t.match(ask({ userAgent: '', facts: { prefetch: true } }), { bot_reason: 'no_user_agent' });
});

t.test('HEAD is decided as GET and is not a click', async (t) => {
  t.match(ask({ facts: { method: 'HEAD' } }), { outcome: 'redirect', destination: 'https://shop.example/', click: false });
});

t.test('without any destination there is a page that names the app, and the visit is a click', async (t) => {
  t.match(ask({ environment: { default_destinations: NO_DESTINATIONS } }), { outcome: 'no_destination', destination: '', click: true });
});

const IOS_APP = { team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', app_store_url: APP_STORE, uri_scheme: null };
const ANDROID_APP = { package_name: 'a', sha256_cert_fingerprints: ['00:11'], play_store_url: PLAY_STORE, uri_scheme: null };

t.test("without a destination a phone is sent to the first app's store page, over the open page if the app can be opened", async (t) => {
  const other = { ...IOS_APP, bundle_id: 'com.example.other', app_store_url: 'https://apps.apple.com/app/id2' };
  const base = { default_destinations: NO_DESTINATIONS, ios_apps: [IOS_APP, other], android_apps: [ANDROID_APP] };
  const unlinked = { ...ANDROID_APP, sha256_cert_fingerprints: [] };
  const elsewhere = 'https://apps.example.com/shop';
  for (const [userAgent, environment, outcome, destination] of [
    [IPHONE, {}, 'to_open_page', APP_STORE],
    [ANDROID, {}, 'to_open_page', PLAY_STORE],
    [IPHONE, { interstitial: false }, 'redirect', APP_STORE],
    [IPHONE, { ios_apps: [{ ...IOS_APP, app_store_url: elsewhere }] }, 'to_open_page', elsewhere],
    [IPHONE, { ios_apps: [{ ...IOS_APP, app_store_url: null }, other] }, 'no_destination', ''],
    [IPHONE, { ios_apps: [] }, 'no_destination', ''],
    [ANDROID, { android_apps: [unlinked] }, 'redirect', PLAY_STORE],
    [ANDROID, { android_apps: [{ ...unlinked, uri_scheme: 'shop' }] }, 'to_open_page', PLAY_STORE],
    [DESKTOP, {}, 'no_destination', ''],
  ] as const) {
    const decision = ask({ userAgent, environment: { ...base, ...environment } });
    t.match(decision, { outcome, destination, click: true }, JSON.stringify({ userAgent, environment }));
    if (outcome !== 'to_open_page') continue;
    const query = `click_id=${CLICK_ID}`;
    const onOpenHost = { userAgent, environment: { ...base, ...environment }, host: 'open.go.shop.example', facts: { query } };
    t.match(ask(onOpenHost), { outcome: 'open_page', destination, click: false });
    t.match(
      ask({ ...onOpenHost, host: 'go.shop.example' }),
      { outcome: 'to_store', destination, click: false },
      'and from the open page to the store',
    );
  }
  const own = { ...base, default_destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/' } };
  t.match(
    ask({ userAgent: IPHONE, environment: own }),
    { outcome: 'redirect', destination: 'https://shop.example/' },
    'a default destination goes first',
  );
});

t.test('a client hint that names another system than the user agent is followed', async (t) => {
  const link = { destinations: { ...NO_DESTINATIONS, ios: 'https://ios.example/' } };
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36';
  t.match(ask({ link, userAgent: mac, facts: { platform_hint: 'ios' } }), { destination: 'https://ios.example/' });
  t.match(ask({ link, userAgent: mac }), { destination: 'https://shop.example/' });
});

t.test("UTM fields come first, then the visitor's parameters, and neither replaces a parameter that is set", async (t) => {
  const utm = { utm_source: 'mail', utm_medium: 'm', utm_campaign: null, utm_term: null, utm_content: null };
  const destinations = { ...NO_DESTINATIONS, web: 'https://shop.example/?utm_medium=own#top' };
  const facts = { query: 'utm_source=evil&a=1&utm_medium=evil' };
  t.match(ask({ link: { utm, destinations, allow_param_passthrough: true }, facts }), {
    destination: 'https://shop.example/?utm_medium=own&utm_source=mail&a=1#top',
    utm: 'utm_source=mail&utm_medium=m',
    query: facts.query,
    params_dropped: false,
  });
  t.match(ask({ link: { utm, destinations }, facts }), {
    destination: 'https://shop.example/?utm_medium=own&utm_source=mail#top',
    query: '',
  });
});

t.test('a query over its limit is left out completely, and the click says so', async (t) => {
  const facts = { query: `a=${'x'.repeat(3000)}` };
  t.match(ask({ link: { allow_param_passthrough: true }, facts }), {
    destination: 'https://shop.example/',
    query: '',
    params_dropped: true,
  });
  t.match(ask({ facts }), { destination: 'https://shop.example/', query: '', params_dropped: false });
});

t.test("a visitor cannot set the referrer of a Play Store URL, and an app's own scheme gets no parameters", async (t) => {
  const link = { allow_param_passthrough: true, destinations: { ...NO_DESTINATIONS, android: PLAY_STORE, ios: 'shop://a' } };
  const facts = { query: 'referrer=click_id%3Dother&b=1' };
  t.match(ask({ link, userAgent: ANDROID, facts }), { destination: `${PLAY_STORE}&b=1` });
  t.match(ask({ link, userAgent: IPHONE, facts }), { destination: 'shop://a', query: facts.query });
});

t.test('a link takes each UTM field that it does not set from its campaign', async (t) => {
  const none: Utm = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null };
  const campaigns = [
    { id: 'cmp_1', environment_number: 1, key: 'spring', utm: { ...none, utm_source: 'mail', utm_medium: 'email' } },
    { id: 'cmp_2', environment_number: 2, key: 'autumn', utm: { ...none, utm_source: 'other environment' } },
  ];
  const own = { ...none, utm_source: 'print', utm_term: 'x y' };
  for (const [campaign, utm, added] of [
    ['spring', null, 'utm_source=mail&utm_medium=email'],
    ['spring', own, 'utm_source=print&utm_medium=email&utm_term=x%20y'],
    ['autumn', null, ''],
    ['unknown', own, 'utm_source=print&utm_term=x%20y'],
    [null, own, 'utm_source=print&utm_term=x%20y'],
  ] as const)
    t.match(ask({ link: { campaign, utm }, campaigns }), {
      utm: added,
      destination: `https://shop.example/${added === '' ? '' : `?${added}`}`,
    });
});
