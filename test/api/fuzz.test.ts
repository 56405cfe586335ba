import t from 'tap';
import { OPERATION_IDS, routeOf } from '../../shared/contract/routes.js';
import fc from '../support/properties.js';
import { documentFaults, send } from './api-client.js';
import { startApiServer } from './api-server.js';
import { EXAMPLES, keyFor, pathOf } from './examples.js';

/** Few runs by default; FUZZ_RUNS sets any number. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 30);

const api = await startApiServer(t);

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    'https://example.com/\u0000',
    '2026-01-01T00:00:00Z',
    '__proto__',
    'x'.repeat(5_000),
    1e308,
    -0,
    [],
    {},
  ),
);

for (const id of OPERATION_IDS) {
  const route = routeOf(id);
  const bodyFields = Object.keys(route.body?.properties ?? {});
  const queryFields = Object.keys(route.query?.properties ?? {});
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom(...bodyFields, 'nope', 'constructor'), odd, { maxKeys: 5 }).map((value) => JSON.stringify(value)),
    odd.map((value) => JSON.stringify(value)),
    fc.uint8Array({ maxLength: 200 }),
  );
  const query = fc.dictionary(fc.constantFrom(...queryFields, 'nope', '__proto__'), fc.string({ unit: 'grapheme', maxLength: 30 }), {
    maxKeys: 3,
  });
  const segment = fc.oneof(fc.constant(null), fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 60 }));

  t.test(`${id} answers whatever it is sent as documented, and never fails`, async (t) => {
    const example = await EXAMPLES[id](api);
    const takesBody = route.method === 'POST' || route.method === 'PATCH' || route.method === 'PUT';
    const property = fc.asyncProperty(body, query, segment, async (rawBody, parameters, replaced) => {
      const params = Object.fromEntries(
        Object.entries(example.params).map(([name, value]) => [name, replaced === null ? value : encodeURIComponent(replaced)]),
      );
      const path = pathOf(route, params);
      const search = new URLSearchParams(parameters).toString();
      const answer = await send(api.baseUrl, `${route.method} ${path}?${search}`, {
        key: keyFor(api, route),
        ...(takesBody ? { rawBody } : {}),
      });
      if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
      // The client resolves a segment of dots, so that the request goes to another path.
      if (replaced !== null && /^\.+$/.test(replaced)) return;
      const faults = documentFaults(route.method, path, answer);
      if (faults.length > 0) throw new Error(faults.join('; '));
    });
    await t.resolves(fc.assert(property, { numRuns: RUNS }));
  });
}
