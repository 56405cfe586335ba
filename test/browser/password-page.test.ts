import t from 'tap';
import { DEVICE_KIND } from '../../engine/spool/click.js';
import { hashPassword } from '../../shared/secrets/password-hash.js';
import { CLICK_ID, environmentRecord, IPHONE, linkRecord, NO_DESTINATIONS } from '../engine/fixtures.js';
import { takePicture } from '../support/browser.js';
import { until } from '../support/until.js';
import { CHROME, SAFARI } from '../support/visitor.js';
import { APP_STORE, follow, LINK_HOST, linksOf, openTab, PHONE, PLAY_STORE, surf, type Tab, WEB } from './link-host-visit.js';

const SECRET = 'Sésame öffne dich';
const password = await hashPassword(SECRET);
const rules = JSON.stringify({ active_from_ms: 0, max_clicks: null, used_up: false, password, geo: null, interstitial: null });

t.test('a visitor who enters the right password gets what the link leads to', async (t) => {
  const surfing = await surf(t);
  if (surfing === null) return;
  const { served, browser } = surfing;
  const link = linkRecord({ destinations: { ...NO_DESTINATIONS, web: WEB, ios: APP_STORE }, allow_param_passthrough: true, rules });
  served.links.set('closed', link);
  served.links.set('nowhere', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: 'shop://item' }, rules }));

  await t.test('on a desktop, with the keyboard alone', async (t) => {
    const tab = await openTab(browser, {});
    const { page } = tab;
    await follow(tab, `${LINK_HOST}/closed?ref=mail`);
    t.equal(await page.title(), 'Enter the password · Shop & Co');
    await page.locator('[name=password]:focus').waitFor();
    await takePicture(page, 'password-page');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    t.equal(await page.getByRole('alert').innerText(), 'This is not the password. Try again.');
    // The page asks again.
    await page.locator('[name=password]:focus').waitFor();
    await takePicture(page, 'password-page-wrong');
    await page.keyboard.type(SECRET);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${WEB}?ref=mail`);
    t.same(tab.complaints, [], 'the content security policy is not violated');
    t.equal(served.ledger.clicks.length, 1);
    t.notMatch(JSON.stringify([tab.attempts, tab.fetched]), encodeURIComponent(SECRET), 'the password is in no URL');
  });

  await t.test('without a network the page says so, keeps the focus, and sends the password when it is entered again', async () => {
    const tab = await openTab(browser, {});
    const { page } = tab;
    await follow(tab, `${LINK_HOST}/closed`);
    await page.getByLabel('Password').fill(SECRET);
    await tab.context.setOffline(true);
    for (let tries = 0; tries < 2; tries++) {
      await page.getByRole('button', { name: 'Continue' }).press('Enter');
      await page.getByRole('alert').filter({ hasText: 'There was no answer.' }).waitFor();
      await page.locator('[name=submit]:focus').waitFor();
    }
    await tab.context.setOffline(false);
    await page.keyboard.press('Enter');
    await page.waitForURL(WEB);
  });

  await t.test('on a phone in another language, by touch', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: IPHONE, locale: 'de-DE', colorScheme: 'dark' });
    const { page } = tab;
    await follow(tab, `${LINK_HOST}/closed`);
    await takePicture(page, 'password-page-phone-dark');
    const button = page.getByRole('button', { name: 'Weiter' });
    t.ok(((await button.boundingBox())?.height ?? 0) >= 44, 'the button is large enough for a finger');
    t.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 360);
    await page.getByLabel('Passwort').fill(SECRET);
    await button.tap();
    await page.waitForURL(APP_STORE);
    t.same(tab.complaints, []);
  });

  await t.test('if the link leads to a page of the service, that page replaces the form', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: IPHONE });
    const { page } = tab;
    await follow(tab, `${LINK_HOST}/nowhere`);
    await page.getByLabel('Password').fill(SECRET);
    await page.getByRole('button', { name: 'Continue' }).tap();
    await page.getByRole('link', { name: 'Open the app' }).waitFor();
    t.equal(await page.getByRole('link', { name: 'Open the app' }).getAttribute('href'), 'shop://item');
    t.same(tab.complaints, []);
  });
});

const APP_ONLY = environmentRecord({
  default_destinations: NO_DESTINATIONS,
  ios_apps: [{ team_id: 'TEAM', bundle_id: 'com.shop', app_store_url: APP_STORE, uri_scheme: 'shop' }],
  android_apps: [{ package_name: 'com.shop', sha256_cert_fingerprints: ['AA'], play_store_url: PLAY_STORE, uri_scheme: 'shop' }],
});

/** Opens the link and enters the password, after a wrong one. */
async function enter(tab: Tab, path: string): Promise<void> {
  const { page } = tab;
  await follow(tab, `${LINK_HOST}/${path}`);
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill(SECRET);
  await page.getByRole('button', { name: 'Continue' }).click();
}

t.test('after the password a page of the service does all that it does on any other link', async (t) => {
  const surfing = await surf(t, { environments: [APP_ONLY] });
  if (surfing === null) return;
  const { served, browser } = surfing;
  const reportUrl = `${LINK_HOST}/.well-known/click-device?click_id=${CLICK_ID}`;
  served.links.set('closed', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: APP_STORE }, rules }));
  served.links.set('scheme', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: 'shop://item', android: 'shop://item' }, rules }));
  t.beforeEach(() => served.ledger.clicks.splice(0));

  await t.test('an iPad with a Mac’s user agent is shown the way to the app, and its touch points are reported', async (t) => {
    const tab = await openTab(browser, { userAgent: SAFARI, hasTouch: true, viewport: { width: 820, height: 1180 } });
    await tab.context.addInitScript(`Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 })`);
    const told = tab.page.waitForResponse(`${reportUrl}&touch=5`);
    await enter(tab, 'closed');
    t.equal((await told).status(), 204);
    await takePicture(tab.page, 'password-page-ipad');
    t.same(await linksOf(tab.page), { 'Get the app': APP_STORE });
    t.match(served.ledger.clicks, [{ kind: 0 }, { kind: DEVICE_KIND, subject_id: CLICK_ID }]);
    await tab.page.getByRole('link', { name: 'Get the app' }).tap();
    await tab.page.waitForURL(APP_STORE);
    t.same(tab.complaints, [], 'the content security policy is not violated');
  });

  await t.test('a Mac is told that there is nothing for it, and reports nothing', async (t) => {
    const tab = await openTab(browser, { userAgent: SAFARI });
    await enter(tab, 'closed');
    await tab.page.getByRole('textbox').waitFor({ state: 'detached' });
    t.same(await linksOf(tab.page), {});
    t.equal(tab.fetched.length, 2, 'only the two passwords were sent');
    t.same(tab.complaints, []);
  });

  await t.test('on an iPhone a tap on Get the app copies the URL of the click', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: IPHONE });
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(APP_STORE).origin });
    await enter(tab, 'scheme');
    await tab.page.getByRole('link', { name: 'Get the app' }).tap();
    await tab.page.waitForURL(APP_STORE);
    t.equal(await tab.page.evaluate<string>('navigator.clipboard.readText()'), `${LINK_HOST}/scheme?click_id=${CLICK_ID}`);
    t.same(tab.complaints, []);
  });

  await t.test('on Chrome for Android version and model are reported, and the app is tried', async (t) => {
    const tab = await openTab(browser, { ...PHONE, userAgent: CHROME });
    await tab.context.addInitScript(`Object.defineProperty(navigator, 'userAgentData', { value: {
      getHighEntropyValues: async () => ({ platformVersion: '14.0.0', model: 'Pixel 8' }) } })`);
    const told = tab.page.waitForResponse(`${reportUrl}&version=14.0.0&model=Pixel%208`);
    await enter(tab, 'scheme');
    t.equal((await told).status(), 204);
    await until(() => tab.attempts.length > 0, 'the attempt to open the app');
    t.match(tab.attempts[0], /^intent:\/\/item#Intent;scheme=shop;package=com\.shop;/);
    t.same(
      tab.complaints.filter((text) => !text.startsWith("Not allowed to launch 'intent:")),
      [],
    );
  });
});
