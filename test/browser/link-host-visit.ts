import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import { linkRecord, NO_DESTINATIONS } from '../engine/fixtures.js';
import { type Served, type ServedOptions, serve } from '../engine/visit/served.js';
import { openBrowser } from '../support/browser.js';
import { TLS_CERTIFICATE, TLS_KEY } from '../support/tls.js';

export const LINK_HOST = 'http://go.shop.example';
export const OPEN_HOST = 'http://open.go.shop.example';
export const APP_STORE = 'https://apps.apple.com/app/id99';
export const PLAY_STORE = 'https://play.google.com/store/apps/details?id=com.shop';
export const WEB = 'https://shop.example/item';

/** Link hosts over http, all other hosts over https, and a browser that can reach nothing else. */
export interface Surfing {
  readonly served: Served;
  readonly browser: Browser;
}

/** Returns null if the machine has no browser. */
export async function surf(t: Test, options: ServedOptions = {}): Promise<Surfing | null> {
  const served = await serve('uws', { scheme: 'http', ...options });
  t.teardown(() => served.stop());
  const destinations = { ...NO_DESTINATIONS, ios: APP_STORE, android: PLAY_STORE, web: WEB };
  served.links.set('app', linkRecord({ destinations }));
  served.links.set('scheme', linkRecord({ destinations: { ...NO_DESTINATIONS, ios: 'shop://item/1', web: WEB } }));
  const elsewhere = await serveElsewhere(t);
  const browser = await openBrowser(t, { http: served.port, https: (elsewhere.address() as AddressInfo).port });
  return browser === null ? null : { served, browser };
}

/** A server for stores and shops. */
async function serveElsewhere(t: Test): Promise<Server> {
  const server = createServer({ key: TLS_KEY, cert: TLS_CERTIFICATE }, (_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<title>elsewhere</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

/** A visitor: a page with a fresh profile, and everything that it did on the link hosts. */
export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests for anything but documents. */
  readonly fetched: string[];
  /** Every URL that the page navigated to, by itself or after a tap. */
  readonly attempts: string[];
  /** Messages of the console, above all violations of the policy. */
  readonly complaints: string[];
  /** Makes the visitor appear as another one. A separate profile for each would take a third of a second. */
  becomes(userAgent: string): Promise<void>;
}

/** The console logs this for every document with an error status. It is not a complaint. */
const STATUS_OF_DOCUMENT = /^Failed to load resource: the server responded with a status of/;

export const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

/** Opens a tab whose clock stands still until the test advances it. */
export async function openTab(browser: Browser, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const becomes = async (userAgent: string) => void (await session.send('Network.setUserAgentOverride', { userAgent }));
  const tab: Tab = { page, context, fetched: [], attempts: [], complaints: [], becomes };
  context.on('request', (request) => {
    if (!request.isNavigationRequest() && !page.url().startsWith('https:')) tab.fetched.push(request.url());
  });
  page.on('console', (message) => {
    if (!STATUS_OF_DOCUMENT.test(message.text())) tab.complaints.push(message.text());
  });
  page.on('pageerror', (error) => tab.complaints.push(String(error)));
  await session.send('Page.enable');
  session.on('Page.frameRequestedNavigation', ({ url }) => tab.attempts.push(url));
  if (options.javaScriptEnabled !== false) {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
  }
  return tab;
}

/**
 * Follows a link to one of our pages. Does not wait for the load event, which never fires in a browser if the page tries to open
 * the app.
 */
export async function follow({ page }: Tab, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('heading').waitFor();
}

/** The URLs of the page's links, by their text. */
export async function linksOf(page: Page): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const link of await page.getByRole('link').all()) found[await link.innerText()] = (await link.getAttribute('href')) ?? '';
  return found;
}
