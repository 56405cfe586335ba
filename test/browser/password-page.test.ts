import t from 'tap';
import { hashPassword } from '../../shared/secrets/password-hash.js';
import { IPHONE, linkRecord, NO_DESTINATIONS } from '../engine/fixtures.js';
import { takePicture } from '../support/browser.js';
import { APP_STORE, follow, LINK_HOST, openTab, PHONE, surf, WEB } from './link-host-visit.js';

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
