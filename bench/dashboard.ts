import type { Browser, CDPSession, Page } from 'playwright-core';
import { REBUILD_CONNECTIONS, rebuildFigures } from '../control-plane/click-figures/counting/rebuild.js';
import { SettingError } from '../shared/base/settings.js';
import { fillLog } from './clicks/log-fill.js';
import { CHROMIUM_REPAIR, findChromium, launchChromium, SLOW_LINE } from './load/chromium.js';
import { withControlPlane, withLongStatements, withProject } from './load/rest-service.js';
import { spreadOf } from './load/statistics.js';

export interface DashboardBench {
  readonly links: number;
  readonly clicks: number;
  readonly rounds: number;
  onStep(done: number, of: number, what: string): void;
}

/** A screen that is opened with nothing cached. */
export interface ScreenTimes {
  readonly screen: string;
  /** Largest Contentful Paint on the slow line; the median of the rounds. */
  readonly lcp_ms: number;
  /** Cumulative Layout Shift, the largest of the rounds. */
  readonly cls: number;
  /** The longest task of the main thread at a quarter of the processor's speed, while the screen loads and is worked on; the median of the rounds. */
  readonly longest_task_ms: number;
}

export interface DashboardResult {
  readonly links: number;
  readonly clicks: number;
  /** What the overview loads of the page itself, as it is sent. */
  readonly first_load_kb: number;
  readonly screens: readonly ScreenTimes[];
}

/** What a user does on a screen once it is there. */
type Work = (page: Page) => Promise<void>;

interface Screen {
  readonly name: string;
  readonly path: string;
  readonly heading: string;
  readonly work?: Work;
}

const SCREENS: readonly Screen[] = [
  { name: 'overview', path: '/', heading: 'Overview' },
  { name: 'links', path: '/links', heading: 'Links', work: scrollAndSearch },
  { name: 'links, to the last of them', path: '/links', heading: 'Links', work: scrollToEnd },
  { name: 'new link', path: '/links/new', heading: 'New link', work: fillIn },
  { name: 'analytics', path: '/analytics', heading: 'Analytics', work: scroll },
];

const SLOWDOWN = 4;
/** After this time without a change, what a screen does on its own is over. */
const SETTLED_MS = 2_000;

/** What the page has observed about itself since it began. */
const OBSERVE = `
  window.seen = { lcp: 0, cls: 0, task: 0 };
  const observe = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => { seen.lcp = startTime; });
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.cls += value; });
  observe('longtask', ({ duration }) => { seen.task = Math.max(seen.task, duration); });`;

interface Seen {
  readonly lcp: number;
  readonly cls: number;
  readonly task: number;
}

/** Opens screens of the dashboard in a browser, with as many links and clicks as an environment of some size has. */
export function runDashboard({ links, clicks, rounds, onStep }: DashboardBench): Promise<DashboardResult> {
  const chromium = findChromium();
  if (chromium === null) throw new SettingError(`there is no Chromium on this machine: ${CHROMIUM_REPAIR}`);
  return withProject(async ({ databaseUrl, environmentId, secretKey }) => {
    const steps = SCREENS.length * rounds + 1;
    onStep(0, steps, 'links and clicks are written');
    await fill(databaseUrl, environmentId, { links, clicks });
    return withControlPlane(databaseUrl, async ({ url }) => {
      const browser = await launchChromium(chromium);
      try {
        const server = { browser, url, session: await sessionOf(url, secretKey) };
        const screens: ScreenTimes[] = [];
        let bytes = 0;
        for (const screen of SCREENS) {
          const seen: { slow: Seen; throttled: Seen }[] = [];
          for (let round = 0; round < rounds; round++) {
            onStep(screens.length * rounds + round + 1, steps, screen.name);
            const slow = await open(server, screen, (session) => session.send('Network.emulateNetworkConditions', SLOW_LINE));
            const throttled = await open(server, screen, (session) => session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN }));
            seen.push({ slow: slow.seen, throttled: throttled.seen });
            if (screens.length === 0) bytes = slow.pageBytes;
          }
          screens.push({
            screen: screen.name,
            lcp_ms: spreadOf(seen.map(({ slow }) => slow.lcp)).median,
            cls: Math.max(...seen.flatMap(({ slow, throttled }) => [slow.cls, throttled.cls])),
            longest_task_ms: spreadOf(seen.map(({ throttled }) => throttled.task)).median,
          });
        }
        return { links, clicks, first_load_kb: bytes / 1024, screens };
      } finally {
        await browser.close();
      }
    });
  });
}

async function fill(databaseUrl: string, environmentId: string, { links, clicks }: { links: number; clicks: number }): Promise<void> {
  const numbers = Array.from({ length: links }, (_, number) => number);
  await fillLog(databaseUrl, environmentId, clicks, () => {}, numbers);
  await withLongStatements(databaseUrl, REBUILD_CONNECTIONS, async (database) => {
    await database.query({
      text: `
        UPDATE links SET title = CASE WHEN hashtext(path) % 3 = 0 THEN 'Spring sale, ' || path END,
          destinations = json_build_object('web', 'https://shop' || abs(hashtext(path)) % 20 || '.example.com/products/' || md5(path))
        WHERE environment_id = $1`,
      values: [environmentId],
    });
    const to = new Date().toISOString().slice(0, 10);
    await rebuildFigures(database, { from: '2000-01-01', to, environmentId: null, onProgress: () => {} });
    await database.query({ text: 'VACUUM ANALYZE links, click_figures', values: [] });
  });
}

/** The session as the page keeps it in the tab of a user who has signed in. */
async function sessionOf(url: string, secretKey: string): Promise<string> {
  const answer = await fetch(`${url}/environment`, { headers: { authorization: `Bearer ${secretKey}` } });
  const { project } = (await answer.json()) as { project: { id: string } };
  return JSON.stringify({ server: url, projectId: project.id, keys: { live: secretKey }, shown: 'live', kept: false });
}

interface Server {
  readonly browser: Browser;
  readonly url: string;
  readonly session: string;
}

interface Opened {
  readonly seen: Seen;
  /** Bytes of the page's own files. */
  readonly pageBytes: number;
}

async function open(
  { browser, url, session }: Server,
  { path, heading, work }: Screen,
  slowDown: (session: CDPSession) => Promise<unknown>,
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  try {
    await context.addInitScript(`sessionStorage.session ??= ${JSON.stringify(session)}; ${OBSERVE}`);
    const page = await context.newPage();
    const protocol = await context.newCDPSession(page);
    await protocol.send('Network.enable');
    const files = new Map<string, boolean>();
    let pageBytes = 0;
    protocol.on('Network.requestWillBeSent', ({ requestId, request }) => files.set(requestId, request.url.includes('/dashboard/')));
    protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (files.get(requestId) === true) pageBytes += encodedDataLength;
    });
    await slowDown(protocol);
    await page.goto(`${new URL(url).origin}/dashboard/#${path}`);
    await untilHeaded(page, heading);
    await page.waitForTimeout(SETTLED_MS);
    const loaded = pageBytes;
    await work?.(page);
    return { seen: (await page.evaluate('seen')) as Seen, pageBytes: loaded };
  } finally {
    await context.close();
  }
}

const POLL_MS = 50;
const OPEN_MS_MAX = 60_000;

// The page is queried with bare expressions: a locator would bring a large script and its search for roles, which count
// as tasks of the page.

async function untilHeaded(page: Page, heading: string): Promise<void> {
  const deadline = performance.now() + OPEN_MS_MAX;
  while ((await page.evaluate("document.querySelector('h1')?.textContent")) !== heading) {
    if (performance.now() > deadline) throw new Error(`the screen "${heading}" has not come`);
    await page.waitForTimeout(POLL_MS);
  }
}

async function typeInto(page: Page, field: string, text: string, delay: number): Promise<void> {
  await page.evaluate(`document.querySelector('${field}').focus()`);
  await page.keyboard.type(text, { delay });
}

async function scroll(page: Page, pixels = 600): Promise<void> {
  for (let step = 0; step < 20; step++) {
    await page.mouse.wheel(0, pixels);
    await page.waitForTimeout(50);
  }
}

async function scrollAndSearch(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  await scroll(page);
  await typeInto(page, 'main input[type=search]', 'spring', 50);
  await page.waitForTimeout(SETTLED_MS);
}

/** How long a list may take to grow by a page. */
const GROW_MS_MAX = 30_000;

/**
 * At this distance from its end, a list does not grow yet (`NEAR_PIXELS` of the dashboard's states.tsx). Nearer, its
 * end itself would be seen to move.
 */
const NEAR_END_PIXELS = 1_900;

/** Reads the whole list, like a user who goes near to its end again and again, and scrolls there and in the middle of it. */
async function scrollToEnd(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  for (let grownAt = performance.now(), before = 0; (await page.evaluate("document.querySelector('.more')")) !== null; ) {
    const rows = (await page.evaluate("document.querySelector('main table').ariaRowCount")) as string;
    if (Number(rows) !== before) grownAt = performance.now();
    else if (performance.now() - grownAt > GROW_MS_MAX) throw new Error(`the list of links stays at ${rows} rows`);
    before = Number(rows);
    await page.evaluate(`window.scrollTo(0, document.body.scrollHeight - window.innerHeight - ${NEAR_END_PIXELS})`);
    await page.waitForTimeout(10);
  }
  await scroll(page, -600);
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight / 2)');
  await page.waitForTimeout(SETTLED_MS);
  await scroll(page);
}

async function fillIn(page: Page): Promise<void> {
  await typeInto(page, 'main input:is([type=text], [type=url])', 'https://shop.example.com/spring', 20);
  await page.waitForTimeout(SETTLED_MS);
}
