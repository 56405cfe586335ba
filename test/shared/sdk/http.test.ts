import t from 'tap';
import {
  ApiError,
  ConflictError,
  ConnectionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from '../../../shared/sdk/errors.js';
import { type ApiRequest, etagOf, Transport, type TransportSettings } from '../../../shared/sdk/http.js';
import { Links } from '../../../shared/sdk/links.js';
import { Tags } from '../../../shared/sdk/resources.js';
import { collectGarbageOften } from '../../support/collect-garbage-often.js';
import { serveHttp } from '../../support/serve-http.js';

type Step = Error | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> };

interface Sent {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

/** A transport whose server answers the steps in turn, and repeats the last one. */
function transport(steps: readonly Step[], settings: Partial<TransportSettings> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const made = new Transport({
    baseUrl: 'https://api.example.com/v1',
    secretKey: 'sk_test_x',
    timeoutMs: 1000,
    maxRetries: 3,
    random: () => 1,
    wait: async (milliseconds) => void waits.push(milliseconds),
    fetch: async (url, init) => {
      sent.push({ url, init: init as Sent['init'] });
      const step = steps[Math.min(sent.length, steps.length) - 1] as Step;
      if (step instanceof Error) throw step;
      const text = step.body === undefined ? null : typeof step.body === 'string' ? step.body : JSON.stringify(step.body);
      return new Response(text, { status: step.status, ...(step.headers === undefined ? {} : { headers: step.headers }) });
    },
    ...settings,
  });
  return { transport: made, sent, waits };
}

const problem = (status: number, code: string, more = {}) => ({ status, body: { status, code, detail: 'A detail.', ...more } });
const GET: ApiRequest = { method: 'GET', path: '/links' };
const POST: ApiRequest = { method: 'POST', path: '/links', body: { deepLinkPath: '/a' } };
const lost = new TypeError('fetch failed', { cause: new Error('ECONNRESET') });

t.test('a request has its key and query, and its answer has names in camel case', async (t) => {
  const { transport: http, sent } = transport([{ status: 200, body: { created_at: 'x' } }]);
  t.same(await http.send({ ...GET, query: { createdFrom: 'a&b', limit: 5, cursor: undefined, status: null } }), { createdAt: 'x' });
  t.equal(sent[0]?.url, 'https://api.example.com/v1/links?created_from=a%26b&limit=5');
  t.match(sent[0]?.init, { method: 'GET', redirect: 'manual', headers: { authorization: 'Bearer sk_test_x' } });
  t.equal(sent[0]?.init.body, undefined);
  t.equal(sent[0]?.init.headers['idempotency-key'], undefined);
});

t.test('lost connections, 429 and 5xx are retried, with the same idempotency key and pauses that double', async (t) => {
  const {
    transport: http,
    sent,
    waits,
  } = transport([lost, { status: 503, body: 'no JSON' }, problem(500, 'internal_error'), { status: 201, body: { id: 'lnk_1' } }]);
  t.same(await http.send(POST), { id: 'lnk_1' });
  const keys = new Set(sent.map(({ init }) => init.headers['idempotency-key']));
  t.equal(sent.length, 4);
  t.equal(keys.size, 1);
  t.match([...keys][0], /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.same(new Set(sent.map(({ init }) => init.body)), new Set(['{"deep_link_path":"/a"}']));
  t.same(waits, [500, 1000, 2000]);
  const given = transport([{ status: 201, body: {} }]);
  await given.transport.send({ ...POST, options: { idempotencyKey: 'mine' } });
  t.equal(given.sent[0]?.init.headers['idempotency-key'], 'mine');
});

t.test('pauses are random, limited, and never shorter than Retry-After', async (t) => {
  const drawn = transport([lost], { random: () => 0.25, maxRetries: 8 });
  await t.rejects(drawn.transport.send(GET));
  t.same(drawn.waits, [125, 250, 500, 1000, 2000, 2000, 2000, 2000]);
  const after = (value: string) => ({ ...problem(429, 'rate_limited'), headers: { 'retry-after': value } });
  const asked = transport([after('7'), after('0'), after(new Date(Date.now() + 30_000).toUTCString()), { status: 200, body: {} }]);
  await asked.transport.send(GET);
  t.same(asked.waits.slice(0, 2), [7000, 1000]);
  t.ok((asked.waits[2] as number) > 27_000 && (asked.waits[2] as number) <= 30_000);
  const long = transport([after('3600')]);
  await t.rejects(long.transport.send(GET), { name: 'RateLimitError', retryAfterMs: 3_600_000 });
  t.equal(long.sent.length, 1, 'a pause of an hour is too long');
});

t.test('a change can require one state of the object, and is then not retried if it may have been made already', async (t) => {
  const tag = '"a1b2"';
  const read = transport([{ status: 200, body: { id: 'lnk_1' }, headers: { etag: tag } }]);
  const link = await read.transport.send<object>(GET);
  t.equal(etagOf(link), tag);
  t.equal(etagOf({ ...link }), undefined, 'a copy may have other content');
  const patch: ApiRequest = { method: 'PATCH', path: '/links/lnk_1', body: {}, options: { ifMatch: etagOf(link) } };
  const changed = transport([problem(429, 'rate_limited'), { status: 200, body: {} }]);
  await changed.transport.send(patch);
  t.same(
    changed.sent.map(({ init }) => init.headers['if-match']),
    [tag, tag],
  );
  const stale = transport([problem(412, 'precondition_failed')]);
  await t.rejects(stale.transport.send(patch), { name: 'PreconditionError', status: 412, code: 'precondition_failed' });
  for (const step of [lost, problem(503, 'service_unavailable'), problem(500, 'internal_error')]) {
    const unknown = transport([step, problem(412, 'precondition_failed')]);
    await t.rejects(unknown.transport.send(patch), { name: step instanceof Error ? 'ConnectionError' : 'ServerError' });
    t.equal(unknown.sent.length, 1);
  }
  const without = transport([lost, { status: 200, body: {} }]);
  await without.transport.send({ ...patch, options: { ifMatch: undefined } });
  t.same([without.sent.length, without.sent[0]?.init.headers['if-match']], [2, undefined]);
});

t.test('a request that would be refused again is not retried', async (t) => {
  const errors = [{ pointer: '/deep_link_path', in: 'body', code: 'too_long', detail: 'is too long' }];
  const { transport: http, sent } = transport([{ ...problem(422, 'validation_failed', { errors }), headers: { 'x-request-id': 'r1' } }]);
  const error = await http.send(POST).catch((thrown: unknown) => thrown);
  t.ok(error instanceof ValidationError && error instanceof ApiError);
  t.match(error, {
    status: 422,
    code: 'validation_failed',
    errors: [{ ...errors[0], pointer: '/deepLinkPath' }],
    requestId: 'r1',
    message: 'A detail. /deepLinkPath: is too long',
  });
  t.equal(sent.length, 1);
  const whole = { pointer: '', in: 'body', code: 'wrong_type', detail: 'must be object' };
  const nothing = transport([problem(422, 'validation_failed', { errors: [whole] })]);
  await t.rejects(nothing.transport.send({ ...POST, body: [] }), { message: 'A detail. body: must be object' });
  for (const [status, name] of [
    [400, 'ApiError'],
    [401, 'AuthenticationError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [409, 'ConflictError'],
    [413, 'ApiError'],
  ] as const)
    await t.rejects(transport([problem(status, 'x')]).transport.send(POST), { name, status });
});

t.test('an answer that is not one of the service is an ApiError with its status, and is not asked for again', async (t) => {
  for (const body of ['<html>A page of a proxy</html>', '"text"', 'null', '[]', '{"cut":', '']) {
    const { transport: http, sent } = transport([{ status: 200, body, headers: { 'x-request-id': 'r1' } }]);
    const error = await http.send(POST).catch((thrown: unknown) => thrown);
    t.ok(error instanceof ApiError, body);
    t.match(error, { name: 'ApiError', status: 200, code: 'unknown', errors: [], requestId: 'r1', message: /baseUrl/ });
    t.equal(sent.length, 1);
  }
  t.equal(await transport([{ status: 205 }]).transport.send({ ...GET, method: 'DELETE' }), undefined, 'a status without a body');
});

t.test('an answer that has no list is an ApiError, and so is a page that is sent as a file', async (t) => {
  for (const body of [{}, { data: null }, { data: { url: 'x' } }]) {
    const pages = new Tags(transport([{ status: 200, body }]).transport).list();
    for (const read of [pages.page(), pages.toArray({ max: 5 })] as readonly Promise<unknown>[])
      await t.rejects(read, { name: 'ApiError', status: 200, code: 'unknown', message: /without the list "data"/ });
  }
  const links = new Links(transport([{ status: 200, body: {} }]).transport);
  await t.rejects(links.createMany([{}]), { name: 'BulkError', cause: { name: 'ApiError' }, message: /without the list "results"/ });
  const page = { status: 200, body: '<html>', headers: { 'content-type': 'text/html; charset=utf-8' } };
  await t.rejects(new Links(transport([page]).transport).qr('lnk_1'), { name: 'ApiError', message: /an HTML page/ });
});

t.test('a refusal of a proxy that looks like one of the service is reported as a refusal, once', async (t) => {
  const field = { pointer: '/deep_link_path', in: 'body', code: 'too_long', detail: 'is too long' };
  for (const [errors, kept] of [
    [[{ message: 'no pointer' }, null, 1, { pointer: 5, detail: 'x' }, field], [{ ...field, pointer: '/deepLinkPath' }]],
    [{ a: 1 }, []],
    ['text', []],
    [null, []],
  ] as const) {
    const { transport: http, sent } = transport([problem(422, 'invalid', { errors })]);
    const error = await http.send(POST).catch((thrown: unknown) => thrown);
    t.ok(error instanceof ValidationError, JSON.stringify(errors));
    t.match(error, { code: 'invalid', message: /^A detail\./ });
    t.same((error as ValidationError).errors, kept);
    t.equal(sent.length, 1);
  }
  for (const body of [{ code: 7, detail: 'x' }, { code: 'x', detail: null }, 'null', '[]'])
    await t.rejects(transport([{ status: 400, body }]).transport.send(POST), {
      code: 'unknown',
      message: 'The server responded with 400.',
    });
});

t.test('after the last retry the last error is thrown', async (t) => {
  for (const [step, Class] of [
    [lost, ConnectionError],
    [problem(503, 'service_unavailable'), ServerError],
    [problem(429, 'rate_limited'), RateLimitError],
  ] as const) {
    const { transport: http, sent } = transport([step], { maxRetries: 2 });
    const error = await http.send(GET).catch((thrown: unknown) => thrown);
    t.ok(error instanceof Class);
    t.equal(sent.length, 3);
  }
  const once = transport([lost], { maxRetries: 0 });
  await t.rejects(once.transport.send(GET), /ECONNRESET/);
  t.equal(once.sent.length, 1);
});

t.test('a server that cannot be reached at any of its addresses is reported with the code of the failure', async (t) => {
  const cause = Object.assign(new AggregateError([new Error('refused')]), { code: 'ECONNREFUSED' });
  const { transport: http } = transport([new TypeError('fetch failed', { cause })], { maxRetries: 0 });
  await t.rejects(http.send(GET), { message: 'The server could not be reached: ECONNREFUSED' });
});

t.test('a retry recognises the effect of an earlier attempt without an answer', async (t) => {
  const running = transport([lost, problem(409, 'conflict'), { status: 201, body: { id: 'a' } }]);
  t.same(await running.transport.send(POST), { id: 'a' }, 'the first attempt with this idempotency key was still running');
  const taken = transport([problem(409, 'conflict')]);
  await t.rejects(taken.transport.send(POST), ConflictError);
  t.equal(taken.sent.length, 1);
  const deleted = transport([lost, problem(404, 'not_found')]);
  t.equal(await deleted.transport.send({ method: 'DELETE', path: '/links/a' }), undefined);
  for (const before of [[], [problem(429, 'rate_limited')]]) {
    const refused = transport([...before, problem(404, 'not_found')]);
    await t.rejects(
      refused.transport.send({ method: 'DELETE', path: '/links/a' }),
      { name: 'NotFoundError' },
      'the object was not deleted before',
    );
  }
});

t.test('a request to a server that hangs, before or during its answer, ends in a timeout', async (t) => {
  const hanging: TransportSettings['fetch'] = (_url, { signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  const half: TransportSettings['fetch'] = async (_url, { signal }) =>
    new Response(new ReadableStream({ start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)) }));
  // Unlike a connection, the timeout alone does not keep a program alive.
  const connection = setInterval(() => {}, 1000);
  t.teardown(() => clearInterval(connection));
  for (const fetch of [hanging, half]) {
    const { transport: http } = transport([], { fetch, timeoutMs: 50, maxRetries: 0 });
    const error = await http.send(GET).catch((thrown: unknown) => thrown);
    t.ok(error instanceof TimeoutError && error instanceof ConnectionError);
  }
});

t.test('a timeout and a signal end a call also while its answer comes, whenever garbage is collected', { timeout: 30_000 }, async (t) => {
  const { origin: baseUrl } = await serveHttp(t, ({ method }, response) => response.writeHead(method === 'GET' ? 200 : 500).write('{'));
  collectGarbageOften(t);
  for (const request of [GET, POST]) {
    const settings = { baseUrl, maxRetries: 0, fetch };
    await t.rejects(transport([], { ...settings, timeoutMs: 300 }).transport.send(request), { name: 'TimeoutError' });
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 300);
    const ended = transport([], { ...settings, timeoutMs: 60_000 }).transport.send({ ...request, options: { signal: abort.signal } });
    await t.rejects(ended, { message: 'enough' });
  }
});

t.test('a redirect is not followed and not asked for again, and the message says where it leads', async (t) => {
  const asked: unknown[] = [];
  const { origin } = await serveHttp(t, ({ url }, response) => {
    asked.push(url);
    response.writeHead(308, { location: `https://api.example.com${url}` }).end();
  });
  const { transport: http } = transport([], { baseUrl: origin, fetch });
  await t.rejects(http.send(GET), {
    name: 'ApiError',
    status: 308,
    code: 'unknown',
    message: 'The server responded with 308 and a redirect to https://api.example.com/links. Is baseUrl the address of the API?',
  });
  t.same(asked, ['/links']);
});

t.test('a signal ends a call, a pause and all retries, and its reason is thrown', async (t) => {
  const reason = new Error('enough');
  const before = transport([{ status: 200, body: {} }]);
  await t.rejects(before.transport.send({ ...GET, options: { signal: AbortSignal.abort(reason) } }), reason);
  t.equal(before.sent.length, 0);
  const abort = new AbortController();
  const during = transport([lost], {
    wait: async (_milliseconds, signal) => {
      abort.abort(reason);
      throw signal?.reason;
    },
  });
  await t.rejects(during.transport.send({ ...GET, options: { signal: abort.signal } }), reason);
  t.equal(during.sent.length, 1);
});
