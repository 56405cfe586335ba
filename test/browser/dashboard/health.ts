import { takePicture } from '../../support/browser.js';
import type { Tours } from './tours.js';
import { findings, openSignedIn } from './visit.js';

const PARTS = ['Redirects', 'Changes', 'Clicks', 'Webhooks', 'Preview cards', 'API'];

export const healthTours: Tours = {
  'health names every part of the service, which one fails and since when, and goes on showing what was last known': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/health');
    await page.clock.install();
    await page.reload();
    const part = (name: string) => page.locator('.health-part', { hasText: new RegExp(`^${name}`) });
    for (const name of PARTS) await part(name).locator('.badge', { hasText: /^ok$/ }).waitFor();
    t.equal(await page.locator('.health-part').count(), PARTS.length);
    await page.locator('.page-title .badge', { hasText: 'ok' }).waitFor();
    const shown = await page.locator('main').innerText();
    t.notMatch(shown, /redirect-0|background|engine/i, 'the screen names no process of the installation');
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-health');
    t.strictSame(complaints, []);

    const since = await page.evaluate('new Date(Date.now() - 180_000).toISOString()');
    await page.route('**/v1/health', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { parts: { part: string }[] };
      const parts = body.parts.map((each) => (each.part === 'webhooks' ? { ...each, ok: false, since } : each));
      await route.fulfill({ response, json: { ...body, status: 'degraded', parts } });
    });
    await page.clock.fastForward(6_000);
    await part('Webhooks')
      .filter({ hasText: /began 3 minutes ago$/ })
      .waitFor();
    await page.locator('.page-title .badge', { hasText: 'degraded' }).waitFor();
    t.strictSame(await findings(page), []);
    await takePicture(page, 'dashboard-health-degraded');

    await page.unroute('**/v1/health');
    await page.route('**/v1/health', (route) => route.fulfill({ status: 500, body: '' }));
    await page.clock.fastForward(6_000);
    await page.getByText('The server does not respond').waitFor();
    t.ok(await part('Redirects').isVisible(), 'the last known health stays visible');
  },
};
