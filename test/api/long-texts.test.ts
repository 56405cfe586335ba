import t from 'tap';
import { BODY_BYTES_MAX, LARGE_CALL_BYTES_MIN } from '../../shared/base/limits.js';
import { OPERATION_IDS, routeOf } from '../../shared/contract/routes.js';
import { send } from './api-client.js';
import { startApiServer } from './api-server.js';
import { EXAMPLES, keyFor, pathOf } from './examples.js';

/**
 * Tests texts that are far longer than their fields may be, of the kinds that make parsers and regular expressions slow. No operation may
 * take longer for one than it takes to read it, because all other calls wait meanwhile.
 */

const api = await startApiServer(t);
const ANSWER_MS_MAX = 1_000;
const CHARACTERS = 60_000;

/** Different characters, because Punycode has to order them. */
const letters = Array.from({ length: CHARACTERS }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20_000))).join('');
const repeated = (text: string) => text.repeat(CHARACTERS / text.length);

/** Each is cut to the number of characters, before what it has to end with. */
const TEXTS: Readonly<Record<string, readonly [text: string, end: string]>> = {
  letters: [letters, ''],
  labels: [repeated('例.'), ''],
  'a URL of letters': [`https://${letters}`, '.example/'],
  'a URL of umlauts': [`https://${repeated('é')}`, '/'],
  'a URL with a tab': [`ht\ttps:${letters}`, '/'],
  dashes: [`inexact${repeated('-')}`, ''],
  blanks: [`a${repeated(' ')}`, 'a'],
  slashes: [repeated('/'), ''],
  placeholders: [`https://example.com/${repeated('{id}')}`, ''],
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** A body with the text wherever the schema has a text, or says nothing. */
function bodyWith({ properties, items }: Schema, text: string): unknown {
  if (items !== undefined) return [bodyWith(items, text)];
  if (properties === undefined) return text;
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, bodyWith(member, text)]));
}

function countOf({ properties, items }: Schema): number {
  if (items !== undefined) return countOf(items);
  return properties === undefined ? 1 : Object.values(properties).reduce((sum, member) => sum + countOf(member), 0);
}

/** A number that makes the parser look for others like it. */
const LONG_INTEGER = '9007199254740993';

/** Larger than what the event loop handles by itself. */
const THREAD_BODY = JSON.stringify({ unknown: 'x'.repeat(LARGE_CALL_BYTES_MIN) });

for (const id of OPERATION_IDS) {
  const route = routeOf(id);
  const schema = route.body;
  if (schema === undefined) continue;

  t.test(`${id} answers soon, however long its texts are`, async (t) => {
    const path = pathOf(route, (await EXAMPLES[id](api)).params);
    const ask = (rawBody: string) => send(api.baseUrl, `${route.method} ${path}`, { key: keyFor(api, route), rawBody });
    const characters = Math.min(CHARACTERS, Math.floor((route.bodyBytesMax ?? BODY_BYTES_MAX) / 4 / countOf(schema as Schema)));
    // The first calls compile the schema and start the thread.
    for (const rawBody of ['{}', THREAD_BODY]) await ask(rawBody);
    for (const [name, [text, end]] of Object.entries(TEXTS)) {
      const body = JSON.stringify(bodyWith(schema as Schema, text.slice(0, characters) + end));
      const began = performance.now();
      const { status } = await ask(body.replace(/^\{/, `{"unknown":${LONG_INTEGER},`));
      t.ok(status >= 400 && status < 500 && status !== 413, `${name}: ${status}`);
      t.ok(performance.now() - began < ANSWER_MS_MAX, `${name}: ${performance.now() - began} ms`);
    }
  });
}
