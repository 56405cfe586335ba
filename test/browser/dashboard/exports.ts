import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { serveHttp } from '../../support/serve-http.js';
import type { Tours } from './tours.js';
import { findings, type OnStack, openSignedIn } from './visit.js';

/** The API's answer to the same query. */
async function exported({ stack, origin }: OnStack, query: string): Promise<string> {
  const response = await fetch(`${origin}/v1/exports/${query}`, { headers: { authorization: `Bearer ${stack.project.secretKey}` } });
  return response.text();
}

async function download(page: Page, format: 'CSV' | 'NDJSON'): Promise<{ readonly name: string; readonly text: string }> {
  const button = page.getByRole('dialog').getByRole('button', { name: `Export ${format}` });
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

export const exportsTours: Tours = {
  'files of campaigns, links and clicks are what the API gives, and one that fails or is given up says so': async (t, on) => {
    const { stack, origin, dashboardUrl } = on;
    await stack.controlPlane.call(stack.project, 'POST', '/campaigns', { key: 'exported', name: '=Exported', utm_source: 'mail' });
    await stack.controlPlane.call(stack.project, 'POST', '/links', { path: 'exported', campaign: 'exported', tags: ['a', 'b'] });
    const { page, complaints } = await openSignedIn(t, on, '/campaigns');
    const open = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');

    await open('Export');
    await dialog.getByText('Export campaigns').waitFor();
    t.strictSame(await findings(page), []);
    const refusal = {
      type: 'about:blank',
      title: 'Too many requests',
      status: 429,
      code: 'rate_limited',
      detail: 'An export runs already.',
    };
    let downloads = 0;
    const counted = () => downloads++;
    page.on('download', counted);
    await page.route('**/v1/exports/**', (route) => route.fulfill({ status: 429, json: refusal }));
    await dialog.getByRole('button', { name: 'Export CSV' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'An export runs already.' }).waitFor();
    await page.unroute('**/v1/exports/**');
    // The connection breaks before any of the answer arrives.
    await page.route('**/v1/exports/**', (route) => route.abort('connectionreset'));
    await dialog.getByRole('button', { name: 'Export CSV' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'does not respond' }).waitFor();
    await page.unroute('**/v1/exports/**');

    // The connection breaks after the head of the answer and a part of the file, which a route of the page cannot do.
    const breaking = await serveHttp(t, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '1000', 'access-control-allow-origin': '*' });
      response.write('key,name\n', () => response.destroy());
    });
    // The browser maps every other host to the service.
    const there = breaking.origin.replace('127.0.0.1', 'localhost');
    await page.route('**/v1/exports/**', (route) => route.continue({ url: route.request().url().replace(origin, there) }));
    await dialog.getByRole('button', { name: 'Export CSV' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'The file was not transferred completely.' }).waitFor();
    await page.unroute('**/v1/exports/**');

    // An export that is cancelled while it is made saves nothing.
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/exports/**', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await dialog.getByRole('button', { name: 'Export NDJSON' }).click();
    await dialog.getByRole('status').filter({ hasText: 'The file is being created.' }).waitFor();
    t.ok(await dialog.getByRole('button', { name: 'Export CSV' }).isDisabled(), 'only one file is created at a time');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    release();
    await page.unroute('**/v1/exports/**');
    await open('Export');
    const campaigns = await download(page, 'CSV');
    page.off('download', counted);
    t.equal(downloads, 1, 'no export that failed or was cancelled is saved');
    t.equal(campaigns.name, 'campaigns.csv');
    t.match(campaigns.text, "exported,'=Exported,");
    t.equal(campaigns.text, await exported(on, 'campaigns?format=csv'));
    await open('Export');
    t.equal((await download(page, 'NDJSON')).text, await exported(on, 'campaigns?format=ndjson'));

    await page.goto(`${dashboardUrl}#/links`);
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    await open('Export');
    const links = await download(page, 'NDJSON');
    t.equal(links.name, 'links.ndjson');
    t.equal(links.text, await exported(on, 'links?format=ndjson'));
    t.match(links.text, '"path":"exported"');

    await page.goto(`${dashboardUrl}#/analytics`);
    await open('Export clicks');
    const [from, to] = (/from (.+?) to (.+?),/.exec((await dialog.textContent()) ?? '') ?? [])
      .slice(1)
      .map((day) => new Date(`${day} UTC`).toISOString().slice(0, 10));
    const clicks = await download(page, 'CSV');
    t.equal(clicks.name, 'clicks.csv');
    t.match(clicks.text, /^id,/);
    t.equal(clicks.text, await exported(on, `clicks?format=csv&from=${from}&to=${to}`));
    await stack.rows("DELETE FROM links WHERE path = 'exported'");
    await stack.rows("DELETE FROM campaigns WHERE key = 'exported'");
    t.strictSame(
      complaints.filter((complaint) => !/\/v1\/exports\/|ERR_CONNECTION_RESET|ERR_CONTENT_LENGTH_MISMATCH/.test(complaint)),
      [],
    );
  },
};
