import t from 'tap';
import { beginFacts, newFacts } from '../../../engine/http/facts.js';
import { brandOf } from '../../../engine/pages/brand.js';
import { type Decision, decide } from '../../../engine/visit/decide.js';
import { cardContext, linkUrl, openPageOf, openUrl, redirectUrl, tabletPageOf } from '../../../engine/visit/visit-pages.js';
import { genericCard } from '../../../shared/metadata/card.js';
import type { AndroidApp, Destinations, EnvironmentRecord, IosApp } from '../../../shared/records/records.js';
import { recogniseVisitor } from '../../../shared/resolve/recognise-visitor.js';
import { CHROME, SAFARI } from '../../support/visitor.js';
import {
  ANDROID,
  CLICK_ID,
  DESKTOP,
  domainRecord,
  environmentRecord,
  IPHONE,
  linkRecord,
  locateLink,
  NO_DESTINATIONS,
  tableOf,
} from '../fixtures.js';

const CLICK = CLICK_ID;
const IOS_APP: IosApp = { team_id: 'TEAM', bundle_id: 'com.shop', app_store_url: 'https://apps.apple.com/app/id99', uri_scheme: 'shop' };
const ANDROID_APP: AndroidApp = {
  package_name: 'com.shop',
  sha256_cert_fingerprints: ['AA:BB'],
  play_store_url: 'https://play.google.com/store/apps/details?id=com.shop',
  uri_scheme: 'shop://',
};

function asked(
  userAgent: string,
  destinations: Partial<Destinations>,
  query = '',
  changes: Partial<EnvironmentRecord> = {},
  host = 'go.shop.example',
): { facts: ReturnType<typeof newFacts>; decision: Decision } {
  const facts = newFacts();
  beginFacts(facts, 'GET', '/abc', query);
  Object.assign(facts, { host, user_agent: userAgent, visitor: recogniseVisitor(userAgent) });
  const environment = environmentRecord({ ios_apps: [IOS_APP], android_apps: [ANDROID_APP], ...changes });
  const domains = [domainRecord({ environment_number: environment.number })];
  const link = linkRecord({ allow_param_passthrough: true, destinations: { ...NO_DESTINATIONS, ...destinations } });
  return { facts, decision: decide(facts, locateLink(facts, tableOf({ environments: [environment], domains })), link, 1) };
}

t.test("the URLs of the open page and the link carry the click and the visitor's parameters", async (t) => {
  const { decision } = asked(IPHONE, { ios: 'https://apps.apple.com/app/id99' }, 'a=<b>&c=\u00e4');
  t.equal(openUrl(decision, CLICK), `https://open.go.shop.example/abc?click_id=${CLICK}&a=%3Cb%3E&c=%C3%A4`);
  t.equal(openUrl(decision, ''), 'https://open.go.shop.example/abc?a=%3Cb%3E&c=%C3%A4');
  t.equal(linkUrl(decision, ''), 'https://go.shop.example/abc?a=%3Cb%3E&c=%C3%A4');
  t.equal(linkUrl(decision, CLICK), `https://go.shop.example/abc?click_id=${CLICK}&a=%3Cb%3E&c=%C3%A4`);
});

t.test('on iOS the button leads to the link, and the store is the App Store', async (t) => {
  const { facts, decision } = asked(IPHONE, { ios: 'https://apps.apple.com/app/id99' });
  t.same(openPageOf(facts, decision, CLICK, 'fr'), {
    brand: brandOf('Shop & Co'),
    language: 'fr',
    open_url: `https://go.shop.example/abc?click_id=${CLICK}`,
    store_url: 'https://apps.apple.com/app/id99',
    web_url: 'https://shop.example/',
    copied_url: `https://go.shop.example/abc?click_id=${CLICK}`,
    attempt_url: '',
    device_url: '',
    in_app: false,
  });
});

t.test('on Android the button is an intent that falls back to the store, whose URL carries the click', async (t) => {
  const store = `https://play.google.com/store/apps/details?id=com.shop&referrer=click_id%3D${CLICK}`;
  const { facts, decision } = asked(ANDROID, { android: 'https://play.google.com/store/apps/details?id=com.shop' });
  const intent = `intent://go.shop.example/abc?click_id=${CLICK}#Intent;scheme=https;package=com.shop;S.browser_fallback_url=${encodeURIComponent(store)};end`;
  t.match(openPageOf(facts, decision, CLICK, 'en'), { open_url: intent, attempt_url: intent, store_url: store, copied_url: '' });
});

t.test('Firefox gets the link itself, an in-app browser gets a hint, and neither opens the app by itself', async (t) => {
  const play = { android: 'https://play.google.com/store/apps/details?id=com.shop' };
  const firefox = asked('Mozilla/5.0 (Android 13; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0', play);
  t.match(openPageOf(firefox.facts, firefox.decision, CLICK, 'en'), {
    open_url: `https://go.shop.example/abc?click_id=${CLICK}`,
    attempt_url: '',
    in_app: false,
  });
  const instagram = asked(`${ANDROID} Instagram 333.0.0.42.91 Android`, play);
  t.match(openPageOf(instagram.facts, instagram.decision, CLICK, 'en'), { attempt_url: '', in_app: true });
});

t.test("a destination with the app's own scheme is used for the button, and the environment's app gives the store", async (t) => {
  const ios = asked(IPHONE, { ios: 'shop://product/1' });
  t.match(openPageOf(ios.facts, ios.decision, CLICK, 'en'), { open_url: 'shop://product/1', store_url: IOS_APP.app_store_url });
  const android = asked(ANDROID, { android: 'shop://product/1#part' });
  t.match(
    openPageOf(android.facts, android.decision, CLICK, 'en').open_url,
    /^intent:\/\/product\/1#Intent;scheme=shop;package=com\.shop;/,
  );
});

t.test('a card comes with the link, its project and its apps', async (t) => {
  const { decision } = asked('facebookexternalhit/1.1', { web: 'https://shop.example/item' });
  t.match(cardContext(decision, genericCard('Shop')), {
    site_name: 'Shop & Co',
    shared_url: 'https://go.shop.example/abc',
    onward_url: 'https://shop.example/item',
    apps: { ios: { url: 'shop://product/1' }, android: { url: 'shop://product/1' } },
  });
  t.match(cardContext(decision, { ...genericCard('Shop'), deep_link_path: '/item/9' }).apps, {
    ios: { url: 'shop://item/9' },
    android: { url: 'shop://item/9' },
  });
});

t.test('a card links to a web page even for a bot that poses as a phone', async (t) => {
  const { decision } = asked(`${IPHONE} facebookexternalhit/1.1`, { ios: 'shop://a', web: 'https://shop.example/item' });
  t.equal(cardContext(decision, genericCard('Shop')).onward_url, 'https://shop.example/item');
});

t.test('without a store the open page links to a page for browsers', async (t) => {
  const { facts, decision } = asked(IPHONE, { ios: 'shop://a', web: 'https://shop.example/item' }, '', { ios_apps: [] });
  t.match(openPageOf(facts, decision, CLICK, 'en'), { open_url: 'shop://a', store_url: '', web_url: 'https://shop.example/item' });
});

t.test('on iOS the page also links to the browser, with the parameters that a redirect would add', async (t) => {
  const destinations = { ios: 'https://apps.apple.com/app/id99', web: 'https://shop.example/item?utm_medium=own' };
  const web = (agent: string, changes: Partial<EnvironmentRecord> = {}, to: Partial<Destinations> = destinations) => {
    const { facts, decision } = asked(agent, to, 'utm_medium=mail&ref=a', changes, 'open.go.shop.example');
    return openPageOf(facts, { ...decision, utm: 'utm_source=news' }, CLICK, 'en').web_url;
  };
  t.equal(web(IPHONE), 'https://shop.example/item?utm_medium=own&utm_source=news&ref=a');
  t.equal(web(IPHONE, { append_click_id: true }), `https://shop.example/item?utm_medium=own&utm_source=news&ref=a&click_id=${CLICK}`);
  const none = { default_destinations: NO_DESTINATIONS };
  t.equal(web(IPHONE, none, { ios: destinations.ios }), '', 'a link without a destination for browsers offers none');
  t.equal(web(IPHONE, none, { fallback: destinations.ios }), '', 'a store does not count as a web page');
  t.equal(web(IPHONE, {}, { ...destinations, web: 'blob:blocked' }), '', 'a URL on the block list is not offered');
  t.equal(web(ANDROID, {}, { ...destinations, android: 'https://play.google.com/store/apps/details?id=com.shop' }), '');
});

t.test(
  "with the interstitial off a destination with a store's own scheme is the button, since the link would lead to the same page",
  async (t) => {
    const off = { interstitial: false };
    const ios = asked(IPHONE, { ios: 'itms-apps://apps.apple.com/app/id99' }, '', off);
    t.equal(ios.decision.outcome, 'app_page');
    t.match(openPageOf(ios.facts, ios.decision, CLICK, 'en'), {
      open_url: '',
      store_url: 'itms-apps://apps.apple.com/app/id99',
      attempt_url: '',
    });
    const android = asked(ANDROID, { android: 'market://details?id=com.shop' }, '', off);
    t.match(openPageOf(android.facts, android.decision, CLICK, 'en'), {
      open_url: '',
      store_url: `market://details?id=com.shop&referrer=click_id%3D${CLICK}`,
      attempt_url: '',
    });
  },
);

t.test('an intent falls back to the web page of the store, since browsers follow no other scheme there', async (t) => {
  const { facts, decision } = asked(ANDROID, { android: 'market://details?id=com.shop' });
  const fallback = encodeURIComponent(`https://play.google.com/store/apps/details?id=com.shop&referrer=click_id%3D${CLICK}`);
  t.match(openPageOf(facts, decision, CLICK, 'en').open_url, `package=com.shop;S.browser_fallback_url=${fallback};end`);
});

t.test('on a custom domain a card has the URL that was shared', async (t) => {
  const { decision } = asked('facebookexternalhit/1.1', {}, 'a=1', {}, 'go.brand.example');
  t.equal(cardContext(decision, genericCard('Shop')).shared_url, 'https://go.brand.example/abc');
});

t.test('the page has an address for a device report if the request does not name the version', async (t) => {
  const page = (userAgent: string, clickId: string) => {
    const { facts, decision } = asked(userAgent, { android: 'https://play.google.com/store/apps/details?id=com.shop' });
    return openPageOf(facts, decision, clickId, 'en').device_url;
  };
  t.equal(page(CHROME, CLICK), `/.well-known/click-device?click_id=${CLICK}`);
  t.equal(page(ANDROID, CLICK), '');
});

t.test('a Mac that may be an iPad gets a page to the app if an iPad would get one, and other desktops do not', async (t) => {
  const NO_WEB = { default_destinations: NO_DESTINATIONS };
  const APP_STORE = 'https://apps.apple.com/app/id99';
  const page = (userAgent: string, destinations: Partial<Destinations>, changes: Partial<EnvironmentRecord> = {}) => {
    const { facts, decision } = asked(userAgent, destinations, '', { ...NO_WEB, ...changes });
    t.equal(decision.outcome, 'no_destination');
    return tabletPageOf(facts, decision, CLICK, 'en');
  };
  const reply = { device_url: `/.well-known/click-device?click_id=${CLICK}`, attempt_url: '', open_url: '' };
  t.match(page(SAFARI, { ios: APP_STORE }), {
    ...reply,
    store_url: APP_STORE,
    copied_url: `https://go.shop.example/abc?click_id=${CLICK}`,
  });
  t.match(page(SAFARI, {}), { ...reply, store_url: 'https://apps.apple.com/app/id99' }, 'the store page of the first app');
  t.match(page(SAFARI, { ios: 'shop://item/1' }), { ...reply, open_url: 'shop://item/1' });
  t.equal(page(SAFARI, { ios: 'https://shop.example/ios' }), null, 'not if the destination is a web page');
  t.equal(page(SAFARI, {}, { ios_apps: [] }), null);
  t.equal(page(DESKTOP, { ios: APP_STORE }), null);
});

t.test('of several apps the one is opened and offered whose scheme the destination has', async (t) => {
  const stores = { ios: 'https://apps.apple.com/app/id2', android: 'https://play.google.com/store/apps/details?id=com.other' };
  const other = {
    ios_apps: [IOS_APP, { ...IOS_APP, bundle_id: 'com.other', app_store_url: stores.ios, uri_scheme: 'other' }],
    android_apps: [ANDROID_APP, { ...ANDROID_APP, package_name: 'com.other', play_store_url: stores.android, uri_scheme: 'other' }],
  };
  const ios = asked(IPHONE, { ios: 'other://item/1' }, '', other);
  t.match(openPageOf(ios.facts, ios.decision, CLICK, 'en'), { open_url: 'other://item/1', store_url: stores.ios });
  const android = asked(ANDROID, { android: 'OTHER://item/1' }, '', other);
  const page = openPageOf(android.facts, android.decision, CLICK, 'en');
  t.match(page.open_url, /;package=com\.other;S\.browser_fallback_url=[^;]*details%3Fid%3Dcom\.other%26/);
  t.equal(page.store_url, `${stores.android}&referrer=click_id%3D${CLICK}`);
  const withoutStore = {
    android_apps: [ANDROID_APP, { ...ANDROID_APP, package_name: 'com.other', play_store_url: null, uri_scheme: 'other' }],
  };
  const unlisted = asked(ANDROID, { android: 'other://item/1' }, '', withoutStore);
  t.equal(openPageOf(unlisted.facts, unlisted.decision, CLICK, 'en').store_url, '', 'never another app');
  const mac = asked(SAFARI, { ios: 'other://item/1' }, '', { ...other, default_destinations: NO_DESTINATIONS });
  t.match(tabletPageOf(mac.facts, mac.decision, CLICK, 'en'), { open_url: 'other://item/1', store_url: stores.ios });
  const card = asked('facebookexternalhit/1.1', { ios: 'other://item/1', android: 'other://item/1' }, '', other);
  t.match(cardContext(card.decision, genericCard('Shop')).apps, {
    ios: { url: 'other://product/1', app_store_id: '2' },
    android: { url: 'other://product/1', package_name: 'com.other' },
  });
});

t.test('a visitor cannot replace the click id that is passed to a web page', async (t) => {
  const query = 'a=1&click_id=forged&click%5Fid=forged';
  const web = { web: 'https://shop.example/item' };
  const told = asked(DESKTOP, web, query, { append_click_id: true });
  t.equal(redirectUrl(told.decision, CLICK), `https://shop.example/item?a=1&click_id=${CLICK}`);
  const untold = asked(DESKTOP, web, query);
  t.equal(
    redirectUrl(untold.decision, CLICK),
    `https://shop.example/item?${query}`,
    'the parameter has no meaning if no click id is passed',
  );
  const ios = asked(IPHONE, { ...web, ios: 'https://apps.apple.com/app/id99' }, query, { append_click_id: true }, 'open.go.shop.example');
  t.equal(openPageOf(ios.facts, ios.decision, CLICK, 'en').web_url, `https://shop.example/item?a=1&click_id=${CLICK}`);
});

t.test(
  "a link that leads to another link of the service does not carry its click there, where it would be taken for the other's",
  async (t) => {
    const changes = { append_click_id: true };
    const own = [
      'https://go.shop.example/item',
      'https://go.shop.example:8443?a=1',
      'https://open.go.shop.example/item',
      'http://go.brand.example/item#top',
      'https://user:secret@GO.shop.example./item',
    ];
    for (const web of own) {
      t.equal(redirectUrl(asked(DESKTOP, { web }, '', changes).decision, CLICK), web, web);
      const ios = asked(IPHONE, { web, ios: 'https://apps.apple.com/app/id99' }, '', changes, 'open.go.shop.example');
      t.equal(openPageOf(ios.facts, ios.decision, CLICK, 'en').web_url, web, `${web} from the open page`);
    }
    for (const web of ['https://www.shop.example/go.shop.example/item', 'https://go.shop.example.evil.example/item'])
      t.equal(redirectUrl(asked(DESKTOP, { web }, '', changes).decision, CLICK), `${web}?click_id=${CLICK}`, web);
  },
);

t.test('the browser link of the open page leads a visitor to the page for their country', async (t) => {
  const destinations = { ...NO_DESTINATIONS, ios: 'https://apps.apple.com/app/id99', web: 'https://shop.example/item' };
  const { facts, decision } = asked(IPHONE, destinations, '', {}, 'open.go.shop.example');
  const rules = {
    active_from_ms: 0,
    max_clicks: null,
    used_up: false,
    password: null,
    geo: { DE: 'https://shop.example/de' },
    interstitial: null,
  };
  const link = linkRecord({ destinations, rules: JSON.stringify(rules) });
  const target = { kind: 'link', entry: decision.entry, path: 'abc', alias: '', match: null } as const;
  const web = (country: string) => openPageOf(facts, decide(facts, target, link, 1, country), CLICK, 'en').web_url;
  t.same([web('DE'), web('FR'), web('')], ['https://shop.example/de', 'https://shop.example/item', 'https://shop.example/item']);
});

t.test('an intent without a store falls back to the web page; without one the system chooses the app', async (t) => {
  const app = { android_apps: [{ ...ANDROID_APP, play_store_url: null }] };
  const open = (destinations: Partial<Destinations>, changes: Partial<EnvironmentRecord>) => {
    const { facts, decision } = asked(ANDROID, destinations, '', changes);
    return openPageOf(facts, decision, CLICK, 'en').open_url;
  };
  const web = encodeURIComponent('https://shop.example/item');
  t.equal(
    open({ android: 'shop://item/1', web: 'https://shop.example/item' }, app),
    `intent://item/1#Intent;scheme=shop;package=com.shop;S.browser_fallback_url=${web};end`,
  );
  const nothing = { ...app, default_destinations: NO_DESTINATIONS };
  t.equal(
    open({ android: 'shop://item/1' }, nothing),
    'intent://item/1#Intent;scheme=shop;end',
    'Chrome would search for the package in the store',
  );
});

t.test('an intent keeps what follows the scheme unchanged', async (t) => {
  for (const [destination, start] of [
    ['shop:item/1?a=b#part', 'intent:item/1?a=b#Intent;scheme=shop;'],
    ['shop:/item/1', 'intent:/item/1#Intent;scheme=shop;'],
    ['shop://item/1', 'intent://item/1#Intent;scheme=shop;'],
  ] as const) {
    const { facts, decision } = asked(ANDROID, { android: destination });
    t.ok(openPageOf(facts, decision, CLICK, 'en').open_url.startsWith(start), destination);
  }
});
