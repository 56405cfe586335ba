import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { until } from '../../support/until.js';
import type { Tours } from './tours.js';
import { findings, openDashboard, openParts, openSignedIn, signIn } from './visit.js';

/** Starts a proxy that has the service below a path of its own, and removes that path from requests. Resolves to its origin. */
async function startProxy(t: Test, prefix: string, target: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (!path.startsWith(`${prefix}/`)) return outgoing.writeHead(404).end();
    const { host: _, ...headers } = incoming.headers;
    const onward = request(target + path.slice(prefix.length), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    return incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

export const anywhereTours: Tours = {
  'the page works below any path of a proxy, and asks nobody else': async (t, on) => {
    const proxy = await startProxy(t, '/tools/links', on.origin);
    const { page, complaints } = await openDashboard(t, on.browser, 'about:blank');
    const asked: string[] = [];
    page.on('request', (each) => asked.push(each.url()));
    await page.goto(`${proxy}/tools/links/dashboard/`);
    t.equal(await page.getByLabel('Server').inputValue(), `${proxy}/tools/links/v1`);
    await signIn(page, on.keys.live);
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    // The heading is shown before the list is requested.
    await until(() => asked.some((url) => url.endsWith('/tools/links/v1/campaigns?limit=25')), 'the list of campaigns to be requested');
    const reference = await page.getByRole('link', { name: 'API reference' }).getAttribute('href');
    t.equal(new URL(reference ?? '', page.url()).href, `${proxy}/tools/links/docs`);
    t.strictSame(
      asked.filter((url) => !url.startsWith(`${proxy}/tools/links/`)),
      [],
    );
    t.strictSame(complaints, []);
  },

  'what the browser does not let the page copy directly is copied by selection, or the page says so': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/keys', {
      before: async (page) => {
        await page.addInitScript("navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))");
      },
    });
    const button = page.getByRole('button', { name: 'Copy the command that lists keys' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    t.equal(await page.evaluate('document.activeElement.title'), 'Copy the command that lists keys', 'the button keeps the focus');
    await button.waitFor();
    await page.evaluate('document.execCommand = () => false');
    await button.click();
    await page.locator('.toast-bad').getByText('The browser does not permit copying.').waitFor();
    t.strictSame(complaints, []);
  },

  'how long ago something was is kept up to date on a page that stays open': async (t, on) => {
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', { path: 'a-while-ago' });
    const { page, complaints } = await openSignedIn(t, on, '/links', { before: (page) => page.clock.install() });
    const made = page.locator('.link-row', { hasText: 'a-while-ago' }).locator('.cell-created');
    await made.getByText(/now|seconds? ago/).waitFor();
    await page.clock.fastForward(3 * 60_000 + 1000);
    await made.getByText('3 minutes ago').waitFor();
    t.strictSame(complaints, []);
  },

  'a message about what is done in a dialog is in the dialog, where it is read aloud': async (t, on) => {
    await on.stack.controlPlane.call(on.stack.project, 'POST', '/links', { path: 'tagged-aloud', tags: ['aloud', 'zoom'] });
    const { page, complaints } = await openSignedIn(t, on, '/links');
    await page.getByRole('button', { name: 'Edit tags' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of aloud').waitFor();
    const fields = await dialog.getByRole('textbox').all();
    const names = await Promise.all(fields.map((field) => field.inputValue()));
    const sorted = names.toSorted((one, other) => one.localeCompare(other));
    t.strictSame(names, sorted, 'tags are found by their names');
    await dialog.getByLabel('Name of aloud').fill('louder');
    await dialog.getByRole('button', { name: 'Rename aloud' }).click();
    await dialog.getByRole('status').filter({ hasText: 'The tag is now called louder.' }).waitFor();
    t.strictSame(await findings(page), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.toast', { hasText: 'The tag is now called louder.' }).waitFor();
    await on.stack.rows("DELETE FROM links WHERE path = 'tagged-aloud'");
    t.strictSame(complaints, []);
  },

  'times are typed and shown in the project’s zone, wherever the browser is': async (t, on) => {
    await on.stack.rows("UPDATE projects SET time_zone = 'Asia/Tokyo'");
    t.teardown(() => on.stack.rows("UPDATE projects SET time_zone = 'UTC'"));
    const { page } = await openSignedIn(t, on, '/links/new', { timezoneId: 'America/New_York' });
    await page.getByLabel('Path', { exact: true }).fill('zoned');
    await openParts(page, 'Expiry and rules');
    await page.getByLabel('Expires').fill('2030-01-01T00:00');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('definition').filter({ hasText: '1 Jan 2030, 00:00' }).waitFor();
    t.strictSame(
      await on.stack.rows(
        "SELECT expires_at::timestamptz(0) AT TIME ZONE 'UTC' = '2029-12-31 15:00' AS right FROM links WHERE path = 'zoned'",
      ),
      [{ right: true }],
    );
    await page.getByRole('link', { name: 'Edit' }).click();
    t.equal(await page.getByLabel('Expires').inputValue(), '2030-01-01T00:00');
  },

  'everything is reached by keyboard, and the focus is never lost': async (t, on) => {
    const { page } = await openDashboard(t, on.browser, `${on.dashboardUrl}#/links`);
    const focused = (property: string) => page.evaluate(`document.activeElement.${property}`);
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByLabel('Secret key').focus();
    await page.keyboard.insertText(on.keys.live);
    await press('Enter');
    await page.locator('h1:focus').filter({ hasText: 'Links' }).waitFor();
    await page.getByRole('button', { name: 'Skip to the content' }).focus();
    await press('Enter', 'Tab', 'Tab', 'Tab');
    t.equal(await focused('textContent.trim()'), 'New link', 'the focus is past the side bar, Import and Export');
    await press('Enter');
    await page.getByLabel('Path', { exact: true }).waitFor();
    await page.getByLabel('Path', { exact: true }).focus();
    await page.keyboard.insertText('by-keyboard');
    await press('Enter');
    await page.getByRole('heading', { name: 'by-keyboard', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).focus();
    await press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    for (let presses = 0; presses < 5; presses++) {
      await press('Tab');
      t.ok(await page.evaluate("document.activeElement === document.body || document.activeElement.closest('dialog') !== null"));
    }
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    t.equal(await focused('textContent'), 'Delete', 'the focus returns to the button that opened the dialog');
    await page.getByRole('button', { name: 'Dark colours' }).focus();
    await press('Enter');
    t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
    t.strictSame(await findings(page), []);
    await page.reload();
    await page.getByRole('button', { name: 'Light colours' }).waitFor();
  },
};
