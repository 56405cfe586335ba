import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { GERMAN } from '../../../control-plane/dashboard/language/german.js';
import { takePicture } from '../../support/browser.js';
import { placesOf, sourceTexts } from '../../support/dashboard-texts.js';
import { LISTS_AND_FORMS, objectScreens } from './every-screen.js';
import type { Tours } from './tours.js';
import { findings, goToScreen, type OnStack, openDashboard, openSignedIn, overflows, signIn } from './visit.js';

const GERMAN_TEXTS = Object.values(GERMAN).flat();

let pieces: readonly string[] | null = null;

/** English texts that are not German texts too. Texts with placeholders are split at them into their longer pieces. */
function englishPieces(): readonly string[] {
  pieces ??= readEnglishPieces();
  return pieces;
}

/** Reads all sources of the dashboard, which takes a third of a second. */
function readEnglishPieces(): readonly string[] {
  const german = new Set(GERMAN_TEXTS);
  const all = sourceTexts().flatMap(({ english, one }) => (one === null ? [english] : [english, one]));
  const split = all.flatMap((text) => (placesOf(text).length === 0 ? [text] : text.split(/\{\w+\}|<\/?\w+>/).filter(isTelling)));
  // The stack's key is named "test" too.
  return [...new Set(split.map((piece) => piece.trim()))].filter((piece) => piece !== 'test' && !german.has(piece));
}

/** Whether the piece is so long that no German sentence and no name contains it. */
function isTelling(piece: string): boolean {
  return piece.trim().split(/\s+/).length >= 3;
}

/**
 * What the page shows and screen readers read, except what is marked as English: the text of each element, and the attributes
 * that are read.
 */
const SHOWN = `[...document.querySelectorAll('body *')].filter((element) => element.closest('[lang=en], code, pre') === null && element.getClientRects().length > 0)
  .flatMap((element) => [
    ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data.trim()),
    ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
  ]).filter((text) => text !== '')`;

async function englishOn(page: Page, pieces: readonly string[]): Promise<readonly string[]> {
  const shown = (await page.evaluate(SHOWN)) as readonly string[];
  const long = pieces.filter(isTelling);
  const whole = new Set(pieces);
  return shown.filter((text) => whole.has(text) || long.some((piece) => text.includes(piece)));
}

/** German texts that do not fit into their place and are cut. */
async function cutTexts(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`((texts) => [...document.querySelectorAll('main *, aside *, .top-bar *')]
    .filter((element) => texts.has(element.textContent.trim()) && element.getClientRects().length > 0)
    .filter((element) => !element.matches('.visually-hidden, .visually-hidden *, option') && getComputedStyle(element).display !== 'inline')
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
    .map((element) => element.textContent.trim()))(new Set(${JSON.stringify(GERMAN_TEXTS)}))`)) as readonly string[];
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

async function everyScreen(t: Test, on: OnStack): Promise<void> {
  const pieces = englishPieces();
  t.ok(pieces.length > 800);
  const screens = [...LISTS_AND_FORMS, ...(await objectScreens(on))];
  const options = { locale: 'de-DE' } as const;
  const { page, complaints } = await openSignedIn(t, on, '/links', options);
  for (const path of screens) {
    await page.setViewportSize(SIZES[0]);
    await goToScreen(page, `${on.dashboardUrl}#${path}`);
    t.equal(await page.evaluate('document.documentElement.lang'), 'de', path);
    t.strictSame(await englishOn(page, pieces), [], `no English text on ${path}`);
    t.strictSame(await findings(page), [], path);
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      const place = `${path} at ${viewport.width}`;
      t.notOk(await overflows(page), place);
      t.strictSame(await cutTexts(page), [], `no text is cut on ${place}`);
      await takePicture(page, `dashboard-german${path.replaceAll('/', '-')}-${viewport.width}`);
    }
  }
  t.strictSame(complaints, []);
}

export const germanTours: Tours = {
  'a reader of German sees every screen in German, and nothing is cut': everyScreen,

  'signing in is in the language of the browser, and a choice of another one shows at once and stays': async (t, on) => {
    const { page, complaints } = await openDashboard(t, on.browser, 'about:blank', { locale: 'de-AT', viewport: SIZES[1] });
    await page.goto(on.dashboardUrl);
    await page.getByRole('heading', { name: 'Bei Ihren Links anmelden' }).waitFor();
    t.notOk(await overflows(page));
    t.strictSame(await englishOn(page, englishPieces()), []);
    t.strictSame(await findings(page), []);
    await page.getByLabel('Geheimer Schlüssel').fill('pk_live_1');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('Das ist ein öffentlicher Schlüssel für Apps.').waitFor();
    await page.getByRole('group', { name: 'Sprache' }).getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Sign in to your links' }).waitFor();
    t.equal(await page.evaluate('document.documentElement.lang'), 'en');
    await page.reload();
    await page.setViewportSize(SIZES[0]);
    await signIn(page, on.keys.live);
    await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'Browser' }).click();
    await page.getByRole('navigation', { name: 'Seiten' }).getByRole('link', { name: 'Kampagnen' }).click();
    await page.getByRole('heading', { name: 'Kampagnen', level: 1 }).waitFor();
    t.strictSame(complaints, []);
  },

  'English readers load no German until they choose it, and what they have typed stays': async (t, on) => {
    const asked: string[] = [];
    const before = async (page: Page) => {
      page.on('request', (request) => asked.push(request.url()));
    };
    const { page } = await openSignedIn(t, on, '/links/new', { before });
    await page.getByLabel('Path', { exact: true }).fill('typed-before');
    await page.waitForLoadState('networkidle');
    const isGerman = (url: string) => /\/german-[^/]*\.js$/.test(url);
    t.notOk(asked.some(isGerman));
    await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Neuer Link', level: 1 }).waitFor();
    t.equal(asked.filter(isGerman).length, 1);
    t.equal(await page.getByLabel('Pfad', { exact: true }).inputValue(), 'typed-before');
    t.equal(await page.title(), 'Neuer Link · Link service');
  },

  'dialogs, the palette and the keys are in German too': async (t, on) => {
    const pieces = englishPieces();
    const body = { path: 'dialogs', tags: ['one'], destinations: { web: 'https://shop.example/' } };
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', body);
    const { page, complaints } = await openSignedIn(t, on, '/links', { locale: 'de-DE', viewport: SIZES[1] });
    const dialog = page.getByRole('dialog');
    const look = async (name: string) => {
      await dialog.getByRole('heading', { name }).waitFor();
      t.strictSame(await englishOn(page, pieces), [], name);
      t.notOk(await overflows(page), name);
      t.strictSame(await findings(page), [], name);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    await goToScreen(page, `${on.dashboardUrl}#/links`);
    await page.keyboard.press('Control+k');
    await look('Suche und Befehle');
    await page.keyboard.press('?');
    await look('Tastenkürzel');
    await page.getByRole('button', { name: 'Schlagwörter bearbeiten' }).click();
    await look('Schlagwörter');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await look('Links exportieren');
    await page.getByRole('link', { name: 'dialogs' }).first().click();
    await page.getByRole('button', { name: 'QR-Code', exact: true }).click();
    await look('QR-Code von dialogs');
    await page.getByRole('button', { name: 'Löschen' }).click();
    await look('dialogs löschen?');
    t.strictSame(complaints, []);
  },

  'the public link of a view is in the reader’s language, password and all': async (t, on) => {
    const pieces = englishPieces();
    const make = async (method: string, path: string, body: object) =>
      (await on.stack.controlPlane.call<{ id: string; path: string }>(on.stack.project, method, path, body)).body;
    const view = await make('POST', '/views', { name: 'Quartal', range: 'last_7_days', breakdown: 'country' });
    const { path } = await make('POST', `/views/${view.id}/share`, { password: 'bitte' });
    const { page, complaints } = await openDashboard(t, on.browser, `${on.origin}/${path}`, { locale: 'de-CH', viewport: SIZES[1] });
    await page.getByRole('heading', { name: 'Diese Ansicht ist mit einem Passwort geschützt' }).waitFor();
    t.strictSame(await englishOn(page, pieces), []);
    await page.getByLabel('Passwort').fill('falsch');
    await page.getByRole('button', { name: 'Ansicht anzeigen' }).click();
    await page.getByRole('alert').filter({ hasText: 'Das Passwort fehlt oder ist falsch.' }).waitFor();
    await page.getByLabel('Passwort').fill('bitte');
    await page.getByRole('button', { name: 'Ansicht anzeigen' }).click();
    await page.getByRole('heading', { name: 'Quartal', level: 1 }).waitFor();
    await page.locator('.plot canvas').waitFor();
    t.strictSame(await englishOn(page, pieces), []);
    t.notOk(await overflows(page));
    t.strictSame(await findings(page), []);
    await page.getByRole('group', { name: 'Sprache' }).getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'By country' }).waitFor();
    t.strictSame(complaints, []);
  },

  'what the API refuses is in German where its code says enough, and otherwise marked as English': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/campaigns/new', { locale: 'de' });
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/campaigns', { key: 'taken', name: 'Taken' });
    await page.getByRole('button', { name: 'Kampagne erstellen' }).click();
    const errors = page.locator('.field-error:not(:empty)');
    await errors.first().waitFor();
    for (const error of await errors.all()) t.match(await error.textContent(), /^Muss angegeben werden\.$/);
    t.equal(await page.locator('.field-error[lang=en]').count(), 0);
    await page.getByLabel('Name').fill('Noch eine');
    await page.getByLabel('Schlüssel').fill('taken');
    await page.getByRole('button', { name: 'Kampagne erstellen' }).click();
    await errors.filter({ hasText: 'Ist vergeben.' }).waitFor();
    t.equal(await page.locator('.field-error[lang=en]').count(), 0);
    await page.getByLabel('Schlüssel').fill('Not a key!');
    await page.getByRole('button', { name: 'Kampagne erstellen' }).click();
    await page.locator('.field-error[lang=en]').waitFor();
  },

  'the page runs from right to left without being wider than a telephone': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/links', { viewport: SIZES[1] });
    for (const path of ['/', '/links', '/links/new', '/analytics', '/domains', '/settings', '/webhooks', '/url-templates/new', '/keys']) {
      await goToScreen(page, `${on.dashboardUrl}#${path}`);
      await page.evaluate("document.documentElement.dir = 'rtl'");
      t.notOk(await overflows(page), path);
      await takePicture(page, `dashboard-rtl${path.replaceAll('/', '-')}`);
    }
    await page.getByRole('button', { name: 'Menu' }).click();
    t.notOk(await overflows(page));
    const plots = await page.locator('.plot').count();
    for (let index = 0; index < plots; index++) t.equal(await page.locator('.plot').nth(index).getAttribute('dir'), 'ltr');
  },
};
