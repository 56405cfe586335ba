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

t.test('a text that any pattern of a request refuses is told what it must be, in words', async (t) => {
  const requests = Object.values<Route>(ROUTES).flatMap(({ params, query, body, items }) => [params, query, body, items?.schema]);
  const patterns = new Set(requests.flatMap(patternsIn));
  t.same(Object.keys(PATTERN_WORDING).toSorted(), [...patterns].toSorted());
  for (const [pattern, wording] of Object.entries(PATTERN_WORDING)) t.notMatch(wording, pattern, 'no expression is quoted');
});
