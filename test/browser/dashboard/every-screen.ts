import type { Page } from 'playwright-core';
import { takePicture } from '../../support/browser.js';
import { withScheme } from './stack.js';
import type { Tours } from './tours.js';
import { ANIMATED, findings, goToScreen, type OnStack, openDashboard, openSignedIn, overflows } from './visit.js';

export const LISTS_AND_FORMS = [
  '/',
  '/links',
  '/links/new',
  '/links/bulk',
  '/campaigns',
  '/campaigns/new',
  '/domains',
  '/resource-types',
  '/url-templates',
  '/url-templates/new',
  '/stats',
  '/analytics',
  '/webhooks',
  '/webhooks/new',
  '/keys',
  '/settings',
  '/health',
];

/** Screens of single objects, each of an object that has something for every part of its screen. */
export async function objectScreens({ stack, metadataApi, receiver }: OnStack, name = 'every-screen'): Promise<readonly string[]> {
  const make = async (method: string, path: string, body: object) =>
    (await stack.controlPlane.call<{ id: string }>(stack.project, method, path, body)).body.id;
  const utm = { utm_source: 'a-newsletter-with-a-rather-long-name', utm_medium: 'email' };
  const campaign = await make('POST', '/campaigns', { key: name, name: 'Of every screen', ...utm });
  const destinations = { web: `https://shop.example/${'a-long-path/'.repeat(12)}`, ios: 'shop://sale' };
  const data = { note: 'one text that is longer than the screen of a telephone is wide' };
  const body = { path: name, campaign: name, destinations, data };
  const link = await withScheme(stack, 'shop', () => make('POST', '/links', body));
  const type = await make('POST', '/resource-types', { key: name.replaceAll('-', '_'), name: 'Of every screen' });
  const template = await make('POST', '/url-templates', {
    resource_type_id: type,
    path_pattern: `/${name}/{id}`,
    id_format: { kind: 'preset', preset: 'numeric' },
    deep_link_path: '/items/{id}',
  });
  const api = { url_template: `${metadataApi.origin}/items/{id}`, field_mapping: { title: 'product.name' } };
  await make('PUT', `/resource-types/${type}/metadata-api`, api);
  const webhook = await make('POST', '/webhooks', { url: `${receiver.origin}/ok/${name}`, events: ['campaign.ended'] });
  return [
    `/links/${link}`,
    `/campaigns/${campaign}`,
    `/resource-types/${type}`,
    `/resource-types/${type}/metadata-api`,
    `/url-templates/${template}`,
    `/webhooks/${webhook}`,
  ];
}

/** Buttons that change nothing on the server. */
const READS = /^(?:Cancel|CSV|Edit and test|Example file|Export|How to revoke|PNG|QR code|Try it)$/;

/** The themes differ only in colours: after all rules have passed in one theme, only contrast is checked in the other. */
const THEMES = [
  ['light', undefined],
  ['dark', 'color-contrast'],
] as const;

/** Adds up how far the content shifts by itself (https://web.dev/articles/cls). */
const COUNT_SHIFTS = `window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Screens of an environment whose values are as long as they may be, and have no blank at which a line could break. */
async function longScreens({ stack }: OnStack): Promise<readonly string[]> {
  const make = async (path: string, body: object) =>
    (await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', path, body)).body.id;
  const long = (length: number) => `long${'m'.repeat(length - 4)}`;
  const campaign = await make('/campaigns', { key: long(60), name: long(60), utm_source: long(200) });
  const link = await make('/links', { path: long(64), title: long(200), tags: [long(50)], campaign: long(60) });
  const type = await make('/resource-types', { key: long(64), name: long(200) });
  await make('/url-templates', {
    resource_type_id: type,
    path_pattern: `/${long(100)}/{id}`,
    id_format: { kind: 'preset', preset: 'numeric' },
    deep_link_path: '/items/{id}',
  });
  const analytics = `/analytics/link=${link}&utm_source=${long(200)}`;
  return ['/', '/links', `/links/${link}`, `/links/${link}/edit`, `/campaigns/${campaign}`, `/resource-types/${type}`, '/stats', analytics];
}

export const longValuesTours: Tours = {
  'long values without a blank make no screen wider than its window': async (t, on) => {
    const screens = await longScreens(on);
    const { page } = await openSignedIn(t, on, '/links', { viewport: { width: 360, height: 740 } });
    for (const path of screens) {
      await goToScreen(page, `${on.dashboardUrl}#${path}`);
      await page
        .getByText(/long?m{4}/)
        .first()
        .waitFor({ state: 'attached' });
      t.notOk(await overflows(page), path);
    }
  },
};

export const everyScreenTours: Tours = {
  'nothing moves by itself while the overview and the lists come in': async (t, on) => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ])
      for (const path of ['/', '/links', '/analytics']) {
        const before = async (page: Page) => {
          await page.addInitScript(COUNT_SHIFTS);
        };
        const { page } = await openSignedIn(t, on, path, { ...ANIMATED, viewport, before });
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        await page.waitForLoadState('networkidle');
        const shifted = (await page.evaluate('shifted')) as number;
        t.comment(`${path} at ${viewport.width}: ${shifted.toFixed(3)}`);
        t.ok(shifted < 0.05, `${path} at ${viewport.width} pixels moves by ${shifted}`);
      }
  },

  'a key that may only read links is offered no button that changes anything, on any screen': async (t, on) => {
    const screens = [...LISTS_AND_FORMS, ...(await objectScreens(on, 'read-only-key'))];
    const { page, complaints } = await openSignedIn(t, on, '/settings', {
      before: async (page) => {
        // Only the dashboard sees the reduced scopes. The server still answers everything, so that every screen is complete.
        await page.route('**/v1/key', async (route) => {
          const response = await route.fetch();
          return route.fulfill({ response, json: { ...(await response.json()), scopes: ['links:read'] } });
        });
      },
    });
    for (const path of screens) {
      await goToScreen(page, `${on.dashboardUrl}#${path}`);
      const offered = await page
        .locator('main .button:not([aria-disabled="true"]), main a.button')
        .evaluateAll((buttons) => buttons.map((button) => (button as unknown as { textContent: string }).textContent.trim()));
      t.strictSame(
        offered.filter((name) => !READS.test(name)),
        [],
        path,
      );
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    t.strictSame(complaints, []);
  },

  'every screen fits a window of 360 pixels, in both themes, and shuts nobody out': async (t, on) => {
    const screens = [...LISTS_AND_FORMS, ...(await objectScreens(on))];
    const small = { viewport: { width: 360, height: 740 } } as const;
    const { page, complaints } = await openSignedIn(t, on, '/links', small);
    for (const path of screens) {
      await goToScreen(page, `${on.dashboardUrl}#${path}`);
      t.notOk(await overflows(page), path);
      for (const [colorScheme, rule] of THEMES) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        t.strictSame(await findings(page, rule), [], `${path}, ${colorScheme}`);
        await takePicture(page, `dashboard-${path.replaceAll('/', '-')}-360-${colorScheme}`);
      }
    }
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    t.strictSame(complaints, []);
    t.notOk(await overflows((await openDashboard(t, on.browser, on.dashboardUrl, small)).page));
  },
};
