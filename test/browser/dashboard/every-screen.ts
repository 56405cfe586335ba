import { takePicture } from '../../support/browser.js';
import type { Tours } from './tours.js';
import { openDashboard, overflows, seriousFindings } from './visit.js';

const SCREENS = [
  '/',
  '/links',
  '/links/new',
  '/links/bulk',
  '/campaigns',
  '/domains',
  '/resource-types',
  '/url-templates',
  '/stats',
  '/webhooks',
  '/webhooks/new',
  '/settings',
  '/health',
];

export const everyScreenTours: Tours = {
  'every screen fits a window of 360 pixels, in both themes': async (t, { browser, dashboardUrl, keys }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints } = await openDashboard(t, browser, dashboardUrl, { viewport: { width: 360, height: 740 }, colorScheme });
      t.notOk(await overflows(page));
      await page.getByLabel('Secret key').fill(keys.live);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Links', exact: true }).click();
      for (const path of SCREENS) {
        await page.goto(`${dashboardUrl}#${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        t.notOk(await overflows(page), path);
        t.strictSame(await seriousFindings(page), [], path);
        await takePicture(page, `dashboard-${path.replaceAll('/', '-')}-360-${colorScheme}`);
      }
      t.strictSame(complaints, []);
    }
  },
};
