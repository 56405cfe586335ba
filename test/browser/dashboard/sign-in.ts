import type { Locator, Page } from 'playwright-core';
import { makeProject } from '../../support/control-plane.js';
import { until } from '../../support/until.js';
import { makeKey, revokeKey } from './stack.js';
import type { Tours } from './tours.js';
import { findings, hold, openDashboard, openSignedIn, signIn } from './visit.js';

export const signInTours: Tours = {
  'a key opens its environment, and what is not a secret key is told why': async (t, { browser, origin, dashboardUrl, keys }) => {
    const { page, complaints } = await openDashboard(t, browser, dashboardUrl);
    t.strictSame(await findings(page), []);
    const middleOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return box === null ? null : Math.round(box.x + box.width / 2);
    };
    t.equal(await middleOf('.language-choice'), await middleOf('.sign-in-card'), 'the choice of language is centred below the form');
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
    // The wrong field gets the focus.
    await page.locator('input[type=password]:focus').waitFor();
    await page.getByLabel('Server').fill('https://elsewhere.example/v1');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await error.filter({ hasText: 'This page can call only' }).waitFor();
    await page.getByLabel('Server').fill(`${origin}/v1/`);
    await signIn(page, keys.live);
    t.strictSame(await page.evaluate('[sessionStorage.length, localStorage.length]'), [1, 0], 'the key is kept in the tab alone');
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Secret key').waitFor();
    t.equal(await page.evaluate('sessionStorage.length'), 0);
    t.strictSame(complaints, []);
  },

  'a link that is opened in a new tab is signed in there, and a reader who signs out is signed out everywhere': async (
    t,
    { browser, dashboardUrl, keys },
  ) => {
    const { page, complaints } = await openDashboard(t, browser, dashboardUrl);
    await signIn(page, keys.live);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Campaigns' }).click({ modifiers: ['ControlOrMeta'] });
    const second = await opened;
    await second.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    t.equal(await second.evaluate('localStorage.length'), 0, 'nothing is kept outside of the tabs');
    await second.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [page, second]) await tab.getByLabel('Secret key').waitFor();
    await page.reload();
    await page.getByLabel('Secret key').waitFor();
    t.strictSame(complaints, []);
  },

  'after one of two keys was revoked, another key opens its environment at once': async (t, on) => {
    const { page } = await openDashboard(t, on.browser, on.dashboardUrl);
    const revoked = await makeKey(on.stack, 'live');
    await signIn(page, revoked);
    const inTest = page.getByText('Test environment', { exact: true });
    const open = async (name: string, key: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByLabel(/^Secret key of the/).fill(key);
      await page.getByRole('button', { name: 'Open it' }).click();
    };
    await open('Test', on.keys.test);
    await inTest.waitFor();
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await inTest.waitFor({ state: 'detached' });
    await revokeKey(on, revoked);
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByText('The key of the live environment no longer works.').waitFor();
    await inTest.waitFor();
    await open('Live', on.keys.live);
    await inTest.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    t.equal(await inTest.count(), 0, 'the key is kept');
  },

  'a key that another tab has stored in place of a revoked one is used, and not removed': async (t, on) => {
    const { page } = await openDashboard(t, on.browser, on.dashboardUrl);
    const keep = page.getByRole('checkbox', { name: /^Keep me signed in/ });
    await keep.check();
    const revoked = await makeKey(on.stack, 'live');
    await signIn(page, revoked);
    const second = await page.context().newPage();
    await second.goto(`${on.dashboardUrl}#/campaigns`);
    await second.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    await revokeKey(on, revoked);
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByText('Your entries are kept.').waitFor();
    await keep.check();
    await signIn(page, on.keys.live);
    await openTestEnvironment(page, on.keys.test);
    const accepted = second.waitForResponse((response) => response.url().includes('/v1/webhooks') && response.ok());
    await second.getByRole('link', { name: 'Webhooks' }).click();
    await accepted;
    await second.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    t.equal(await second.locator('.toast').count(), 0, 'nobody is told that the key has gone');
    await page.reload();
    await testMark(page).waitFor();
    const stored = JSON.parse((await page.evaluate('localStorage.session')) as string);
    t.strictSame(stored.keys, { live: on.keys.live, test: on.keys.test });
  },

  'a revoked key is asked for again by whatever finds it first: a file, a stream, a table, or an import, which goes on': async (t, on) => {
    const open = async (path: string) => {
      const key = await makeKey(on.stack, 'live');
      const { page } = await openSignedIn(t, { ...on, keys: { ...on.keys, live: key } }, path);
      return { page, revoke: () => revokeKey(on, key) };
    };
    const asked = (page: Page) => page.getByText('Your entries are kept.').waitFor();

    const file = await open('/campaigns');
    await file.page.getByRole('button', { name: 'Export', exact: true }).click();
    await file.revoke();
    await file.page.getByRole('dialog').getByRole('button', { name: 'Export CSV' }).click();
    await asked(file.page);

    for (const name of ['Follow clicks', 'Table as CSV']) {
      const figures = await open('/analytics');
      const button = figures.page.getByRole('button', { name, disabled: false }).first();
      await button.waitFor();
      await figures.revoke();
      await button.click();
      await asked(figures.page);
    }

    const { page, revoke } = await open('/links/bulk');
    const rows = Buffer.from('path,web\nkept-import,https://shop.example/kept-import\n');
    await page.getByLabel('Drop a file here').setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: rows });
    const check = page.getByRole('button', { name: 'Check the file', disabled: false });
    await check.waitFor();
    await page.waitForLoadState('networkidle');
    await revoke();
    await check.click();
    await asked(page);
    await signIn(page, on.keys.live);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('1 link can be created').waitFor();
  },

  'a link that is opened in a new tab shows the environment of the tab that it was opened from': async (t, on) => {
    for (const isKept of [true, false]) {
      const { page, complaints } = await openDashboard(t, on.browser, on.dashboardUrl);
      if (isKept) await page.getByRole('checkbox', { name: /^Keep me signed in/ }).check();
      await signIn(page, on.keys.live);
      await openTestEnvironment(page, on.keys.test);
      const openFrom = async (tab: Page) => {
        const opened = page.context().waitForEvent('page');
        await tab.getByRole('link', { name: 'Campaigns' }).click({ modifiers: ['ControlOrMeta'] });
        const fresh = await opened;
        await fresh.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
        return fresh;
      };
      const second = await openFrom(page);
      await second.getByRole('button', { name: 'Live', exact: true }).click();
      await testMark(second).waitFor({ state: 'detached' });
      for (const [from, marks] of [
        [page, 1],
        [second, 0],
        [page, 1],
      ] as const) {
        const fresh = await openFrom(from);
        const what = `the new tab to be in ${marks === 1 ? 'test' : 'live'}, of a session that ${isKept ? 'is' : 'is not'} kept`;
        await until(async () => (await testMark(fresh).count()) === marks, what);
        await fresh.close();
      }
      t.strictSame(complaints, []);
    }
  },

  'entries that wait for a key are not shown in another project that another tab has opened meanwhile': async (t, on) => {
    const other = await makeProject(on.stack.databaseUrl, 'other');
    const { page } = await openDashboard(t, on.browser, on.dashboardUrl);
    const revoked = await makeKey(on.stack, 'live');
    await signIn(page, revoked);
    await page.goto(`${on.dashboardUrl}#/links/new`);
    await page.getByLabel('Path', { exact: true }).fill('of-the-first-project');
    await revokeKey(on, revoked);
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByText('Your entries are kept.').waitFor();
    const second = await page.context().newPage();
    await second.goto(on.dashboardUrl);
    await second.getByRole('checkbox', { name: /^Keep me signed in/ }).check();
    await signIn(second, other.secretKey);
    await page.reload();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await page.goto(`${on.dashboardUrl}#/links/new`);
    t.equal(await page.getByLabel('Path', { exact: true }).inputValue(), '');
  },

  'what was said to a user who has signed out is not there for the next one, and cannot be undone': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/links');
    const create = async (path: string) => {
      const link = await on.stack.controlPlane.call<{ id: string }>(on.stack.project, 'POST', '/links', { path });
      return link.body.id;
    };
    const confirmDeletion = async (id: string) => {
      await page.goto(`${on.dashboardUrl}#/links/${id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete link' }).click();
    };
    await confirmDeletion(await create('left-undone'));
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Secret key').waitFor();
    t.equal(await page.locator('.toast').count(), 0);
    await signIn(page, on.keys.live);
    t.equal(await page.locator('.toast').count(), 0);

    // The response to a change comes after the sign-out.
    const late = await create('left-late');
    await page.goto(`${on.dashboardUrl}#/links/${late}`);
    const letGo = await hold(page, `**/v1/links/${late}`, 'PATCH');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.locator('.page-title .badge', { hasText: 'disabled' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Secret key').waitFor();
    const answered = page.waitForResponse((response) => response.url().endsWith(late) && response.request().method() === 'PATCH');
    await letGo((route) => route.continue());
    await (await answered).finished();
    // The page has received the response, and has drawn what it makes of it.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    t.equal(await page.locator('.toast').count(), 0);
    await on.stack.rows("DELETE FROM links WHERE path LIKE 'left-%'");
    t.strictSame(complaints, []);
  },

  'the switch of the environment stays on the overview, whatever was chosen there': async (t, on) => {
    const { page, complaints } = await openDashboard(t, on.browser, on.dashboardUrl);
    await signIn(page, on.keys.live);
    await page.getByRole('button', { name: '30 days' }).click();
    await page.waitForURL(/#\/list\/range=30d/);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByLabel('Secret key of the test environment').fill(on.keys.test);
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.getByText('Test environment', { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    t.strictSame(complaints, []);
  },

  'a key that is accepted after its dialog was closed opens nothing, least of all after a sign-out': async (t, on) => {
    const { page, complaints } = await openDashboard(t, on.browser, on.dashboardUrl);
    await signIn(page, on.keys.live);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByLabel('Secret key of the test environment').fill(on.keys.test);
    const letGo = await hold(page, '**/v1/environment', 'GET');
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Secret key').waitFor();
    const answered = page.waitForResponse(/\/v1\/environment$/);
    await letGo((route) => route.continue());
    await (await answered).finished();
    // The page has received the response, and has drawn what it makes of it.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    t.equal(await page.evaluate('sessionStorage.session'), undefined);
    await page.getByLabel('Secret key').waitFor();
    t.strictSame(complaints, []);
  },

  'test and live stand side by side, the test environment clearly marked': async (t, { browser, dashboardUrl, keys }) => {
    const { page, complaints } = await openDashboard(t, browser, dashboardUrl);
    await signIn(page, keys.live);
    t.equal(await page.getByText('Test environment', { exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const field = page.getByLabel('Secret key of the test environment');
    await field.fill(keys.live);
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.getByText('This key is for the live environment').waitFor();
    await field.fill(keys.test);
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.getByText('Test environment', { exact: true }).waitFor();
    t.strictSame(await findings(page), []);
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await page.getByText('Test environment', { exact: true }).waitFor({ state: 'detached' });
    t.strictSame(complaints, []);
  },

  'of tabs that share a kept session, each shows its own environment after a reload': async (t, on) => {
    const { page, complaints } = await openDashboard(t, on.browser, on.dashboardUrl);
    await page.getByRole('checkbox', { name: /^Keep me signed in/ }).check();
    await signIn(page, on.keys.live);
    await openTestEnvironment(page, on.keys.test);
    const second = await page.context().newPage();
    await second.goto(on.dashboardUrl);
    await testMark(second).waitFor();
    await second.getByRole('button', { name: 'Live', exact: true }).click();
    await testMark(second).waitFor({ state: 'detached' });
    for (const tab of [page, second]) await tab.reload();
    await testMark(page).waitFor();
    await second.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    t.equal(await testMark(second).count(), 0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [page, second]) {
      await tab.getByLabel('Secret key').waitFor();
      t.strictSame(await tab.evaluate('[sessionStorage.length, localStorage.length]'), [0, 0], 'a sign-out leaves nothing');
    }
    t.strictSame(complaints, []);
  },
};

/** Revokes a key, and waits for the server, which caches keys for half a second. */
/** The band above every screen of the test environment. */
function testMark(page: Page): Locator {
  return page.getByText('Test environment', { exact: true });
}

async function openTestEnvironment(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByLabel('Secret key of the test environment').fill(key);
  await page.getByRole('button', { name: 'Open it' }).click();
  await testMark(page).waitFor();
}
