import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { GUIDE_NAMES } from '../../control-plane/docs/guides.js';
import { startApiServer } from '../api/api-server.js';
import { openBrowser, takePicture } from '../support/browser.js';
import { findings } from './dashboard/visit.js';

const api = await startApiServer(t);
const { origin } = new URL(api.baseUrl);
const browser = await openBrowser(t, { http: api.port, https: api.port });

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

interface Visit {
  readonly page: Page;
  /** Errors of the console, failed requests, and requests to other origins. */
  readonly complaints: readonly string[];
}

async function visit(t: Test, browser: Browser, path: string, viewport = DESKTOP, colorScheme: 'light' | 'dark' = 'light'): Promise<Visit> {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US' });
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on(
    'request',
    (request) => /^(?:data|blob):/.test(request.url()) || request.url().startsWith(`${origin}/`) || complaints.push(request.url()),
  );
  await page.goto(origin + path);
  return { page, complaints };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).first();
const operation = (page: Page, path: string) => page.locator(`[id$="tag/${path}"]`).first();

async function overflows(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean;
}

/** Chooses a sample of the operation by name. Returns the text of the section. */
async function chooseSample(page: Page, path: string, name: string): Promise<string> {
  const section = operation(page, path);
  const shown = section.getByRole('button', { name: /^(?:Shell Curl|@link-service\/)/ });
  await shown.click();
  await page.getByRole('option', { name, exact: true }).click();
  await section.getByRole('button', { name: new RegExp(name) }).waitFor();
  return section.innerText();
}

/** Leaves the reference at the operation that is found. */
async function search(t: Test, { page, complaints }: Visit): Promise<void> {
  await heading(page, 'Create a link').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.references-rendered:focus').waitFor();
  t.not(new URL(page.url()).hash, '#reference', 'the text has the focus, and the address is still that of its section');
  await page.getByRole('button', { name: /^Open Search/ }).click();
  await page.keyboard.insertText('Create a link');
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /Create a link/ })
    .first()
    .click();
  await page.waitForURL(/#tag\/links\/POST\/links$/);
  t.strictSame(complaints, []);
}

async function samples(t: Test, browser: Browser, { page, complaints }: Visit): Promise<void> {
  const section = operation(page, 'links/POST/links');
  await section.getByRole('button', { name: 'Shell Curl' }).waitFor();
  t.match(await section.innerText(), `curl ${origin}/v1/links`);
  await section.getByRole('button', { name: 'Shell Curl' }).click();
  const choices = await page.getByRole('option').allTextContents();
  t.same(choices.map((choice) => choice.trim()).toSorted(), ['@link-service/server', 'Curl']);
  await page.keyboard.press('Escape');
  const server = await chooseSample(page, 'links/POST/links', '@link-service/server');
  t.match(server, `baseUrl: '${origin}/v1'`);
  t.match(server, 'await service.links.create({');
  await takePicture(page, 'docs-operation');

  const app = await visit(t, browser, '/docs#tag/sdk/POST/sdk/links');
  await heading(app.page, 'Create a link from an app').waitFor();
  t.match(await chooseSample(app.page, 'sdk/POST/sdk/links', '@link-service/client'), 'await links.createLink({');
  t.strictSame([...complaints, ...app.complaints], []);
}

/** Sends the request of an operation from its form. Resolves to the status. */
async function tryIt(page: Page, key: string): Promise<number> {
  await page
    .getByRole('button', { name: /^Test Request.*post \/links\)/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByPlaceholder('Token').fill(key);
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await dialog.getByRole('button', { name: /^Send/ }).filter({ visible: true }).first().click();
  const answer = await answered;
  t.equal(answer.url(), `${api.baseUrl}/links`);
  return answer.status();
}

async function requests(t: Test, browser: Browser, onDesktop: Visit): Promise<void> {
  const onPhone = await visit(t, browser, '/docs#tag/links/POST/links', PHONE);
  for (const { page, complaints } of [onDesktop, onPhone]) {
    await heading(page, 'Create a link').waitFor();
    t.equal(await tryIt(page, api.testKey), 201);
    t.notOk(await overflows(page));
    await takePicture(page, `docs-try-${page.viewportSize()?.width}`);
    t.strictSame(complaints, []);
  }
}

async function fitsNarrowScreen(t: Test, browser: Browser): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    const { page, complaints } = await visit(t, browser, '/docs', PHONE, scheme);
    await heading(page, 'Create a link').waitFor();
    t.notOk(await overflows(page), scheme);
    const canvas = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    t.equal(canvas, scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(15, 15, 15)');
    await takePicture(page, `docs-${scheme}-390`);
    t.strictSame(complaints, []);
  }
}

async function guides(t: Test, browser: Browser): Promise<void> {
  // The themes differ only in colours, so that in the second one only contrast is checked, and the reference is not opened again.
  for (const [scheme, rule, start] of [
    ['light', undefined, '/docs'],
    ['dark', 'color-contrast', `/docs/guides/${GUIDE_NAMES.at(-1)}`],
  ] as const) {
    const { page, complaints } = await visit(t, browser, start, PHONE, scheme);
    const bar = page.getByRole('navigation', { name: 'Documentation' });
    for (const [at, name] of GUIDE_NAMES.entries()) {
      await bar
        .getByRole('link')
        .nth(at + 1)
        .click();
      await page.waitForURL(`${origin}/docs/guides/${name}`);
      t.equal(await page.getByRole('heading', { level: 1 }).innerText(), await bar.locator('[aria-current]').innerText());
      t.notOk(await overflows(page), name);
      t.strictSame(await findings(page, rule), [], name);
      await takePicture(page, `docs-guide-${name}-${scheme}`);
    }
    if (start === '/docs') {
      await page.getByRole('link', { name: 'Skip to the text' }).press('Enter');
      await page.locator('main:focus').waitFor();
      await bar.getByRole('link', { name: 'API reference' }).click();
      await heading(page, 'Create a link').waitFor();
    }
    // A page that is left before it has loaded cancels its remaining requests.
    t.strictSame(
      complaints.filter((each) => !each.endsWith('net::ERR_ABORTED')),
      [],
    );
  }
}

if (browser !== null) {
  const reference = await visit(t, browser, '/docs');
  void t.test('the search of the API reference finds an operation', (t) => search(t, reference));
  void t.test('an operation shows samples for curl and for its SDK', (t) => samples(t, browser, reference));
  void t.test('a request that is tried out goes to this server', (t) => requests(t, browser, reference));
  void t.test('the reference fits a narrow screen and follows the colour scheme of the system', (t) => fitsNarrowScreen(t, browser));
  void t.test('every guide opens, passes the accessibility checks and links back to the reference', (t) => guides(t, browser));
}
