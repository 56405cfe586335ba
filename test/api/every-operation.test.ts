import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { TSchema } from 'typebox';
import { takesNulls } from '../../shared/contract/routes/null-members.js';
import { honoursIdempotencyKey, takesIdempotencyKey } from '../../shared/contract/routes/route.js';
import { OPERATION_IDS, type OperationId, routeOf } from '../../shared/contract/routes.js';
import { SCOPES } from '../../shared/contract/schemas/scopes.js';
import { type ApiAnswer, call, send } from './api-client.js';
import { type ApiServer, startApiServer } from './api-server.js';
import { contentHash, EXAMPLES, type Example, keyFor, pathOf, wrongValues } from './examples.js';
import { rawRequest } from './raw-request.js';

/** These tests are generated from the route table, so that a new row is covered as soon as it exists. */

const api = await startApiServer(t);
const empty = await startApiServer(t);

interface Prepared extends Example {
  readonly line: string;
  readonly keys: ApiServer;
}

async function prepare(id: OperationId): Promise<Prepared> {
  const route = routeOf(id);
  const example = await EXAMPLES[id](api);
  return { ...example, line: `${route.method} ${pathOf(route, example.params)}`, keys: api };
}

function refused(t: Test, answer: ApiAnswer, status: number, code: string): void {
  t.equal(answer.status, status);
  t.equal(answer.json?.code, code);
}

/** Runs the case and checks that nothing in the database changed. */
async function unchanged(t: Test, run: () => Promise<void>): Promise<void> {
  const before = await contentHash(api.database);
  await run();
  t.equal(await contentHash(api.database), before, 'the database is unchanged');
}

for (const id of OPERATION_IDS) {
  const route = routeOf(id);

  t.test(`${id} succeeds as documented`, async (t) => {
    const { line, body } = await prepare(id);
    const answer = await call(t, api.baseUrl, line, { key: keyFor(api, route), ...(body === undefined ? {} : { body }) });
    t.equal(answer.status, route.response.status);
    t.equal(answer.headers.get('cache-control'), route.response.cacheControl ?? 'no-store');
  });

  if (route.key !== 'none') keyCases(id);

  if (route.params !== undefined)
    t.test(`${id} does not know ids of the other environment, of another kind, or of nothing`, async (t) => {
      const { line, params, body } = await prepare(id);
      const request = body === undefined ? {} : { body };
      await unchanged(t, async () => {
        refused(t, await call(t, api.baseUrl, line, { key: keyFor(api, route, 'test'), ...request }), 404, 'not_found');
        for (const [name, value] of Object.entries(params))
          for (const other of [
            `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`,
            value.toUpperCase(),
            'evt_x',
            '0',
            '%00',
            'a'.repeat(200),
          ]) {
            const path = pathOf(route, { ...params, [name]: other });
            refused(t, await call(t, api.baseUrl, `${route.method} ${path}`, { key: keyFor(api, route), ...request }), 404, 'not_found');
          }
      });
    });

  t.test(`${id} refuses query parameters that it does not have`, async (t) => {
    const { line, body } = await prepare(id);
    await unchanged(t, async () => {
      const answer = await call(t, api.baseUrl, `${line}?__proto__=1&nope=2`, {
        key: keyFor(api, route),
        ...(body === undefined ? {} : { body }),
      });
      refused(t, answer, 422, 'validation_failed');
      t.match(answer.json.errors, [
        { in: 'query', pointer: '/__proto__', code: 'unknown_field' },
        { in: 'query', pointer: '/nope' },
      ]);
    });
  });

  if (route.query !== undefined)
    t.test(`${id} names every query parameter that is wrong`, async (t) => {
      const { line } = await prepare(id);
      for (const [name, schema] of Object.entries(route.query?.properties ?? {}) as [string, TSchema][])
        for (const { name: what, value } of wrongValues(schema)) {
          // A query is text: null and numbers cannot be told from text, and half a surrogate pair cannot be sent.
          if (value === null || typeof value === 'number' || what === 'half a surrogate pair') continue;
          const answer = await call(t, api.baseUrl, `${line}?${name}=${encodeURIComponent(String(value))}`, {
            key: keyFor(api, route),
          });
          refused(t, answer, 422, 'validation_failed');
          t.match(answer.json.errors, [{ in: 'query', pointer: `/${name}` }], `${name}: ${what}`);
        }
      const { maximum = 100 } = (route.query?.properties?.limit ?? {}) as { maximum?: number };
      for (const limit of ['0', String(maximum + 1), '-1', '1.5', '1e1', '0x1', ' 1', '', '5&limit=6']) {
        const answer = await call(t, api.baseUrl, `${line}?limit=${limit}`, { key: keyFor(api, route) });
        t.match(answer.json.errors, [{ in: 'query', pointer: '/limit' }], `limit=${limit}`);
      }
      const cursors = ['x', 'AAAA', 'A'.repeat(38), '%00'];
      for (const cursor of cursors) {
        const answer = await call(t, api.baseUrl, `${line}?cursor=${cursor}`, { key: keyFor(api, route) });
        t.match(answer.json.errors, [{ in: 'query', pointer: '/cursor' }], `cursor=${cursor}`);
      }
    });

  if (route.method === 'GET')
    t.test(`${id} refuses a body, and answers HEAD`, async (t) => {
      const { params } = await prepare(id);
      const path = `/v1${pathOf(route, params)}`;
      await unchanged(t, async () => {
        t.match(
          await rawRequest(
            api.port,
            `${route.method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keyFor(api, route)}\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}`,
          ),
          /^HTTP\/1.1 400 [\s\S]*"code":"bad_request"/,
        );
      });
      const head = await call(t, api.baseUrl, `HEAD ${path.slice(3)}`, { key: keyFor(api, route) });
      t.equal(head.status, 200);
      t.equal(head.text, '');
      t.not(head.headers.get('content-length'), '0', 'no length that a GET would not have');
    });

  if (route.method === 'DELETE')
    t.test(`${id} ignores an empty body and {}, and refuses any other`, async (t) => {
      for (const [rawBody, status] of [
        ['', route.response.status],
        ['{}', route.response.status],
        ['{"a":1}', 422],
        ['[]', 422],
        ['{', 400],
      ] as const) {
        const { line } = await prepare(id);
        const headers = { 'content-type': 'application/json' };
        const answer = await call(t, api.baseUrl, line, { key: keyFor(api, route), rawBody, headers });
        t.equal(answer.status, status, rawBody);
      }
    });

  if (route.method === 'POST' || route.method === 'PATCH' || route.method === 'PUT') bodyCases(id);
}

function keyCases(id: OperationId): void {
  const route = routeOf(id);

  t.test(`${id} refuses a caller without a valid key`, async (t) => {
    const { line, body } = await prepare(id);
    const live = keyFor(api, route);
    const keys = [
      undefined,
      '',
      'x',
      `${live}x`,
      live.slice(0, -1),
      `${live.slice(0, 8)}${'a'.repeat(32)}`,
      live.replace('_live_', '_test_'),
      `${live},${live}`,
    ];
    await unchanged(t, async () => {
      for (const key of keys) {
        const answer = await call(t, api.baseUrl, line, { ...(key === undefined ? {} : { key }), ...(body === undefined ? {} : { body }) });
        refused(t, answer, 401, 'unauthorized');
        t.equal(answer.headers.get('www-authenticate'), 'Bearer');
      }
      const basic = await call(t, api.baseUrl, line, {
        headers: { authorization: `Basic ${live}` },
        ...(body === undefined ? {} : { body }),
      });
      refused(t, basic, 401, 'unauthorized');
    });
  });

  t.test(`${id} takes each of its scopes and no other key`, async (t) => {
    const others = SCOPES.filter((scope) => !route.scopes.includes(scope));
    const { line, body } = await prepare(id);
    const request = body === undefined ? {} : { body };
    const without = await api.makeKey('live', others);
    const also = route.alsoScope === undefined ? [] : [route.alsoScope];
    const alone = also.length === 0 ? [] : [await api.makeKey('live', route.scopes)];
    const none = await api.makeKey('live', []);
    const otherKind = route.key === 'publishable' ? api.liveKey : api.liveAppKey;
    // Only secret keys: publishable ones have no scopes.
    const lacking = route.scopes.length === 0 ? [] : [without, none, ...alone].map(({ key }) => key);
    await unchanged(t, async () => {
      for (const key of [...lacking, otherKind])
        refused(t, await call(t, api.baseUrl, line, { key, ...request }), 403, 'insufficient_scope');
    });
    for (const scope of route.scopes) {
      const { key } = await api.makeKey('live', [scope, ...also]);
      const fresh = await prepare(id);
      t.equal((await call(t, api.baseUrl, fresh.line, { key, ...request })).status, route.response.status, scope);
    }
  });
}

function bodyCases(id: OperationId): void {
  const route = routeOf(id);

  t.test(`${id} refuses a body that is not JSON, of another type, or too large`, async (t) => {
    const { line } = await prepare(id);
    const json = { 'content-type': 'application/json' };
    await unchanged(t, async () => {
      for (const rawBody of ['{', '{"a":}', 'nope', '{"a":1}}', '\u0000', new Uint8Array([0x22, 0xff, 0x22])])
        refused(t, await call(t, api.baseUrl, line, { key: keyFor(api, route), rawBody, headers: json }), 400, 'bad_request');
      for (const headers of [
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/x-www-form-urlencoded' },
        { 'content-type': 'application/xml' },
        { 'content-type': 'application/jsonx' },
        { ...json, 'content-encoding': 'gzip' },
      ])
        refused(t, await call(t, api.baseUrl, line, { key: keyFor(api, route), rawBody: '{}', headers }), 415, 'unsupported_media_type');
      const large = JSON.stringify({ data: 'x'.repeat(route.bodyBytesMax ?? 1024 * 1024) });
      refused(t, await call(t, api.baseUrl, line, { key: keyFor(api, route), rawBody: large }), 413, 'payload_too_large');
    });
  });

  t.test(`${id} refuses a body that is not an object, and members that it does not have`, async (t) => {
    const { line } = await prepare(id);
    await unchanged(t, async () => {
      for (const rawBody of ['[]', '1', '"x"', 'null', 'true']) {
        const answer = await call(t, api.baseUrl, line, { key: keyFor(api, route), rawBody });
        refused(t, answer, 422, 'validation_failed');
        t.match(answer.json.errors, [{ in: 'body', pointer: '' }], rawBody);
      }
      const rawBody = '{"nope":1,"a/b~c":2,"toString":3,"__proto__":{"x":1},"constructor":{"prototype":{}}}';
      const answer = await call(t, api.baseUrl, line, { key: keyFor(api, route), rawBody });
      refused(t, answer, 422, 'validation_failed');
      const pointers = answer.json.errors.map((error: { pointer: string }) => error.pointer);
      for (const pointer of ['/nope', '/a~1b~0c', '/toString', '/__proto__', '/constructor']) t.ok(pointers.includes(pointer), pointer);
    });
    if (route.body !== undefined && route.bodyOptional !== true) {
      const answer = await call(t, api.baseUrl, line, { key: keyFor(api, route) });
      refused(t, answer, 422, 'validation_failed');
    }
  });

  if (route.body !== undefined)
    t.test(`${id} names every field that is wrong`, async (t) => {
      const { line, body } = await prepare(id);
      const fields = Object.entries(route.body?.properties ?? {}) as [string, TSchema][];
      await unchanged(t, async () => {
        for (const [name, schema] of fields)
          for (const wrong of wrongValues(schema)) {
            if (wrong.value === null && takesNulls(route) && !route.body?.required?.includes(name)) continue;
            const answer = await call(t, api.baseUrl, line, { key: keyFor(api, route), body: { ...body, [name]: wrong.value } });
            refused(t, answer, 422, 'validation_failed');
            t.match(answer.json.errors, [{ in: 'body', pointer: `/${name}` }], `${name}: ${wrong.name}`);
            t.equal(answer.json.errors.length, 1, 'one error a field');
            if (wrong.name === 'half a surrogate pair')
              t.match(answer.json.errors[0].detail, 'surrogate', 'not of a control character alone');
          }
        const all = Object.fromEntries(fields.map(([name, schema]) => [name, wrongValues(schema)[0]?.value]));
        const answer = await call(t, api.baseUrl, line, { key: keyFor(api, route), body: all });
        t.same(answer.json.errors.map((error: { pointer: string }) => error.pointer).sort(), fields.map(([name]) => `/${name}`).sort());
      });
    });

  if (route.body !== undefined && takesNulls(route))
    t.test(`${id} takes null for every member that may be left out, as if it were`, async (t) => {
      const { line, body = {} } = await prepare(id);
      const optional = Object.keys(route.body?.properties ?? {}).filter((name) => !route.body?.required?.includes(name));
      const nulls = Object.fromEntries(optional.filter((name) => !(name in body)).map((name) => [name, null]));
      const answer = await call(t, api.baseUrl, line, { key: keyFor(api, route), body: { ...body, ...nulls } });
      t.equal(answer.status, route.response.status, answer.text);
    });

  if (honoursIdempotencyKey(route))
    t.test(`${id} gives its first answer again for the same Idempotency-Key`, async (t) => {
      const { line, body } = await prepare(id);
      const headers = { 'idempotency-key': randomUUID() };
      const request = { key: keyFor(api, route), headers, ...(body === undefined ? {} : { body }) };
      const first = await call(t, api.baseUrl, line, request);
      t.same([first.status, first.headers.get('idempotent-replayed')], [route.response.status, null]);
      await unchanged(t, async () => {
        const again = await call(t, api.baseUrl, line, request);
        t.same([again.status, again.text, again.headers.get('idempotent-replayed')], [first.status, first.text, 'true']);
      });
    });

  if (takesIdempotencyKey(route))
    t.test(`${id} refuses an Idempotency-Key that is not a UUID`, async (t) => {
      const { line, body } = await prepare(id);
      await unchanged(t, async () => {
        for (const value of ['x', '1', '0190b7f2-0000-7000-8000-00000000000', '{0190b7f2-0000-7000-8000-000000000001}']) {
          const answer = await call(t, api.baseUrl, line, {
            key: keyFor(api, route),
            headers: { 'idempotency-key': value },
            ...(body === undefined ? {} : { body }),
          });
          refused(t, answer, 422, 'validation_failed');
          t.match(answer.json.errors, [{ in: 'header', pointer: '/Idempotency-Key' }]);
        }
      });
    });
}

/** Every path of the route table, with its methods. */
const METHODS_OF = new Map<string, Set<string>>([['/openapi.json', new Set(['GET', 'HEAD', 'OPTIONS'])]]);
for (const id of OPERATION_IDS) {
  const { path, method } = routeOf(id);
  const methods = METHODS_OF.get(path) ?? new Set(['OPTIONS']);
  METHODS_OF.set(path, method === 'GET' ? methods.add('GET').add('HEAD') : methods.add(method));
}

t.test('every path tells which methods it has, to anyone who asks, and refuses the others', async (t) => {
  for (const [template, methods] of METHODS_OF) {
    const path = template.replaceAll(/\{\w+\}/g, 'x');
    const allow = (answer: ApiAnswer) => answer.headers.get('allow')?.split(', ').sort();
    const options = await call(t, api.baseUrl, `OPTIONS ${path}`);
    t.equal(options.status, 204, path);
    t.same(allow(options), [...methods].sort(), path);
    t.equal(options.text, '');
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (methods.has(method)) continue;
      // An answer to HEAD has no body to check.
      const answer = await (method === 'HEAD' ? send(api.baseUrl, `HEAD ${path}`) : call(t, api.baseUrl, `${method} ${path}`));
      t.equal(answer.status, 405, `${method} ${path}`);
      if (method !== 'HEAD') t.equal(answer.json.code, 'method_not_allowed');
      t.same(allow(answer), [...methods].sort(), path);
    }
  }
});

t.test('unknown paths are 404 with any method, body and key', async (t) => {
  for (const line of ['GET /', 'GET /nope', 'POST /links/', 'PATCH /links//stats', 'GET /Links', 'OPTIONS /nope'])
    refused(t, await call(t, api.baseUrl, line, { key: api.liveKey }), 404, 'not_found');
});

t.test('no answer carries a CORS header, and browsers get no preflight', async (t) => {
  for (const [template, methods] of METHODS_OF) {
    if (template.startsWith('/sdk/')) continue;
    const path = template.replaceAll(/\{\w+\}/g, 'x');
    for (const method of [...methods, 'TRACE']) {
      // Sent over a raw socket, because fetch refuses some of these requests.
      const answer = await rawRequest(
        api.port,
        `${method} /v1${path} HTTP/1.1\r\nHost: a\r\nOrigin: https://example.com\r\nAccess-Control-Request-Method: POST\r\nAuthorization: Bearer ${api.liveKey}\r\nConnection: close\r\n\r\n`,
      );
      t.match(answer, /^HTTP\/1\.1 \d{3} [\s\S]*x-request-id: \S+/i, `${method} ${path}`);
      t.notMatch(answer, /access-control-/i, `${method} ${path}`);
    }
  }
});

t.test('every answer has a request id of its own', async (t) => {
  const ids = new Set<string | null>();
  for (const line of ['GET /links', 'GET /nope', 'OPTIONS /links', 'PUT /links', 'GET /openapi.json'])
    for (let repeat = 0; repeat < 2; repeat++) {
      const answer = await call(t, api.baseUrl, line, { key: api.liveKey, headers: { 'x-request-id': 'chosen-by-the-caller' } });
      ids.add(answer.headers.get('x-request-id'));
    }
  t.equal(ids.size, 10);
  t.notOk(ids.has('chosen-by-the-caller'));
});

t.test('what is not HTTP is answered 400 and closed', async (t) => {
  for (const text of [
    'GARBAGE\r\n\r\n',
    'GET /v1/links HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n',
    'POST /v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'POST /v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
  ])
    t.match(await rawRequest(api.port, text), /^HTTP\/1.1 400 [\s\S]*X-Request-Id[\s\S]*"code":"bad_request"/i);
});

t.test('the document is served to everybody', async (t) => {
  const answer = await call(t, empty.baseUrl, 'GET /openapi.json');
  t.equal(answer.status, 200);
  t.equal(answer.json.openapi, '3.1.1');
});
