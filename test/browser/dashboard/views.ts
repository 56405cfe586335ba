import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { takePicture } from '../../support/browser.js';
import type { CreatedLink } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { createVisitor, DESKTOP, IPHONE } from '../../support/visitor.js';
import type { Tours } from './tours.js';
import { errorOf, findings, hold, type OnStack, openDashboard, openSignedIn, overflows } from './visit.js';

/** Creates a link that two people have clicked on. Resolves when both clicks are counted. */
async function makeClickedLink(t: Test, { stack }: OnStack): Promise<CreatedLink> {
  const body = { path: 'seen-by-all', destinations: { web: 'https://secret-shop.example/' } };
  const link = (await stack.controlPlane.call<CreatedLink>(stack.project, 'POST', '/links', body)).body;
  const visitor = createVisitor(stack.engine.port, stack.project.linkHost);
  t.teardown(() => visitor.close());
  for (const agent of [IPHONE, DESKTOP]) t.equal((await visitor.visit(`/${link.path}`, agent)).status, 302);
  await until(async () => {
    const path = `/links?include=daily_clicks&path=${link.path}`;
    const { body } = await stack.controlPlane.call<{ data: { daily_clicks: number[] }[] }>(stack.project, 'GET', path);
    return body.data[0]?.daily_clicks.at(-1) === 2;
  }, 'the clicks to be counted');
  return link;
}

const inViews = (page: Page) => page.getByRole('region', { name: 'Saved view' });
const viewShown = (page: Page) => inViews(page).getByRole('combobox', { name: 'View' }).locator('option:checked');

async function saveTour(t: Test, page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Links on iPhones');
  t.strictSame(await findings(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/#\/analytics\/view=view_\w+$/);
  await viewShown(page).filter({ hasText: 'Links on iPhones' }).waitFor({ state: 'attached' });
  await page.getByLabel('Compare with the days before').uncheck();
  await page.getByText('Changed, not saved').waitFor();
  await page.waitForURL(/view=view_\w+&.*compare=no/);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('Changed, not saved').waitFor({ state: 'detached' });
  await page.getByLabel('Interval').selectOption('Days');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL(/#\/analytics\/view=view_\w+$/);
  await page.reload();
  await viewShown(page).filter({ hasText: 'Links on iPhones' }).waitFor({ state: 'attached' });
  await page.getByLabel('Interval').and(page.locator(':has(option:checked[value=day])')).waitFor();
  await page.getByRole('list', { name: 'Filters' }).getByText('Platform: iOS').waitFor();
  await page.getByRole('button', { name: 'Rename or delete' }).click();
  await dialog.getByLabel('Name').fill('For the board');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await viewShown(page).filter({ hasText: 'For the board' }).waitFor({ state: 'attached' });
}

/** Returns the URL of the public link. */
async function shareTour(t: Test, page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share For the board' });
  await dialog.getByLabel('Password').fill('open, please');
  await dialog.getByRole('button', { name: 'Create public link' }).click();
  await dialog.getByText('Has a password').waitFor();
  t.strictSame(await findings(page), []);
  await takePicture(page, 'dashboard-share-view');
  const url = (await dialog.locator('.copy-field code').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Close' }).click();
  return url;
}

async function strangerTour(t: Test, page: Page, secrets: readonly string[]): Promise<void> {
  await page.getByLabel('Password').fill('open');
  const letGo = await hold(page, '**/v1/shared-view', 'POST');
  await page.getByRole('button', { name: 'Show the view' }).click();
  await page.locator('[aria-busy=true]', { hasText: 'Show the view' }).waitFor();
  t.equal(await page.getByLabel('Password').inputValue(), 'open', 'the password stays on the screen while it is checked');
  await letGo((route) => route.continue());
  await page.unroute('**/v1/shared-view');
  await page.getByRole('alert').filter({ hasText: 'password is wrong' }).waitFor();
  t.strictSame(await findings(page), []);
  await takePicture(page, 'shared-view-password');
  // After too many attempts, the same password is accepted a minute later.
  const problem = { type: 'about:blank', title: 'Too many requests', status: 429, code: 'rate_limited', detail: 'Wait a minute.' };
  await page.route('**/v1/shared-view', (route) => route.fulfill({ status: 429, json: problem }), { times: 1 });
  await page.getByLabel('Password').fill('open, please');
  await page.getByRole('button', { name: 'Show the view' }).click();
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
  await page.getByLabel('Password').fill('open, please');
  await page.getByRole('button', { name: 'Show the view' }).click();
  await page.getByRole('heading', { name: 'For the board', level: 1 }).waitFor();
  await page.getByRole('row', { name: /seen-by-all/ }).waitFor();
  await page.locator('.plot canvas').waitFor();
  t.match(await page.title(), 'For the board');
  t.strictSame(await findings(page), []);
  await takePicture(page, 'shared-view');
  const content = await page.content();
  for (const secret of secrets) t.notOk(content.includes(secret), secret);
  t.equal(await page.getByRole('link').count(), 0, 'the shared page has no links');
  const save = async (name: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return readFile(await file.path());
  };
  t.match((await save('Chart as CSV')).toString(), /^start,date,all,human,unique\r\n/);
  t.match((await save('Table as CSV')).toString(), /^link,all,human,unique\r\n(?:.*\r\n)*seen-by-all,1,1,1\r\n/);
  t.equal((await save('Chart as PNG')).subarray(1, 4).toString(), 'PNG');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await until(async () => !(await overflows(page)), 'the page to fit on a phone');
  t.strictSame(await findings(page, 'color-contrast'), []);
  await takePicture(page, 'shared-view-390-dark');
}

export const viewsTours: Tours = {
  'a page for strangers says that a language cannot be loaded, and a refused password says why at its field': async (t, on) => {
    const { page: shared } = await openDashboard(t, on.browser, `${on.dashboardUrl}#/shared/unknown`, {
      before: async (page) => {
        await page.route('**/german*.js', (route) => route.abort());
      },
    });
    await shared.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await shared.getByRole('button', { name: 'Deutsch' }).click();
    await shared.locator('.toast').getByText('The language cannot be loaded.').waitFor();

    const { body: view } = await on.stack.controlPlane.call<{ id: string }>(on.stack.project, 'POST', '/views', { name: 'Refused' });
    const { page } = await openSignedIn(t, on, `/analytics/view=${view.id}`);
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    const fields = [{ pointer: '/password', in: 'body', code: 'control_character', detail: 'contains a control character' }];
    const problem = {
      type: 'about:blank',
      title: 'Validation failed',
      status: 422,
      code: 'validation_failed',
      detail: 'x',
      errors: fields,
    };
    await page.route('**/v1/views/*/share', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 422, json: problem }) : route.fallback(),
    );
    await dialog.getByLabel('Password').fill('secret');
    await dialog.getByRole('button', { name: 'Create public link' }).click();
    await errorOf(dialog, 'Password').filter({ hasText: 'contains a control character' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await on.stack.rows("DELETE FROM saved_views WHERE name = 'Refused'");
  },

  'a view that cannot be read says so, and is not shown as something else': async (t, on) => {
    const body = { name: 'Not now', range: 'last_7_days', breakdown: 'country' };
    const { body: view } = await on.stack.controlPlane.call<{ id: string }>(on.stack.project, 'POST', '/views', body);
    const problem = { type: 'about:blank', title: 'Internal error', status: 500, code: 'internal_error', detail: 'Something broke.' };
    const { page } = await openSignedIn(t, on, `/analytics/view=${view.id}`, {
      before: async (page) => {
        await page.route(`**/v1/views/${view.id}`, (route) => route.fulfill({ status: 500, json: problem }), { times: 1 });
      },
    });
    await page.getByRole('alert').getByText('Something broke.').waitFor();
    t.equal(await page.getByLabel('From').count(), 0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await viewShown(page).filter({ hasText: 'Not now' }).waitFor({ state: 'attached' });
    await page.getByRole('tab', { name: 'Country', selected: true }).waitFor();
    await on.stack.rows("DELETE FROM saved_views WHERE name = 'Not now'");
  },

  'a view that is saved late takes nobody back to it': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/analytics');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Saved late');
    const letGo = await hold(page, '**/v1/views', 'POST');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    await letGo((route) => route.continue());
    await page.getByText('The view Saved late was saved.').waitFor();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    t.match(page.url(), /#\/campaigns$/);
    await on.stack.rows("DELETE FROM saved_views WHERE name = 'Saved late'");
    t.strictSame(complaints, []);
  },

  'a view is saved, changed, renamed, shared with strangers, revoked and deleted; lists draw the clicks of each day': async (t, on) => {
    const link = await makeClickedLink(t, on);
    const path = '/analytics/range=last_7_days&by=link&platform=ios';
    const { page, complaints } = await openSignedIn(t, on, path, { viewport: { width: 1440, height: 1000 } });
    await saveTour(t, page);
    await takePicture(page, 'dashboard-view');
    const url = await shareTour(t, page);

    const stranger = await openDashboard(t, on.browser, url, {
      viewport: { width: 1440, height: 1000 },
      // A visitor who is signed in as well. The page of the link must not use the session.
      session: JSON.stringify({ server: `${on.origin}/v1`, projectId: 'x', keys: { live: on.keys.live }, shown: 'live', kept: false }),
      before: async (page) => {
        page.on('request', (request) => t.notOk(request.headers().authorization, `${request.url()} carries no key`));
      },
    });
    await strangerTour(t, stranger.page, [link.id, 'secret-shop.example', on.keys.live, 'view_', 'lnk_']);

    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByRole('dialog', { name: 'Revoke the public link?' }).getByRole('button', { name: 'Revoke link' }).click();
    await page.getByText('no longer works').waitFor();
    await stranger.page.reload();
    await stranger.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    t.strictSame(stranger.complaints, []);

    await page.getByRole('button', { name: 'Rename or delete' }).click();
    await page.getByRole('button', { name: 'Delete view' }).click();
    await page
      .getByRole('dialog', { name: /^Delete the view/ })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.waitForURL(/#\/analytics\/range=last_7_days/);
    await viewShown(page).filter({ hasText: 'None' }).waitFor({ state: 'attached' });

    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Links' }).click();
    const line = page.getByRole('row', { name: /seen-by-all/ }).getByRole('img');
    await line.waitFor();
    t.equal(await line.getAttribute('aria-label'), '2 clicks by people in 30 days; most on one day: 2, today; today: 2');
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-sparklines');
    await page.emulateMedia({ colorScheme: 'dark' });
    await takePicture(page, 'dashboard-sparklines-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await line.waitFor({ state: 'hidden' });
    await until(async () => !(await overflows(page)), 'the page to fit on a phone');
    t.strictSame(complaints, []);
  },
};
