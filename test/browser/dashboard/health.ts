import { takePicture } from '../../support/browser.js';
import type { Tours } from './tours.js';
import { openSignedIn, seriousFindings } from './visit.js';

export const healthTours: Tours = {
  'health names every process of the engine, and goes on showing what was last known': async (t, on) => {
    const { page, complaints } = await openSignedIn(t, on, '/health');
    await page.clock.install();
    await page.reload();
    const engine = page.locator('.card', { has: page.getByRole('heading', { name: /^Engine [0-9a-f]{8}$/ }) });
    for (const name of ['redirect-0', 'background', 'background/config-sync', 'background/clicks', 'background/webhooks'])
      await engine
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`^${name}ok$`) })
        .waitFor();
    await engine.getByText('0 bytes').waitFor();
    await engine.getByText('by nothing').waitFor();
    await page.locator('.page-title .badge', { hasText: 'ok' }).waitFor();
    t.strictSame(await seriousFindings(page), []);
    await takePicture(page, 'dashboard-health');
    t.strictSame(complaints, []);
    await page.route('**/v1/health', (route) => route.fulfill({ status: 500, body: '' }));
    await page.clock.fastForward(6_000);
    await page.getByText('The server does not answer').waitFor();
    t.ok(await engine.isVisible(), 'what was last known stays');
  },
};
