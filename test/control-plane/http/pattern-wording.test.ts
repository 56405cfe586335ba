import t from 'tap';
import { PATTERN_WORDING } from '../../../control-plane/http/pattern-wording.js';
import type { Route } from '../../../shared/contract/routes/route.js';
import { ROUTES } from '../../../shared/contract/routes.js';

/** Every `pattern` in a schema. */
function patternsIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern } = schema as { pattern?: unknown };
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(schema).flatMap(patternsIn)];
}

t.test('every pattern of a request has a wording for the error message', async (t) => {
  const requests = Object.values<Route>(ROUTES).flatMap(({ params, query, body, items }) => [params, query, body, items?.schema]);
  const patterns = new Set(requests.flatMap(patternsIn));
  t.same(Object.keys(PATTERN_WORDING).toSorted(), [...patterns].toSorted());
  for (const [pattern, wording] of Object.entries(PATTERN_WORDING)) t.notMatch(wording, pattern, 'the wording does not quote the pattern');
});
