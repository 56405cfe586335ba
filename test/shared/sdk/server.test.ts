import t from 'tap';
import { refuseBrowser } from '../../../shared/sdk/secret-key.js';
import { ConfigurationError, LinkService, type LinkServiceOptions } from '../../../shared/sdk/server.js';

const KEY = `sk_test_${'a1B2'.repeat(8)}`;
const GOOD: LinkServiceOptions = { secretKey: KEY, baseUrl: 'https://api.example.com/v1/' };

t.test('a publishable, malformed or missing key is refused before anything is sent', async (t) => {
  t.ok(new LinkService(GOOD));
  for (const [secretKey, message] of [
    [KEY.replace('sk_', 'pk_'), /publishable/],
    [undefined, /missing/],
    ['', /missing/],
    [KEY.slice(1), /malformed/],
    [`${KEY}x`, /malformed/],
    [` ${KEY}`, /malformed/],
    [KEY.replace('test', 'prod'), /malformed/],
    [`${KEY}\n`, /malformed/],
  ] as const) {
    const construct = () => new LinkService({ ...GOOD, secretKey });
    t.throws(construct, ConfigurationError);
    t.throws(construct, message);
  }
});

t.test('the error message does not repeat the key', async (t) => {
  const key = 'sk_test_very-secret-but-malformed';
  try {
    new LinkService({ ...GOOD, secretKey: key });
    t.fail();
  } catch (error) {
    t.notMatch(String(error), /very-secret/);
  }
});

t.test('an invalid address, time or count is refused', async (t) => {
  for (const baseUrl of [undefined, '', 'api.example.com', 'ftp://a/v1', 'https://user:pw@a/v1', 'https://a/v1?x=1', 'https://'])
    t.throws(() => new LinkService({ ...GOOD, baseUrl }), ConfigurationError, String(baseUrl));
  t.throws(() => new LinkService({ ...GOOD, baseUrl: 'https://a/v2' }), { name: 'ConfigurationError', message: /\/v2.*\/v1/ });
  for (const wrong of [
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: Number.POSITIVE_INFINITY },
    { timeoutMs: -1 },
    { timeoutMs: 2 ** 31 },
    { timeoutMs: '5000' as never },
    { timeoutMs: null as never },
    { maxRetries: Number.POSITIVE_INFINITY },
    { maxRetries: -1 },
    { maxRetries: 1.5 },
  ])
    t.throws(() => new LinkService({ ...GOOD, ...wrong }), ConfigurationError);
});

t.test('without options, the error says what is missing', async (t) => {
  const Service = LinkService as unknown as new (options?: unknown) => LinkService;
  for (const options of [undefined, null, {}])
    t.throws(() => new Service(options), { name: 'ConfigurationError', message: /secretKey is missing/ });
});

t.test('a part of a millisecond in a timeout is rounded up', async (t) => {
  const fetch = async () => new Response('{}');
  t.same(await new LinkService({ ...GOOD, timeoutMs: 1500.5, fetch }).links.get('lnk_1'), {});
  t.same(await new LinkService({ ...GOOD, timeoutMs: 2 ** 31 - 1.5, fetch }).links.get('lnk_1'), {});
});

t.test('a stream of clicks ends with an error if the answer is not a stream', async (t) => {
  for (const answer of [
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    () => new Response(null, { status: 204 }),
  ]) {
    const stream = new LinkService({ ...GOOD, fetch: async () => answer() }).clicks.stream();
    await t.rejects(stream[Symbol.asyncIterator]().next(), { name: 'ApiError', code: 'unknown', message: /not a stream/ });
  }
});

t.test('a stream whose clicks are not objects ends with an error of the SDK', async (t) => {
  for (const data of ['cut: {', 'null', '7']) {
    const fetch = async () => new Response(`event: click\nid: 1\ndata: ${data}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
    const stream = new LinkService({ ...GOOD, fetch }).clicks.stream();
    await t.rejects(stream[Symbol.asyncIterator]().next(), { name: 'ApiError', code: 'unknown', message: /not a JSON object/ });
  }
});

t.test('an address without an API version gets the version', async (t) => {
  for (const [baseUrl, asked] of [
    ['https://a', 'https://a/v1/links/lnk_1'],
    ['https://a/', 'https://a/v1/links/lnk_1'],
    ['https://a:8443/v1//', 'https://a:8443/v1/links/lnk_1'],
    ['HTTP://a/links', 'HTTP://a/links/v1/links/lnk_1'],
    ['https://a/links/v1', 'https://a/links/v1/links/lnk_1'],
  ] as const) {
    let url = '';
    const fetch = async (to: string) => {
      url = to;
      return new Response('{}');
    };
    await new LinkService({ ...GOOD, baseUrl, fetch }).links.get('lnk_1');
    t.equal(url, asked, baseUrl);
  }
});

t.test('the server package refuses to run in a browser: in a page, frame or worker', async (t) => {
  const worker = { importScripts: () => {}, WorkerGlobalScope: class {} };
  t.throws(() => refuseBrowser({ window: { document: {} }, process: { versions: { node: '22' } } }), ConfigurationError);
  t.throws(() => refuseBrowser(worker), ConfigurationError);
  t.doesNotThrow(() => refuseBrowser(globalThis));
  t.doesNotThrow(() => refuseBrowser({ window: {} }), 'a global called window does not make a browser');
  t.doesNotThrow(() => refuseBrowser({ WorkerGlobalScope: class {} }), 'edge runtimes count as servers');
  const page = globalThis as { window?: object };
  page.window = { document: {} };
  t.teardown(() => delete page.window);
  t.throws(() => new LinkService(GOOD), ConfigurationError);
});
