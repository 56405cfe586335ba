import { until } from '../../support/until.js';
import { hasFocus, hears, listen } from './spoken.js';
import type { Tours } from './tours.js';
import { findings, hold, openDashboard, openParts, openSignedIn } from './visit.js';

export const screenReaderTours: Tours = {
  'a button that is busy or can do nothing keeps the focus, and does nothing': async (t, on) => {
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', { path: 'kept-focus', tags: ['kept'] });
    const { page, complaints } = await openSignedIn(t, on, '/links');
    await page.getByRole('button', { name: 'Edit tags' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of kept').fill('still kept');
    let sent = 0;
    const answer = await hold(page, '**/v1/tags/*', 'PATCH');
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent++;
    });
    await dialog.getByRole('button', { name: 'Rename kept' }).press('Enter');
    const busy = dialog.locator('button[aria-busy=true]:focus');
    await busy.waitFor();
    for (const key of ['Enter', 'Space']) await busy.press(key);
    await dialog.getByLabel('Name of kept').press('Enter');
    await dialog.getByRole('button', { name: 'Rename kept' }).focus();
    await answer((route) => route.continue());
    await dialog.getByRole('button', { name: 'Rename still kept' }).and(page.locator('[aria-disabled=true]:focus')).waitFor();
    t.equal(sent, 1);
    t.strictSame(complaints, []);
  },

  'the focus goes on from what is removed to what is nearest': async (t, on) => {
    for (const path of ['near-one', 'near-two'])
      await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', { path, tags: [`of ${path}`] });
    const { page, complaints } = await openSignedIn(t, on, '/links/list/search=near-');
    await page.getByRole('link', { name: 'near-one' }).waitFor();
    const sorted = page.waitForResponse((response) => response.url().includes('sort='));
    await page.getByRole('button', { name: 'Clicks by people' }).press('Enter');
    await sorted;
    await page.locator('th[aria-sort=descending] button:focus').filter({ hasText: 'Clicks by people' }).waitFor();

    const choice = page.getByRole('checkbox', { name: /near-one$/ });
    await choice.press('Space');
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
    // The focus returns to where the choice began.
    await hasFocus(page, /^Choose .*near-one$/);
    await choice.press('Space');
    await page.getByRole('button', { name: 'Disable' }).press('Enter');
    await page.getByText('1 link is disabled.').waitFor();
    await page.getByRole('group', { name: 'Chosen links' }).waitFor({ state: 'detached' });
    await hasFocus(page, /^Choose .*near-one$/);

    await page.getByRole('button', { name: 'Edit tags' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete of near-two' }).press('Enter');
    await page.getByRole('button', { name: 'Delete tag' }).press('Enter');
    await dialog.getByLabel('Name of of near-two').waitFor({ state: 'detached' });
    // The next row.
    await hasFocus(page, /^Name of /);
    await page.keyboard.press('Escape');

    await page.goto(`${on.dashboardUrl}#/analytics/country=DE&platform=ios`);
    await page.getByRole('button', { name: 'Remove the filter Country' }).press('Enter');
    await hasFocus(page, 'Remove the filter Platform');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Filters' }).waitFor({ state: 'detached' });
    await hasFocus(page, /^(?!BODY$)/);

    await page.goto(`${on.dashboardUrl}#/settings`);
    await page.getByRole('button', { name: 'Add iOS app' }).press('Enter');
    // The fields of the new app.
    await hasFocus(page, 'Bundle ID');
    await page.getByRole('button', { name: 'Remove iOS app 1' }).press('Enter');
    await hasFocus(page, 'Add iOS app');
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('heading', { name: 'Sign in to your links' }).and(page.locator(':focus')).waitFor();
    await on.stack.rows("DELETE FROM links WHERE path LIKE 'near-%'");
    await on.stack.rows("DELETE FROM tags WHERE name LIKE '%near-%' OR name LIKE '%kept'");
    t.strictSame(complaints, []);
  },

  'what changes on a screen is said: results, their order, what is chosen and copied, and how a test went': async (t, on) => {
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', { path: 'heard', destinations: { web: 'https://shop.example/' } });
    const { page, complaints } = await openSignedIn(t, on, '/links', { before: listen });
    await page.getByRole('link', { name: 'heard' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('heard');
    await hears(page, '1 result. Newest first');
    await page.getByRole('button', { name: 'Link', exact: true }).press('Enter');
    await hears(page, '1 result. By name');
    await page.getByRole('searchbox', { name: 'Search' }).fill('never made');
    await hears(page, 'Nothing matches');
    await page.getByRole('button', { name: 'Clear the filters' }).press('Enter');
    await page.getByRole('checkbox', { name: /heard$/ }).press('Space');
    await hears(page, '1 link chosen');
    await page.getByRole('button', { name: /^Copy .*heard$/ }).press('Enter');
    await hears(page, 'Copied');

    await page.getByRole('link', { name: 'heard' }).press('Enter');
    await page.getByRole('button', { name: 'Try it' }).press('Enter');
    await hears(page, /HTTP 302/);
    await page.getByRole('slider').waitFor();
    await page.context().setOffline(true);
    await hears(page, 'You are offline.');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'QR code' }).press('Enter');
    await page.getByLabel('Width of the download in pixels').fill('5');
    await hears(page, 'Enter a whole number from 128 to 2,048.');
    await page.keyboard.press('Escape');

    await page.goto(`${on.dashboardUrl}#/links/new`);
    await openParts(page, 'Expiry and rules');
    await page.getByLabel('Expires').fill('2020-01-01T00:00');
    await hears(page, 'This time has passed');
    t.match(await page.getByLabel('Expires').getAttribute('aria-describedby'), /-warning /);
    await page.goto(`${on.dashboardUrl}#/analytics`);
    await page.getByRole('slider').waitFor();
    await page.getByRole('button', { name: 'Today' }).press('Enter');
    await hears(page, /^By people: /);
    await page.goto(`${on.dashboardUrl}#/campaigns`);
    await page.getByRole('button', { name: 'Ended' }).press('Enter');
    await hears(page, /result|Nothing matches/);
    t.strictSame(complaints, []);
  },

  'a refused key is said again each time, and a message that was read is not said again when a dialog opens': async (t, on) => {
    const { page } = await openSignedIn(t, on, '/links', { before: listen });
    await page.getByRole('button', { name: 'Test', exact: true }).press('Enter');
    // The dialog begins in its form.
    await hasFocus(page, 'Secret key of the test environment');
    for (let tries = 0; tries < 2; tries++) {
      await page.keyboard.press('Enter');
      await hears(page, 'A secret key begins with');
    }
    await page.keyboard.press('Escape');
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', { path: 'once' });
    await page.goto(`${on.dashboardUrl}#/links/list/search=once`);
    await page.getByRole('checkbox', { name: /once$/ }).press('Space');
    await page.getByRole('button', { name: 'Disable' }).press('Enter');
    await hears(page, '1 link is disabled.');
    // As long as a screen reader needs for it.
    await page.waitForTimeout(1_100);
    await page.getByRole('checkbox', { name: /once$/ }).press('Space');
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    const asked = page.getByRole('dialog');
    await asked.getByText('1 link is disabled.').waitFor();
    const description = await asked.getAttribute('aria-describedby');
    t.match(await page.locator(`[id="${description}"]`).textContent(), /stops working at once/, 'the dialog says what is asked');
    t.notMatch(await page.evaluate('window.spoken.join()'), /is disabled/);
    await on.stack.rows("DELETE FROM links WHERE path IN ('once', 'heard')");
  },

  'tables name their rows, groups their fields, and a chart is read point by point': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/analytics');
    const steps = page.getByRole('table', { name: 'What clicks have led to' });
    await steps.getByRole('rowheader', { name: 'First opens of the app' }).waitFor();
    const chart = page.getByRole('slider', { name: /arrow keys/ });
    const read = () => chart.getAttribute('aria-valuetext');
    await page.keyboard.press('Tab');
    await chart.focus();
    t.match(await read(), /, so far, People \d/);
    await page.keyboard.press('ArrowLeft');
    await until(async () => /^\d+ \w+ \d{4}, People \d/.test((await read()) ?? ''), 'the point of yesterday');
    await page.locator('.plot-point').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.plot-point').waitFor({ state: 'detached' });
    t.strictSame(await findings(page), []);

    await page.goto(`${on.dashboardUrl}#/campaigns/new`);
    await page.getByRole('group', { name: 'UTM fields' }).getByRole('textbox', { name: 'UTM source' }).waitFor();
    t.strictSame(complaints, []);
  },

  'on a phone nothing behind the menu or the bar takes the focus, and cells keep the names of their columns': async (t, on) => {
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', { path: 'on-a-phone' });
    const { page } = await openSignedIn(t, on, '/links/list/search=on-a-phone', { viewport: { width: 390, height: 500 } });
    await page.getByRole('link', { name: 'on-a-phone' }).waitFor();
    await page.getByRole('columnheader', { name: 'Clicks by people' }).waitFor();
    t.equal(await page.locator('thead :is(button, input)').count(), 0, 'nothing that cannot be seen takes the focus');
    const name = await page.getByRole('link', { name: 'on-a-phone' }).boundingBox();
    t.ok((name?.height ?? 0) >= 24, 'the name of a link is a target of 24 pixels (WCAG 2.5.8)');

    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    t.equal(await page.locator('main[inert]').count(), 1, 'the screen behind the menu is closed');
    await page.keyboard.press('Escape');
    await page.goto(`${on.dashboardUrl}#/campaigns/new`);
    const ends = page.getByLabel('Ends');
    await ends.focus();
    for (let presses = 0; presses < 4; presses++) {
      await page.keyboard.press('Shift+Tab');
      const hidden = await page.evaluate(
        'document.activeElement.getBoundingClientRect().top < document.querySelector(".top-bar").getBoundingClientRect().bottom',
      );
      t.equal(hidden, false, 'WCAG 2.4.11');
    }
    await on.stack.rows("DELETE FROM links WHERE path = 'on-a-phone'");
  },

  'a browser that stores nothing shows the page, and says what it forgets': async (t, on) => {
    const blocked = (name: string) =>
      `Object.defineProperty(window, '${name}', { get: () => { throw new DOMException('Access is denied', 'SecurityError') } });`;
    const { page, complaints } = await openDashboard(t, on.browser, on.dashboardUrl, {
      before: async (page) => {
        await page.addInitScript(blocked('localStorage') + blocked('sessionStorage'));
      },
    });
    await page.getByText('Your browser lets this page store nothing.').waitFor();
    t.equal(await page.getByLabel('Keep me signed in').count(), 0);
    t.strictSame(await findings(page), []);
    await page.getByLabel('Secret key').fill(on.keys.live);
    await page.keyboard.press('Enter');
    await page.locator('h1:focus').filter({ hasText: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Dark colours' }).press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'Deutsch' }).press('Enter');
    await page.getByRole('link', { name: 'Kampagnen' }).press('Enter');
    await page.getByRole('heading', { name: 'Kampagnen', level: 1 }).waitFor();
    await page.goto(`${on.dashboardUrl}#/links/new`);
    const path = page.getByLabel('Pfad', { exact: true });
    await path.fill('not-sent');
    await page.goto(`${on.dashboardUrl}#/links`);
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    await page.goto(`${on.dashboardUrl}#/links/new`);
    t.equal(await path.inputValue(), 'not-sent', 'entries are kept until the page is closed');
    await page.getByRole('button', { name: 'Abmelden' }).press('Enter');
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    t.strictSame(complaints, []);
  },
};
