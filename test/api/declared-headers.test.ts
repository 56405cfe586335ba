import t from 'tap';
import type { Route } from '../../shared/contract/routes/route.js';
import { OPERATION_IDS, routeOf } from '../../shared/contract/routes.js';
import { type ApiAnswer, send } from './api-client.js';
import { startApiServer } from './api-server.js';
import { EXAMPLES, keyFor, pathOf } from './examples.js';

/** Tests that every header of an answer that concerns this API is one that the OpenAPI document declares for its status. */

const LIMIT = 100_000;
const api = await startApiServer(t, {
  rateLimitPerMinute: LIMIT,
  addressRateLimitPerMinute: LIMIT,
  keylessRateLimitPerMinute: LIMIT,
});
const { json: document } = await send(api.baseUrl, 'GET /openapi.json');

const OURS = /^(?:ratelimit-|retry-after$|www-authenticate$|allow$|location$|etag$|idempotent-replayed$)/;

function undeclared(method: string, path: string, answer: ApiAnswer): readonly string[] {
  const response = document.paths[path][method.toLowerCase()].responses[answer.status];
  const name = response?.$ref?.split('/').at(-1);
  const declared = Object.keys((name === undefined ? response : document.components.responses[name]).headers);
  const known = new Set(declared.map((each) => each.toLowerCase()));
  return [...answer.headers.keys()].filter((each) => OURS.test(each) && !known.has(each));
}

for (const id of OPERATION_IDS)
  t.test(`${id} answers with headers that are declared`, async (t) => {
    const route: Route = routeOf(id);
    const { params, body } = await EXAMPLES[id](api);
    const lineOf = (values: typeof params) => `${route.method} ${pathOf(route, values)}`;
    const ask = (line: string, key: string) => send(api.baseUrl, line, { key, ...(body === undefined ? {} : { body }) });
    const key = keyFor(api, route);
    const otherKind = key === api.liveKey ? api.liveAppKey : api.liveKey;
    const answers = [
      await ask(`${lineOf(params)}?no_such_parameter=1`, key),
      await ask(lineOf(Object.fromEntries(Object.keys(params).map((name) => [name, 'x']))), key),
      ...(await Promise.all(['pk_live_short', `sk_live_${'a'.repeat(32)}`, otherKind].map((each) => ask(lineOf(params), each)))),
      // A stream of events does not end.
      ...(route.response.events === undefined ? [await ask(lineOf(params), key)] : []),
    ].filter(({ status }) => status !== 200 || route.response.events === undefined);
    t.ok(answers.some(({ status, headers }) => status >= 400 && headers.has('ratelimit-remaining')));
    for (const answer of answers) t.same(undeclared(route.method, route.path, answer), [], `${answer.status}`);
  });
