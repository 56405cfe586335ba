import { takePicture } from '../../support/browser.js';
import type { Tours } from './tours.js';
import { ANIMATED, findings, openSignedIn, overflows } from './visit.js';

const FOCUSED = 'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()';

export const keyboardTours: Tours = {
  'the point of a chart that is read by keyboard stays when new figures come': async (t, on) => {
    let reads = 0;
    const { page, complaints } = await openSignedIn(t, on, '/', {
      before: async (page) => {
        await page.clock.install();
        await page.route('**/v1/stats?*', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as { series: { all: number }[] };
          reads++;
          const series = body.series.map((day, place) => ({ ...day, all: 100 * reads + place }));
          return route.fulfill({ response, json: { ...body, series } });
        });
      },
    });
    const chart = page.getByRole('slider', { name: /^Clicks by day, .* arrow keys/ });
    await chart.focus();
    for (const key of ['End', 'ArrowLeft']) await page.keyboard.press(key);
    const point = page.locator('.plot-point');
    await point.getByText('105').waitFor();
    await page.clock.fastForward(16_000);
    // On a slow machine the figures may come more than once more.
    await point.getByText(/[2-9]05/).waitFor();
    await page.keyboard.press('ArrowLeft');
    await point.getByText(/[2-9]04/).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    t.strictSame(complaints, []);
  },

  'the palette goes to screens, finds links, makes one, and switches theme and environment': async (t, on) => {
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', { path: 'palette-found', title: 'Found by its name' });
    const { page, complaints } = await openSignedIn(t, on, '/campaigns', ANIMATED);
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).focus();
    const input = page.getByRole('combobox', { name: 'Search screens, commands and links' });
    const options = page.getByRole('option');
    const find = async (text: string) => {
      await page.keyboard.press('Control+k');
      // Types without a wait: no letter may be lost or taken for a shortcut of the page.
      await page.keyboard.type(text);
      t.equal(await input.inputValue(), text);
    };
    await find('new cam');
    await takePicture(page, 'dashboard-palette');
    t.strictSame(await findings(page), []);
    t.equal(await input.getAttribute('aria-activedescendant'), await options.first().getAttribute('id'));
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });
    t.equal(await page.evaluate(FOCUSED), 'Webhooks', 'the focus returns to where it was');

    await find('found by its');
    await options.filter({ hasText: '/palette-found' }).waitFor();
    await page.getByRole('status').filter({ hasText: '1 result' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('h1:focus').filter({ hasText: 'palette-found' }).waitFor();
    const newer = Array.from({ length: 6 }, (_, at) => ({
      path: `newer-${at}`,
      destinations: { web: 'https://shop.example/palette-found' },
    }));
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links/bulk', { links: newer });
    await find('palette-found');
    await options.filter({ hasText: '/newer-5' }).waitFor();
    t.match(
      await page.locator('.palette-option').first().textContent(),
      /\/palette-found/,
      'the link with this path comes first, although it is the oldest',
    );
    await page.keyboard.press('Escape');
    await find('');
    await page
      .getByRole('group', { name: 'On this screen' })
      .getByRole('option', { name: /QR code/ })
      .click();
    await page.getByRole('img', { name: /QR code that leads/ }).waitFor();
    await page.keyboard.press('Escape');
    await find('dark');
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.getByRole('button', { name: 'Light colours' }).waitFor();
    await find('');
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    t.equal(await page.locator('[role=option][aria-selected=true]').count(), 1);
    await page.keyboard.press('Escape');
    await find('nothing is called so');
    await page.getByRole('status').filter({ hasText: 'Nothing matches' }).waitFor();
    await page.keyboard.press('Escape');
    await find('test env');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Open the test environment' }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Find or run' }).click();
    await input.waitFor();
    t.notOk(await overflows(page));
    t.strictSame(complaints, []);
  },

  'single keys make, search, edit and show, never while text is typed, and can be switched off': async (t, on) => {
    const { body } = await on.stack.controlPlane.call<{ id: string }>(on.stack.project, 'POST', '/links', { path: 'by-keys' });
    const { page, complaints } = await openSignedIn(t, on, `/links/${body.id}`);
    const heading = (name: string) => page.locator('h1:focus').filter({ hasText: name });
    await heading('by-keys').waitFor();
    await page.keyboard.press('q');
    const qr = page.getByRole('dialog', { name: 'QR code of by-keys' });
    await qr.waitFor();
    await page.keyboard.press('c');
    t.match(page.url(), /#\/links\/lnk_/, 'a single key does not act on the page behind a dialog');
    await page.keyboard.press('Escape');
    await qr.waitFor({ state: 'detached' });
    await page.keyboard.press('e');
    await heading('Edit by-keys').waitFor();
    await page.keyboard.press('c');
    await heading('New link').waitFor();
    await page.getByLabel('Path', { exact: true }).focus();
    await page.keyboard.type('c?q/e');
    t.equal(await page.getByLabel('Path', { exact: true }).inputValue(), 'c?q/e');
    await page.goto(`${on.dashboardUrl}#/links`);
    await heading('Links').waitFor();
    await page.keyboard.press('/');
    await page.locator('input[type=search]:focus').waitFor();
    await page.getByRole('link', { name: 'Campaigns' }).focus();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Search the links').waitFor();
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-keyboard-shortcuts');
    await sheet.getByLabel('Single keys').uncheck();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    t.equal(await page.evaluate(FOCUSED), 'Campaigns');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search screens, commands and links' }).waitFor();
    t.equal(await sheet.count(), 0, 'the single key ? does nothing while single keys are off');
    t.strictSame(complaints, []);
  },
};
