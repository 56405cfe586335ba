import t from 'tap';
import { OPERATION_IDS, routeOf } from '../../shared/contract/routes.js';
import fc from '../support/properties.js';
import { documentFaults, send } from './api-client.js';
import { startApiServer } from './api-server.js';
import { EXAMPLES, keyFor, pathOf } from './examples.js';
import { rawRequest } from './raw-request.js';

/**
 * Tests bodies that no client library sends. Every operation must answer them as documented and soon, and must reveal nothing of
 * its internals.
 */

const api = await startApiServer(t);
const ANSWER_MS_MAX = 5_000;
const STACK = /node_modules|\.js:\d+|\n\s+at |TypeError|RangeError|SyntaxError|pg_|SELECT /;

/** `size` scales the large bodies, from 0 to 1. */
function bodies(fields: readonly string[], size: number): readonly (readonly [string, string | Uint8Array])[] {
  const field = fields[0] ?? 'field';
  const member = (json: string) => `{"${field}":${json}}`;
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  return [
    ['arrays in each other', nested(200_000 * size)],
    ['arrays that do not end', '['.repeat(200_000 * size)],
    ['objects in each other', member(objects(100_000 * size))],
    ['deep custom data', `{"data":${objects(100_000 * size)}}`],
    ['a number beyond every range', member('1e999')],
    ['a negative one', member('-1e999')],
    ['a number of many digits', member('9'.repeat(100_000 * size))],
    ['a member twice', `{"${field}":"a","${field}":"b"}`],
    ['many unknown members', `{${Array.from({ length: 50_000 * size }, (_, index) => `"k${index}":0`).join()}}`],
    ['a long key', `{"${'k'.repeat(500_000 * size)}":0}`],
    ['a prototype by escape', '{"__pr\\u006fto__":{"x":1}}'],
    ['UTF-16', Buffer.from(member('"a"'), 'utf16le')],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${member('"a"')}`)],
    ['Latin-1', Buffer.from(member('"é"'), 'latin1')],
    ['half a character at the end', Buffer.from(member('"é"')).subarray(0, -3)],
    ['an overlong encoding of a slash', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
    ['escaped halves of surrogate pairs', member('"\\ud800\\udc00\\udc00"')],
    ['control characters', member('"\\u0000\\u0007\\u001b[2J"')],
    ['raw control characters', member('"\u0007"')],
    ['JSON5', `{${field}: 'a', /* x */ }`],
    ['white space alone', ' '.repeat(100_000)],
    ['two documents', '{}{}'],
  ];
}

/**
 * The methods that have received the largest bodies. All operations read bodies alike, so that one operation of each method is
 * enough; the others get a fifth, which is still nested more deeply than a stack allows.
 */
const readAtFullSize = new Set<string>();

for (const id of OPERATION_IDS) {
  const route = routeOf(id);
  if (route.method !== 'POST' && route.method !== 'PATCH' && route.method !== 'PUT') continue;

  t.test(`${id} answers bodies made to break it as documented, and soon`, async (t) => {
    const path = pathOf(route, (await EXAMPLES[id](api)).params);
    const ask = async (what: string, rawBody: string | Uint8Array, contentType = 'application/json') => {
      const started = performance.now();
      const headers = { 'content-type': contentType };
      const answer = await send(api.baseUrl, `${route.method} ${path}`, { key: keyFor(api, route), rawBody, headers });
      const faults = [...documentFaults(route.method, path, answer)];
      if (answer.status >= 500) faults.push(`status ${answer.status}`);
      if (STACK.test(answer.text)) faults.push(`tells of its inside: ${answer.text.slice(0, 200)}`);
      if (performance.now() - started > ANSWER_MS_MAX) faults.push('took too long');
      return faults.map((fault) => `${what}: ${fault}`);
    };
    const size = readAtFullSize.has(route.method) ? 0.2 : 1;
    readAtFullSize.add(route.method);
    for (const [what, body] of bodies(Object.keys(route.body?.properties ?? {}), size)) t.same(await ask(what, body), [], what);
    for (const type of [
      'application/json; charset=utf-16',
      'application/json; charset=\u00e9',
      'application/json;',
      'application/json/x',
      ', , ,',
    ])
      t.same(await ask(type, '{}', type), [], type);
    const bytes = fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), async (body) => {
      const faults = await ask('bytes', body);
      if (faults.length > 0) throw new Error(faults.join('; '));
    });
    await t.resolves(fc.assert(bytes, { numRuns: 10 }));
  });
}

t.test('requests of random bytes after a valid beginning are answered or closed, and the server goes on', async (t) => {
  const beginnings = [
    '',
    'GET /v1/links',
    'POST /v1/links HTTP/1.1\r\nHost: a\r\n',
    `POST /v1/links HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.liveKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `GET /v1/links?cursor=`,
  ];
  const property = fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }), async (beginning, bytes) => {
    const answer = await rawRequest(api.port, Buffer.concat([Buffer.from(beginning), bytes, Buffer.from('\r\n\r\n')]), {
      endsAtOnce: true,
    });
    if (answer !== '' && !/^HTTP\/1\.1 [234]\d\d /.test(answer)) throw new Error(answer);
    if (STACK.test(answer)) throw new Error(answer);
  });
  await t.resolves(fc.assert(property, { numRuns: 100 }));
  t.equal((await send(api.baseUrl, 'GET /links', { key: api.liveKey })).status, 200);
});
