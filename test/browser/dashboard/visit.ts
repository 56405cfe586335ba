import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import type { Test } from 'tap';
import type { DashboardStack } from './stack.js';

/** An open dashboard, and the complaints of the browser. */
export interface Visit {
  readonly page: Page;
  /** Violations of the page's policy, exceptions, and logged errors. Tests end by asserting that there are none. */
  readonly complaints: readonly string[];
}

/** For tours with animations, which cost Chromium a sixth of its CPU time. */
export const ANIMATED = { reducedMotion: 'no-preference' } as const;

interface VisitOptions extends BrowserContextOptions {
  /** The session in the form in which the page stores it in the tab. */
  readonly session?: string;
  /** Runs on the new page before it is opened. */
  readonly before?: (page: Page) => Promise<void>;
}

export type OnStack = DashboardStack & { readonly browser: Browser };

/** The browser logs an error if the API refuses a request. A refusal that a test provokes is not a complaint. */
const PROVOKED = /^Failed to load resource: the server responded with a status of 4\d\d/;

export async function openDashboard(
  t: Test,
  browser: Browser,
  url: string,
  { session, before, ...options }: VisitOptions = {},
): Promise<Visit> {
  const usual = { viewport: { width: 1280, height: 900 }, locale: 'en-US', reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...usual, ...options });
  t.teardown(() => context.close());
  if (session !== undefined) await context.addInitScript(`sessionStorage.session ??= ${JSON.stringify(session)}`);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await before?.(page);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !PROVOKED.test(message.text())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    // A change without If-Match may undo what somebody else did meanwhile.
    const isChange = ['PATCH', 'DELETE'].includes(request.method());
    if (isChange && request.headers()['if-match'] === undefined) complaints.push(`${request.method()} ${request.url()} without If-Match`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // The page has cancelled the request itself, because it went on to another screen.
    if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${why}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** Opens the dashboard as somebody who signed in earlier in this tab. */
export async function openSignedIn(
  t: Test,
  { browser, origin, dashboardUrl, projectId, keys }: OnStack,
  path: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const session = { server: `${origin}/v1`, projectId, keys: { live: keys.live }, shown: 'live', kept: false };
  return openDashboard(t, browser, `${dashboardUrl}#${path}`, { session: JSON.stringify(session), ...options });
}

/** Goes to another screen without loading the page again. Resolves when that screen has its heading and has loaded what it shows. */
export async function goToScreen(page: Page, url: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).evaluate('(heading) => { heading.dataset.left = "" }');
  await page.goto(url);
  await page.locator('h1:not([data-left])').waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** Holds the page's calls of this kind. The returned function passes the held one to `end`. */
export async function hold(page: Page, url: string, method: string): Promise<(end: (route: Route) => Promise<void>) => Promise<void>> {
  let come: (route: Route) => void;
  const held = new Promise<Route>((resolve) => {
    come = resolve;
  });
  await page.route(url, (route) => (route.request().method() === method ? come(route) : route.fallback()));
  return async (end) => end(await held);
}

export async function signIn(page: Page, secretKey: string): Promise<void> {
  await page.getByLabel('Secret key').fill(secretKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * Waits until no animation runs, because a colour in transition has no contrast to be read by. An animation may be followed by
 * another, and the first one begins with the next frame. Endless animations are not waited for.
 */
const SETTLED = `(async () => {
  const running = () => document.getAnimations()
    .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  do {
    await Promise.allSettled(running().map(({ finished }) => finished));
    await new Promise(requestAnimationFrame);
  } while (running().length > 0);
})()`;

/** The violations that axe-core finds on the page as it is shown now, by all of its rules or by one. */
export async function findings(page: Page, rule?: string): Promise<readonly string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  await page.evaluate(SETTLED);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rule === undefined ? {} : { runOnly: [rule] }) });
  const found = (await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`)) as readonly Finding[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** Whether the page is wider than its window. */
export async function overflows(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean;
}

/** The error message at the field, if it has one. */
export function errorOf(within: Page | Locator, label: string | RegExp): Locator {
  const control = ('url' in within ? within : within.page()).getByLabel(label, { exact: true });
  return within.locator('.field', { has: control }).locator('.field-error:not(:empty)');
}

/** Opens these parts of the link form, unless they are open. */
export async function openParts(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const chip = page.getByRole('group', { name: 'Add to the link' }).getByRole('button', { name });
    if ((await chip.getAttribute('aria-expanded')) === 'false') await chip.click();
  }
}

/** Chooses a campaign by its key. */
export async function chooseCampaign(within: Page | Locator, key: string): Promise<void> {
  await within.getByRole('combobox', { name: 'Campaign' }).fill(key);
  await within.getByRole('option', { name: `(${key})` }).click();
}
