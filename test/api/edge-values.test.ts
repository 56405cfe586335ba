import t from 'tap';
import type { TSchema } from 'typebox';
import { ID_PREFIXES } from '../../shared/base/ids.js';
import { OPERATION_IDS, routeOf } from '../../shared/contract/routes.js';
import { send } from './api-client.js';
import { startApiServer } from './api-server.js';
import { EXAMPLES, keyFor, pathOf } from './examples.js';

/**
 * Tests values that JavaScript can hold and PostgreSQL cannot, in every text, day, time and id. The API must refuse or accept
 * them, and never fail.
 */

const api = await startApiServer(t);

/** A ULID of the year 10889. */
const LAST_ULID = `7${'z'.repeat(25)}`;
const TIMES = ['0000-06-01T00:00:00Z', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59.999Z'];
const DAYS = ['0000-01-01', '0001-01-01', '9999-12-31'];
const TEXTS = ['\0', 'a\0b'];
const IDS = Object.values(ID_PREFIXES).map((prefix) => prefix + LAST_ULID);

/** The edge values for a member; none if it takes no text. */
function edgesOf(schema: TSchema): readonly string[] {
  const { type, format, anyOf, pattern } = schema as { type?: unknown; format?: string; anyOf?: readonly TSchema[]; pattern?: string };
  if (anyOf !== undefined) return anyOf.flatMap(edgesOf);
  if (![type].flat().includes('string')) return [];
  if (format === 'date-time') return TIMES;
  if (format === 'date') return DAYS;
  const prefixes = Object.values(ID_PREFIXES).filter((prefix) => pattern?.startsWith(`^${prefix}`));
  return prefixes.length > 0 ? prefixes.map((prefix) => prefix + LAST_ULID) : [...TEXTS, `clk_${LAST_ULID}`];
}

const membersOf = (schema: unknown) => Object.entries((schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {});

for (const id of OPERATION_IDS) {
  const route = routeOf(id);
  t.test(`${id} answers the edges of every text, day, time and id`, async (t) => {
    const failed: string[] = [];
    const ask = async (what: string, line: string, body?: unknown) => {
      const { status, text } = await send(api.baseUrl, line, { key: keyFor(api, route), ...(body === undefined ? {} : { body }) });
      if (status >= 500) failed.push(`${what}: ${status} ${text}`);
    };
    const example = await EXAMPLES[id](api);
    const path = pathOf(route, example.params);
    for (const [name, schema] of membersOf(route.query))
      for (const value of edgesOf(schema))
        await ask(`?${name}=${value}`, `${route.method} ${path}?${name}=${encodeURIComponent(value)}`, example.body);
    for (const name of Object.keys(example.params))
      for (const value of [...IDS, '%00'])
        await ask(`${name} ${value}`, `${route.method} ${pathOf(route, { ...example.params, [name]: value })}`, example.body);
    for (const [name, schema] of membersOf(route.body))
      for (const value of edgesOf(schema)) await ask(`${name}: ${value}`, `${route.method} ${path}`, { ...example.body, [name]: value });
    t.strictSame(failed, []);
  });
}
