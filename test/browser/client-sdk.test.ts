import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { call } from '../api/api-client.js';
import { type ApiServer, startApiServer } from '../api/api-server.js';
import { openBrowser } from '../support/browser.js';
import { until } from '../support/until.js';

/** Tests the client SDK in a browser, on pages of several origins, against the real API with its preflights. */

const API_HOST = 'api.shop.example';
const LISTED = 'http://app.shop.example';
/** Browsers have locks only on secure pages, and names below `localhost` count as such without a certificate. */
const SECURE = 'http://app.localhost';
const UNLISTED = 'http://elsewhere.example';

/** The SDK as one file, in which any Node.js modules are replaced by empty ones, as a careless bundler does. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../shared/sdk/${entry}.js`, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    plugins: [
      {
        name: 'no-node',
        setup(plugin) {
          plugin.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'nothing' }));
          plugin.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({
            contents: 'export const randomUUID = 0, createHmac = 0, timingSafeEqual = 0, setTimeout = 0;',
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text as string;
}

const FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  '/': { type: 'text/html', text: '<!doctype html><title>shop</title>' },
  '/client.js': { type: 'text/javascript', text: await bundle('browser') },
  '/server.js': { type: 'text/javascript', text: await bundle('server') },
  '/worker.js': {
    type: 'text/javascript',
    text: `import('/server.js').then(({ LinkService }) => { try { new LinkService({ secretKey: 'sk_test_${'a'.repeat(32)}', baseUrl: 'http://${API_HOST}/v1' }); postMessage('made'); } catch (error) { postMessage(error.name); } });`,
  },
};

/** Serves all hosts on one port, because browsers under test use the same port for each: pages, and the API under its own name. */
async function serveAll(t: Test, api: ApiServer): Promise<number> {
  const server = createServer((request, response) => {
    if (request.headers.host === API_HOST) return forward(request, response, api.port);
    const file = FILES[request.url ?? ''];
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' }).end(file?.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = request;
  const onward = httpRequest({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode as number, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

/** Opens a page on the origin with a client on it: `links`, and the `failures` that it reported. */
async function openPage(browser: Browser, api: ApiServer, origin: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await setUp(page, api, origin);
  return page;
}

async function setUp(page: Page, api: ApiServer, origin: string): Promise<void> {
  await page.goto(origin);
  await page.evaluate(`import('/client.js').then(({ LinkClient }) => {
    window.failures = [];
    window.links = new LinkClient({ publishableKey: '${api.liveAppKey}', baseUrl: 'http://${API_HOST}/v1', onFailure: ({ operation, status, problem }) => failures.push([operation, status, problem?.code ?? null]) });
  })`);
}

async function trackedNames(api: ApiServer): Promise<readonly string[]> {
  const { rows } = await api.database.query<{ name: string }>({ text: 'SELECT name FROM tracked_events ORDER BY id', values: [] });
  return rows.map(({ name }) => name);
}

t.test('the client works in a browser', async (t) => {
  const api = await startApiServer(t);
  const port = await serveAll(t, api);
  const browser = await openBrowser(t, { http: port, https: port });
  if (browser === null) return;
  await call(t, api.baseUrl, 'PATCH /environment', { key: api.liveKey, body: { web_origins: [LISTED, SECURE] } });
  const page = await openPage(browser, api, LISTED);
  // biome-ignore lint/suspicious/noExplicitAny: what a page answers is looked into member by member
  const ask = (text: string): Promise<any> => page.evaluate(text);

  t.test('a page creates a link and resolves its URL', async (t) => {
    const link = await ask(`links.createLink({ deepLinkPath: '/p/1', data: { my_key: 1 } })`);
    t.match(link, { id: /^lnk_/, deepLinkPath: '/p/1', environment: 'live', createdAt: /Z$/ });
    t.match(await ask(`links.resolve(${JSON.stringify(link.url)})`), { link: { id: link.id }, deepLinkPath: '/p/1', data: { my_key: 1 } });
    t.equal(await ask(`links.resolve('https://nowhere.example/')`), null);
    t.same(await ask('failures.splice(0)'), [['resolve', 404, 'not_found']]);
  });

  t.test('opens before and after a reload belong to one installation', async (t) => {
    const id = await ask('links.installId()');
    t.match(await ask('links.open()'), { attribution: 'organic', reason: 'address_not_matchable', clickId: null });
    await setUp(page, api, LISTED);
    t.equal(await ask('links.installId()'), id);
    t.match(await ask('links.open()'), { attribution: 'organic', reason: 'no_link' });
    const { rows } = await api.database.query({ text: 'SELECT install_id, platform FROM installs', values: [] });
    t.same(rows, [{ install_id: id, platform: 'other' }]);
  });

  t.test('events that are tracked offline are stored once and in order when the network is back', async (t) => {
    await ask(`links.track('online', { value: 1.5, currency: 'EUR' })`);
    await until(async () => (await trackedNames(api)).length === 1, 'the first event');
    await page.context().setOffline(true);
    await ask(`links.track('one').then(() => links.track('two'))`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    t.same(await trackedNames(api), ['online']);
    await page.context().setOffline(false);
    await until(async () => (await trackedNames(api)).length === 3, 'the events that were tracked offline');
    t.same(await trackedNames(api), ['online', 'one', 'two']);
    await until(
      async () => (await ask(`Object.entries(localStorage).find(([key]) => key.endsWith(':events'))[1]`)) === '[]',
      'an empty queue',
    );
    t.same(await ask('failures'), []);
  });

  t.test('two tabs are one installation, and lose no event of each other', async (t) => {
    const context = await browser.newContext();
    const tabs = [await context.newPage(), await context.newPage()];
    await Promise.all(tabs.map((tab) => setUp(tab, api, SECURE)));
    const before = (await trackedNames(api)).length;
    t.same(await Promise.all(tabs.map((tab) => tab.evaluate('typeof navigator.locks'))), ['object', 'object']);
    const ids = await Promise.all(tabs.map((tab) => tab.evaluate('links.installId()')));
    t.equal(ids[0], ids[1]);
    await context.setOffline(true);
    const tracked = (tab: number) => `Promise.all(Array.from({ length: 20 }, (_, index) => links.track('tab${tab}_' + index)))`;
    await Promise.all(tabs.map((tab, index) => tab.evaluate(tracked(index))));
    const stored = await tabs[0]?.evaluate(
      `JSON.parse(localStorage[Object.keys(localStorage).find((key) => key.endsWith(':events'))]).length`,
    );
    t.equal(stored, 40);
    await context.setOffline(false);
    await until(async () => (await trackedNames(api)).length >= before + 40, 'the events of both tabs');
    t.equal(new Set((await trackedNames(api)).slice(before)).size, 40);
    t.equal((await trackedNames(api)).length, before + 40);
  });

  t.test('an event that is tracked while its page closes is stored, also if another tab has the lock', async (t) => {
    const context = await browser.newContext();
    const tabs = [await context.newPage(), await context.newPage()] as const;
    await Promise.all(tabs.map((tab) => setUp(tab, api, SECURE)));
    await tabs[1].evaluate('links.installId()');
    await tabs[0].evaluate(`new Promise((held) => {
      const key = Object.keys(localStorage).find((each) => each.startsWith('link-service:')).split(':').slice(0, 2).join(':') + ':events';
      void navigator.locks.request(key, () => { held(); return new Promise(() => {}); });
    })`);
    await tabs[1].evaluate(`addEventListener('pagehide', () => { void links.track('closing'); })`);
    await tabs[1].goto('about:blank');
    await until(async () => (await trackedNames(api)).includes('closing'), 'the event');
    t.equal((await trackedNames(api)).filter((name) => name === 'closing').length, 1);
  });

  t.test('calls from a page of an unlisted origin give null and report a failure', async (t) => {
    const elsewhere = await openPage(browser, api, UNLISTED);
    t.equal(await elsewhere.evaluate('links.createLink({})'), null);
    t.equal(await elsewhere.evaluate('links.open()'), null);
    t.same(await elsewhere.evaluate('failures'), [
      ['links', 0, null],
      ['opens', 0, null],
    ]);
  });

  t.test('the server SDK refuses to run in a page or a web worker', async (t) => {
    const key = `sk_test_${'a'.repeat(32)}`;
    const made = `import('/server.js').then(({ LinkService }) => { try { new LinkService({ secretKey: '${key}', baseUrl: 'http://${API_HOST}/v1' }); return 'made'; } catch (error) { return error.name; } })`;
    t.equal(await ask(made), 'ConfigurationError');
    const worker = `new Promise((resolve) => { new Worker('/worker.js').onmessage = ({ data }) => resolve(data); })`;
    t.equal(await ask(worker), 'ConfigurationError');
  });
});
