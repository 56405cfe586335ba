import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { objectScreens } from './every-screen.js';
import type { Tours } from './tours.js';
import { goToScreen, type OnStack, openSignedIn } from './visit.js';

const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

/** Whether the whole button is in the window, and nothing covers it. */
async function isInView(page: Page, name: string): Promise<boolean> {
  const box = await page.getByRole('button', { name, exact: true }).last().boundingBox();
  const size = page.viewportSize();
  if (box === null || size === null) return false;
  const { x, y, width, height } = box;
  const at = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.closest('button')?.textContent.trim()`;
  return x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height && (await page.evaluate(at)) === name;
}

interface FormScreen {
  readonly path: string;
  readonly action: string;
  /** Opens the form, if the screen does not begin with it. */
  readonly open?: (page: Page) => Promise<void>;
}

/** Scrolls to the form of a screen that shows something else above it. */
async function scrollToForm(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('form:has(.form-bar)').scrollIntoView()");
}

async function openAllParts(page: Page): Promise<void> {
  const chips = page.getByRole('group', { name: 'Add to the link' }).getByRole('button', { expanded: false });
  while ((await chips.count()) > 0) await chips.first().click();
  await page.evaluate('scrollTo(0, 0)');
}

async function formScreens(on: OnStack): Promise<readonly FormScreen[]> {
  const screens = await objectScreens(on, 'main-action');
  const screenOf = (section: string) => screens.find((path) => path.startsWith(`/${section}/`)) ?? '';
  const link = screenOf('links');
  const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
  return [
    { path: '/links/new', action: 'Create link', open: openAllParts },
    { path: `${link}/edit`, action: 'Save changes', open: openAllParts },
    { path: link, action: 'Download SVG', open: button('QR code') },
    { path: '/campaigns/new', action: 'Create campaign' },
    { path: screenOf('campaigns'), action: 'Save changes', open: scrollToForm },
    { path: '/domains', action: 'Add domain', open: button('Add domain') },
    { path: '/resource-types', action: 'Create type', open: button('New type') },
    { path: `${screenOf('resource-types')}/metadata-api`, action: 'Save configuration', open: scrollToForm },
    { path: '/url-templates/new', action: 'Create template' },
    { path: screenOf('url-templates'), action: 'Save changes', open: scrollToForm },
    { path: '/webhooks/new', action: 'Add endpoint' },
    { path: `${screenOf('webhooks')}/edit`, action: 'Save changes' },
    { path: '/analytics', action: 'Save', open: button('Save view') },
    { path: '/settings', action: 'Save settings' },
  ];
}

async function visit(t: Test, page: Page, url: string, { path, action, open }: FormScreen): Promise<void> {
  await goToScreen(page, `${url}#${path}`);
  await open?.(page);
  await page.getByRole('button', { name: action, exact: true }).last().waitFor();
  t.ok(await isInView(page, action), `${path} at ${page.viewportSize()?.width} pixels`);
}

export const mainActionsTours: Tours = {
  'the main action of every form is in view, however long the form is': async (t, on) => {
    const screens = await formScreens(on);
    for (const viewport of VIEWPORTS) {
      const { page, complaints } = await openSignedIn(t, on, '/links', { viewport });
      for (const screen of screens) await visit(t, page, on.dashboardUrl, screen);
      t.strictSame(complaints, []);
    }
  },
};
