import type { Browser } from 'playwright-core';
import t, { type Test } from 'tap';
import { openBrowser, takePicture } from '../support/browser.js';
import { startDashboardStack } from './dashboard-stack.js';
import { openDashboard, overflows, seriousFindings, signIn } from './dashboard-visit.js';

const { stack, origin, dashboardUrl, keys } = await startDashboardStack(t);
const port = Number(new URL(origin).port);
const browser = await openBrowser(t, { http: port, https: port });

/** One after the other in the one browser; on a machine without one `openBrowser` has said what is left out. */
function tour(name: string, visit: (t: Test, browser: Browser) => Promise<void>): void {
  if (browser !== null) void t.test(name, (t) => visit(t, browser));
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
