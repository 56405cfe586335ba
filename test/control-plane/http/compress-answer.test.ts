import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import t from 'tap';
import { compressAnswer } from '../../../control-plane/http/compress-answer.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const LONG = Buffer.from(JSON.stringify(Array.from({ length: 200 }, (_, number) => ({ id: `lnk_${number}` }))));

interface Case {
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly accepts?: string;
  /** The headers of the answer: its content encoding and `Vary`. */
  readonly expected: readonly [encoding: string | undefined, vary: string | undefined];
}

const CASES: readonly Case[] = [
  { name: 'a long answer', accepts: 'gzip, deflate, br', expected: ['gzip', 'Accept-Encoding'] },
  { name: 'its head', method: 'HEAD', accepts: 'gzip', expected: ['gzip', 'Accept-Encoding'] },
  { name: 'what varies already', accepts: 'gzip', headers: { vary: 'Origin' }, expected: ['gzip', 'Origin, Accept-Encoding'] },
  { name: 'a client that takes none', expected: [undefined, 'Accept-Encoding'] },
  { name: 'a client that refuses it', accepts: 'gzip;q=0, *', expected: [undefined, 'Accept-Encoding'] },
  { name: 'a short answer', accepts: 'gzip', body: LONG.subarray(0, 1_399), expected: [undefined, undefined] },
  { name: 'the shortest that pays', accepts: 'gzip', body: LONG.subarray(0, 1_400), expected: ['gzip', 'Accept-Encoding'] },
  { name: 'an object with an entity tag', accepts: 'gzip', headers: { etag: '"a"' }, expected: [undefined, undefined] },
  { name: 'a picture', accepts: 'gzip', headers: { 'content-type': 'image/png' }, expected: [undefined, undefined] },
  { name: 'a write', method: 'POST', accepts: 'gzip', expected: [undefined, undefined] },
];

t.test('long answers to reads are compressed for clients that accept it', async (t) => {
  const app = fastify();
  app.addHook('onSend', compressAnswer);
  for (const [index, { headers, body }] of CASES.entries())
    app.route({
      method: ['GET', 'POST'],
      url: `/${index}`,
      handler: (_request, reply) => reply.headers({ 'content-type': JSON_TYPE, ...headers }).send(body ?? LONG),
    });
  t.teardown(() => app.close());
  const lengths = new Map<string, unknown>();
  for (const [index, { name, body, method = 'GET', accepts, expected }] of CASES.entries()) {
    const answer = await app.inject({ method, url: `/${index}`, headers: accepts === undefined ? {} : { 'accept-encoding': accepts } });
    t.strictSame([answer.headers['content-encoding'], answer.headers.vary], expected, name);
    lengths.set(name, answer.headers['content-length']);
    const read = expected[0] === undefined ? answer.rawPayload : method === 'HEAD' ? null : gunzipSync(answer.rawPayload);
    if (method === 'HEAD') t.equal(answer.rawPayload.length, 0, name);
    else t.strictSame(read, body ?? LONG, name);
  }
  t.equal(lengths.get('its head'), lengths.get('a long answer'), 'the answer to HEAD has the length of the answer to GET');
});
