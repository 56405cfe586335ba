import type { Browser, Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { openBrowser, takePicture } from '../support/browser.js';
import { startDashboardStack } from './dashboard-stack.js';
import { openDashboard, overflows, seriousFindings, signIn } from './dashboard-visit.js';

const { stack, origin, dashboardUrl, keys, metadataApi } = await startDashboardStack(t);
const port = Number(new URL(origin).port);
const browser = await openBrowser(t, { http: port, https: port });

/** One after the other in the one browser; on a machine without one `openBrowser` has said what is left out. */
function tour(name: string, visit: (t: Test, browser: Browser) => Promise<void>): void {
  if (browser !== null) void t.test(name, (t) => visit(t, browser));
}

/** What is written at a field that is wrong. */
function errorOf(page: Page, control: Locator): Locator {
  return page.locator('.field', { has: control }).locator('.field-error:not(:empty)');
}

tour('a key opens its environment, and what is no secret key is told why', async (t, browser) => {
  const { page, complaints } = await openDashboard(t, browser, dashboardUrl);
  t.strictSame(await seriousFindings(page), []);
  const error = page.locator('.field-error:not(:empty)');
  for (const [key, reason] of [
    ['', /begins with sk_live_/],
    [`pk_live_${'a'.repeat(32)}`, /publishable key/],
    [`sk_live_${'a'.repeat(32)}`, /does not know this key/],
  ] as const) {
    await page.getByLabel('Secret key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await error.filter({ hasText: reason }).waitFor();
  }
  t.equal(await page.evaluate('document.activeElement.type'), 'password', 'the field that is wrong has the focus');
  await page.getByLabel('Server').fill('https://elsewhere.example/v1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await error.filter({ hasText: 'This page calls' }).waitFor();
  await page.getByLabel('Server').fill(`${origin}/v1/`);
  await signIn(page, keys.live);
  t.strictSame(await page.evaluate('[sessionStorage.length, localStorage.length]'), [1, 0], 'the key is kept in the tab alone');
  await page.reload();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Secret key').waitFor();
  t.equal(await page.evaluate('sessionStorage.length'), 0);
  t.strictSame(complaints, []);
});

tour('a link is made, found, looked at, tried, changed, switched off and deleted', async (t, browser) => {
  const { page, complaints } = await openDashboard(t, browser, `${dashboardUrl}#/links`);
  await signIn(page, keys.live);
  await page.getByRole('heading', { name: 'Make your first link' }).waitFor();
  await page.getByRole('link', { name: 'New link' }).first().click();

  await page.getByLabel('Path', { exact: true }).fill('spring sale');
  await page.getByLabel('Web').fill('javascript:alert(1)');
  await page.getByLabel('Data').fill('[1]');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page
    .locator('.field', { has: page.getByLabel('Web') })
    .locator('.field-error:not(:empty)')
    .waitFor();
  t.match(
    await page
      .locator('.field', { has: page.getByLabel('Path', { exact: true }) })
      .locator('.field-error')
      .textContent(),
    /./,
  );
  t.match(
    await page
      .locator('.field', { has: page.getByLabel('Data') })
      .locator('.field-error')
      .textContent(),
    /object/,
  );
  t.strictSame(await seriousFindings(page), []);
  await page.getByLabel('Path', { exact: true }).fill('spring');
  await page.reload();
  t.equal(await page.getByLabel('Path', { exact: true }).inputValue(), 'spring', 'a reload loses nothing that was typed');
  await page.getByText('What you had typed is back.').waitFor();
  await page.getByLabel('Web').fill('https://shop.example/spring');
  await page.getByLabel('Data').fill('{"sale": 1}');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('heading', { name: 'spring', level: 1 }).waitFor();

  await page.getByText('No clicks yet').first().waitFor();
  await takePicture(page, 'dashboard-link');
  t.strictSame(await seriousFindings(page), []);
  await page.getByLabel('Visitor').selectOption('ios');
  await page.getByRole('button', { name: 'Try it' }).click();
  const rules = page.getByRole('list', { name: 'Rules that fired' });
  await rules.getByText('destination', { exact: true }).first().waitFor();
  t.ok((await rules.getByRole('listitem').count()) >= 5);
  await page.getByText('https://shop.example/spring').first().waitFor();

  await page.getByRole('button', { name: 'QR code' }).click();
  await page.getByRole('img', { name: /QR code that leads/ }).waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download PNG' }).click()]);
  t.equal(file.suggestedFilename(), 'spring.png');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Disable' }).click();
  await page.locator('.badge', { hasText: 'disabled' }).waitFor();
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.locator('.badge', { hasText: 'active' }).waitFor();

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('iOS').fill('shop://sale');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('definition').filter({ hasText: 'shop://sale' }).waitFor();

  await page.goto(`${dashboardUrl}#/links/new`);
  await page.getByLabel('Path', { exact: true }).fill('spring');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page
    .locator('.field', { has: page.getByLabel('Path', { exact: true }) })
    .locator('.field-error:not(:empty)')
    .waitFor();

  await page.goto(`${dashboardUrl}#/links`);
  await page.getByLabel('Path or short URL').fill('http://go.demo.example/spr');
  await page.getByRole('link', { name: 'go.demo.example/spring' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete link' }).click();
  await page.getByRole('heading', { name: 'No link matches' }).waitFor();
  t.strictSame(complaints, []);
});

tour('campaigns, custom domains, and what is wrong with them at its field', async (t, browser) => {
  const { page, complaints } = await openDashboard(t, browser, `${dashboardUrl}#/campaigns`);
  await signIn(page, keys.live);
  await page.getByRole('heading', { name: 'Start a campaign' }).waitFor();
  await page.getByRole('link', { name: 'New campaign' }).first().click();
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await errorOf(page, page.getByLabel('Name')).waitFor();
  await errorOf(page, page.getByLabel('Key')).waitFor();
  await page.getByLabel('Name').fill('Spring sale');
  await page.getByLabel('Key').fill('spring');
  await page.getByLabel('Source').fill('newsletter');
  await page.getByLabel('Starts').fill('2030-02-01T00:00');
  await page.getByLabel('Ends').fill('2030-01-01T00:00');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await errorOf(page, page.getByLabel('Ends')).waitFor();
  await page.getByLabel('Ends').fill('2030-03-01T00:00');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await page.getByRole('heading', { name: 'Spring sale', level: 1 }).waitFor();
  await page.getByText('No link names it yet').waitFor();
  t.strictSame(await seriousFindings(page), []);
  await takePicture(page, 'dashboard-campaign');
  await page.getByRole('button', { name: 'End campaign' }).click();
  await page.locator('.badge', { hasText: 'ended' }).waitFor();

  await page.goto(`${dashboardUrl}#/domains`);
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  await page.getByLabel('Host name').fill('https://links.example.com/');
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
  await errorOf(page, page.getByLabel('Host name')).waitFor();
  await page.getByLabel('Host name').fill('links.example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
  await page.getByText('_link-verification.links.example.com').waitFor();
  t.strictSame(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Remove links.example.com' }).click();
  await page.getByRole('button', { name: 'Remove domain' }).click();
  await page.getByRole('heading', { name: 'Use a host of your own' }).waitFor();
  t.strictSame(complaints, []);
});

tour('a type, its template and its metadata API, up to the card of an item', async (t, browser) => {
  const { page, complaints } = await openDashboard(t, browser, `${dashboardUrl}#/resource-types`);
  await page.route('https://images.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  await signIn(page, keys.live);
  await page.getByRole('button', { name: 'New type' }).first().click();
  await page.getByLabel('Name').fill('Product');
  await page.getByLabel('Key').fill('Product');
  await page.getByRole('button', { name: 'Create type' }).click();
  await errorOf(page, page.getByLabel('Key')).waitFor();
  await page.getByLabel('Key').fill('product');
  await page.getByRole('button', { name: 'Create type' }).click();
  await page.getByRole('heading', { name: 'Product', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByLabel('Path pattern').fill('/p/{id}');
  await page.getByText('go.demo.example/p/42').waitFor();
  await page.getByLabel('Web').fill('http://127.0.0.1/{type}/{id}');
  await page.getByLabel('Data').fill('{"product": "{name}"}');
  await page.getByRole('button', { name: 'Create template' }).click();
  await errorOf(page, page.getByLabel('Data')).waitFor();
  await page.getByLabel('Data').fill('{"product": "{id}"}');
  await page.getByRole('button', { name: 'Create template' }).click();
  await page.getByRole('heading', { name: '/p/{id}', level: 1 }).waitFor();
  await page.getByText('ip_host').waitFor();
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByRole('list', { name: 'Rules that fired' }).waitFor();
  t.strictSame(await seriousFindings(page), []);

  await page.goto(`${dashboardUrl}#/resource-types`);
  await page.getByRole('link', { name: 'Product' }).click();
  await page.getByRole('link', { name: 'Set up the metadata API' }).click();
  await page.getByLabel('URL', { exact: true }).fill(`${metadataApi.origin}/items/`);
  await page.getByRole('button', { name: 'Save configuration' }).click();
  await errorOf(page, page.getByLabel('URL', { exact: true })).waitFor();
  await page.getByLabel('URL', { exact: true }).fill(`${metadataApi.origin}/items/{id}`);
  await page.getByLabel('Authentication').selectOption('bearer');
  await page.getByLabel('Credential').fill('a-credential-of-the-customer');
  t.notMatch(await page.evaluate('JSON.stringify(Object.values(sessionStorage))'), /a-credential/, 'no draft keeps a credential');
  const mapping = page.locator('.field-group', { has: page.getByRole('heading', { name: 'Mapping' }) });
  await mapping.getByLabel('Title').first().fill('product.name');
  await mapping.getByLabel('Image URL').first().fill('product.picture');
  await page.getByRole('button', { name: 'Save configuration' }).click();
  await page.getByLabel('Id of an item').fill('42');
  await page.getByRole('button', { name: 'Ask the API' }).click();
  await page.getByText('"name": "Running shoe 42"').waitFor();
  const cards = page.locator('.card-gallery > li');
  t.equal(await cards.count(), 5);
  for (const card of await cards.all()) t.match(await card.textContent(), 'Running shoe 42');
  t.strictSame(await seriousFindings(page), []);
  await takePicture(page, 'dashboard-metadata-api');
  await page.getByLabel('Id of an item').fill('gone');
  await page.getByRole('button', { name: 'Ask the API' }).click();
  await page.locator('.badge', { hasText: 'missing' }).waitFor();
  t.strictSame(complaints, []);
});

tour('test and live stand side by side, the test environment clearly marked', async (t, browser) => {
  const { page, complaints } = await openDashboard(t, browser, dashboardUrl);
  await signIn(page, keys.live);
  t.equal(await page.getByText('Test environment', { exact: true }).count(), 0);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  const field = page.getByLabel('Secret key of the test environment');
  await field.fill(keys.live);
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.getByText('This key opens the live environment').waitFor();
  await field.fill(keys.test);
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.getByText('Test environment', { exact: true }).waitFor();
  t.strictSame(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  await page.getByText('Test environment', { exact: true }).waitFor({ state: 'detached' });
  t.strictSame(complaints, []);
});

tour('long lists are paged by their cursor', async (t, browser) => {
  const links = Array.from({ length: 60 }, (_, number) => ({ path: `paged-${number}` }));
  await stack.controlPlane.call(stack.project, 'POST', '/links/bulk', { links });
  const { page } = await openDashboard(t, browser, `${dashboardUrl}#/links`);
  await signIn(page, keys.live);
  const rows = page.getByRole('list', { name: 'Links' }).getByRole('listitem');
  for (const shown of [25, 50, 60]) {
    await rows.nth(shown - 1).waitFor();
    t.equal(await rows.count(), shown);
    if (shown < 60) await page.getByRole('button', { name: 'Show more' }).click();
  }
  t.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
});

tour('every screen fits a window of 360 pixels, in both themes', async (t, browser) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, complaints } = await openDashboard(t, browser, dashboardUrl, { viewport: { width: 360, height: 740 }, colorScheme });
    t.notOk(await overflows(page));
    await page.getByLabel('Secret key').fill(keys.test);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Links' }).click();
    for (const path of ['/links', '/links/new']) {
      await page.goto(`${dashboardUrl}#${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      t.notOk(await overflows(page), path);
      t.strictSame(await seriousFindings(page), [], path);
      await takePicture(page, `dashboard-${path.replaceAll('/', '-')}-360-${colorScheme}`);
    }
    t.strictSame(complaints, []);
  }
});
