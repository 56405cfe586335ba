import t from 'tap';
import { OPEN_ATTEMPT_MS } from '../../engine/pages/open-page.js';
import { DEVICE_KIND } from '../../engine/spool/click.js';
import { ANDROID, CLICK_ID, DESKTOP, environmentRecord, IPHONE, linkRecord, NO_DESTINATIONS } from '../engine/fixtures.js';
import { takePicture } from '../support/browser.js';
import { until } from '../support/until.js';
import { CHROME, SAFARI } from '../support/visitor.js';
import {
  APP_STORE,
  follow,
  LINK_HOST,
  linksOf,
  OPEN_HOST,
  openTab,
  PHONE,
  PLAY_STORE,
  type Surfing,
  surf,
  type Tab,
  WEB,
} from './link-host-visit.js';

/** An environment whose links lead only into the app. */
const APP_ONLY = environmentRecord({
  id: 'env_01jd0000000000000000000001',
  number: 2,
  link_host: 'go.app.example',
  open_host: 'open.go.app.example',
  default_destinations: NO_DESTINATIONS,
});
const APP_ONLY_HOST = `http://${APP_ONLY.link_host}`;

const OPEN_PAGE = `${OPEN_HOST}/app?click_id=${CLICK_ID}`;
/** The target of the button if it is not an intent. */
const BACK_TO_LINK = `${LINK_HOST}/app?click_id=${CLICK_ID}`;
const PLAY_STORE_OF_CLICK = `${PLAY_STORE}&referrer=click_id%3D${CLICK_ID}`;
const INTENT = `intent://go.shop.example/app?click_id=${CLICK_ID}#Intent;scheme=http;package=com.shop;S.browser_fallback_url=${encodeURIComponent(PLAY_STORE_OF_CLICK)};end`;
const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0';

const APPLE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const WEBVIEW =
  'Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0 Mobile Safari/537.36';

const IN_APP_BROWSERS: readonly (readonly [name: string, userAgent: string])[] = [
  ['Facebook', `${APPLE} [FBAN/FBIOS;FBAV/444.0.0.32.115;FBSV/17.5;FBSS/3]`],
  ['Facebook on Android', `${WEBVIEW} [FB_IAB/FB4A;FBAV/444.0.0.34.111;]`],
  ['Instagram', `${APPLE} Instagram 334.0.4.32.98 (iPhone13,2; iOS 17_5; en_US; en; scale=3.00; 1170x2532; 603516874)`],
  ['TikTok', `${APPLE} musical_ly_34.5.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/US BytedanceWebview/d8a21c6`],
  ['X', `${APPLE} Twitter for iPhone/10.1`],
  ['LinkedIn', `${APPLE} [LinkedInApp]/9.29.4277`],
  ['Snapchat', `${APPLE} Snapchat/12.60.0.42 (like Safari/8617.1.17.10.9, panda)`],
  ['Line', `${APPLE} Safari Line/13.16.0`],
  ['WeChat', `${APPLE} MicroMessenger/8.0.33(0x1800212b) NetType/WIFI Language/en`],
  ['Pinterest', `${APPLE} [Pinterest/iOS]`],
  ['an Android WebView', WEBVIEW],
];

/** The complaints of the tab, without one: a desktop browser does not launch an app a second time before a tap. */
function complaintsOf(tab: Tab): readonly string[] {
  return tab.complaints.filter((text) => !text.startsWith("Not allowed to launch 'intent:"));
}

function openPageTests({ served, browser }: Surfing): void {
  t.beforeEach(() => served.ledger.clicks.splice(0));

  t.test('on an iPhone a tap on the button opens the link, which leads to the store without the app and counts as one click', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: IPHONE });
    const { page, attempts } = tab;
    await follow(tab, `${LINK_HOST}/app`);
    t.equal(page.url(), OPEN_PAGE);
    t.ok(Buffer.byteLength(await page.content()) < 10_000);
    t.same(await linksOf(page), { 'Open the app': BACK_TO_LINK, 'Get the app': APP_STORE, 'Continue in the browser': WEB });
    await page.clock.runFor(10_000);
    t.same(attempts, [], 'the page opens nothing without a tap');
    await takePicture(page, 'open-page-iphone');
    await page.getByRole('link', { name: 'Open the app' }).tap();
    await page.waitForURL(APP_STORE);
    t.equal(served.ledger.clicks.length, 1);
    t.same([tab.complaints, tab.fetched], [[], []], 'the content security policy is not violated, and the page fetches nothing');
  });

  t.test('a tap on Get the app copies the URL of the click to the clipboard, and a tap on Open the app leaves it alone', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: IPHONE });
    const { page, context } = tab;
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(APP_STORE).origin });
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.goto(APP_STORE);
    await page.evaluate(`navigator.clipboard.writeText('mine')`);
    await follow(tab, `${LINK_HOST}/app`);
    await page.getByRole('link', { name: 'Open the app' }).tap();
    await page.waitForURL(APP_STORE);
    t.equal(await clipboard(), 'mine');
    await follow(tab, `${LINK_HOST}/app`);
    await page.getByRole('link', { name: 'Get the app' }).tap();
    await page.waitForURL(APP_STORE);
    t.equal(await clipboard(), BACK_TO_LINK);
    t.same(tab.complaints, []);
  });

  t.test('on Android the page tries the app once, and after 1,500 ms opens the store with the id of the click', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: ANDROID });
    const { page, attempts } = tab;
    await follow(tab, `${LINK_HOST}/app`);
    t.same(await linksOf(page), { 'Open the app': INTENT, 'Get the app': PLAY_STORE_OF_CLICK });
    await takePicture(page, 'open-page-android');
    await page.clock.runFor(OPEN_ATTEMPT_MS - 1);
    t.same([page.url(), attempts], [OPEN_PAGE, [INTENT]]);
    await page.clock.runFor(1);
    await page.waitForURL(PLAY_STORE_OF_CLICK);
    t.same(attempts, [INTENT, PLAY_STORE_OF_CLICK]);
    t.equal(served.ledger.clicks.length, 1);
    t.same([tab.complaints, tab.fetched], [[], []], 'the content security policy is not violated, and the page fetches nothing');
  });

  t.test('on Chrome for Android the page reports version and model and tries the app', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: CHROME });
    await tab.context.addInitScript(`Object.defineProperty(navigator, 'userAgentData', { value: {
      getHighEntropyValues: async (names) => ({ names, platformVersion: '14.0.0', model: 'Pixel 8 & co' }) } })`);
    const report = `${OPEN_HOST}/.well-known/click-device?click_id=${CLICK_ID}&version=14.0.0&model=Pixel%208%20%26%20co`;
    const told = tab.page.waitForResponse(report);
    await follow(tab, `${LINK_HOST}/app`);
    t.equal((await told).status(), 204);
    await until(() => tab.attempts.length > 0, 'the attempt to open the app');
    t.same(tab.attempts, [INTENT]);
    t.match(served.ledger.clicks, [{ kind: 0 }, { kind: DEVICE_KIND, item_id: 'Pixel 8 & co', subject_id: CLICK_ID }]);
    t.same(
      [complaintsOf(tab), tab.fetched],
      [[], [report]],
      'the content security policy permits the report, and the page fetches nothing else',
    );
  });

  t.test('if the browser refuses its version and model, nothing is reported and the app is still tried', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: CHROME });
    await tab.context.addInitScript(`Object.defineProperty(navigator, 'userAgentData', { value: {
      getHighEntropyValues: () => Promise.reject(new DOMException('', 'NotAllowedError')) } })`);
    await follow(tab, `${LINK_HOST}/app`);
    await until(() => tab.attempts.length > 0, 'the attempt to open the app');
    t.same([tab.attempts, complaintsOf(tab), tab.fetched], [[INTENT], [], []]);
  });

  t.test('a Mac gets a page without links for an app-only link, and an iPad with a Mac’s user agent gets the store', async (t) => {
    served.links.set('app-only', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE } }));
    const mac = await openTab(browser, { userAgent: SAFARI });
    await follow(mac, `${APP_ONLY_HOST}/app-only`);
    t.same(await linksOf(mac.page), {});
    t.same([mac.complaints, mac.fetched], [[], []], 'a Mac reports nothing');
    const ipad = await openTab(browser, { userAgent: SAFARI, hasTouch: true, viewport: { width: 820, height: 1180 } });
    await ipad.context.addInitScript(`Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 })`);
    const report = `${APP_ONLY_HOST}/.well-known/click-device?click_id=${CLICK_ID}&touch=5`;
    const told = ipad.page.waitForResponse(report);
    await follow(ipad, `${APP_ONLY_HOST}/app-only`);
    t.equal((await told).status(), 204);
    await takePicture(ipad.page, 'open-page-ipad');
    t.same(await linksOf(ipad.page), { 'Get the app': APP_STORE });
    t.equal(await ipad.page.title(), await ipad.page.getByRole('heading').innerText(), 'the title says what is shown');
    await ipad.page.getByRole('link', { name: 'Get the app' }).tap();
    await ipad.page.waitForURL(APP_STORE);
    t.same(ipad.complaints, []);
  });

  t.test('if the page gets hidden before the store is due, the store is not opened', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: ANDROID });
    const { page, attempts } = tab;
    const setHidden = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await follow(tab, `${LINK_HOST}/app`);
    await page.clock.runFor(OPEN_ATTEMPT_MS - 1);
    await setHidden(true);
    await page.clock.runFor(60_000);
    await setHidden(false);
    await page.clock.runFor(60_000);
    t.same([page.url(), attempts], [OPEN_PAGE, [INTENT]], 'the page opens nothing more while it is hidden or when the visitor returns');
  });

  t.test('on Firefox for Android the page tries nothing, and its button is the link itself', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: FIREFOX });
    const { page, attempts } = tab;
    await follow(tab, `${LINK_HOST}/app`);
    await page.clock.runFor(60_000);
    t.same(attempts, []);
    t.same(await linksOf(page), { 'Open the app': BACK_TO_LINK, 'Get the app': PLAY_STORE_OF_CLICK });
    await page.getByRole('link', { name: 'Open the app' }).tap();
    await page.waitForURL(PLAY_STORE_OF_CLICK);
    t.equal(served.ledger.clicks.length, 1);
  });

  t.test("inside another app's browser the page says how to leave it and tries nothing", async (t) => {
    const tab = await openTab(browser, PHONE);
    const { page } = tab;
    for (const [name, userAgent] of IN_APP_BROWSERS) {
      await tab.becomes(userAgent);
      await follow(tab, `${LINK_HOST}/app`);
      await page.clock.runFor(60_000);
      t.same([tab.attempts, tab.complaints], [[], []], name);
      t.match(await page.getByRole('note').innerText(), 'Choose “Open in browser”', name);
      const web = /iPhone|iPad/.test(userAgent) ? ['Continue in the browser'] : [];
      t.same(Object.keys(await linksOf(page)), ['Open the app', 'Get the app', ...web], name);
      await takePicture(page, `open-page-in-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
  });

  t.test('without scripts the page has the same heading and both buttons', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: ANDROID, javaScriptEnabled: false });
    await follow(tab, `${LINK_HOST}/app`);
    t.equal(await tab.page.getByRole('heading').innerText(), 'Continue in the Shop & Co app');
    t.same(Object.keys(await linksOf(tab.page)), ['Open the app', 'Get the app']);
  });

  t.test("a link with an app's own scheme opens the app only by a tap, and offers the browser if there is no store", async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: IPHONE });
    await follow(tab, `${LINK_HOST}/scheme`);
    t.same(await linksOf(tab.page), { 'Open the app': 'shop://item/1', 'Continue in the browser': WEB });
    t.same(tab.attempts, []);
    const tapped = tab.page.waitForEvent('requestfailed');
    await tab.page.getByRole('link', { name: 'Open the app' }).tap();
    t.equal((await tapped).url(), 'shop://item/1');
  });

  t.test('a desktop is redirected to the destination from the link host and from the open host', async (t) => {
    const { page } = await openTab(browser, { userAgent: DESKTOP });
    for (const host of [LINK_HOST, OPEN_HOST]) {
      await page.goto(`${host}/app`);
      t.equal(page.url(), WEB);
    }
    t.equal(served.ledger.clicks.length, 2);
  });
}

const surfing = await surf(t, { environments: [environmentRecord(), APP_ONLY] });
if (surfing !== null) openPageTests(surfing);
