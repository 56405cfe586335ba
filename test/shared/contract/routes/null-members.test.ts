import t from 'tap';
import type { TSchema } from 'typebox';
import { compileValidator } from '../../../../control-plane/http/validate.js';
import { bodyWithoutNulls, takesNulls, withNulls, withoutNulls } from '../../../../shared/contract/routes/null-members.js';
import { OPERATION_IDS, routeOf } from '../../../../shared/contract/routes.js';

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const DATA = { type: 'object', additionalProperties: true };
const INNER = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: ['integer', 'null'] }, kind: { type: 'string', enum: ['a', 'b'] } },
  required: ['name'],
};
const OUTER = {
  type: 'object',
  properties: { data: DATA, inner: INNER, list: { type: 'array', items: INNER }, anything: {}, flag: { type: 'boolean' } },
};

t.test('a null member is removed if it is optional and its schema does not allow null', async (t) => {
  for (const [given, kept] of [
    [{ flag: null }, {}],
    [{ flag: null, data: { flag: null } }, { data: { flag: null } }],
    [{ data: null, inner: null, list: null }, {}],
    [{ inner: { name: null, size: null, kind: null } }, { inner: { name: null, size: null } }],
    [{ list: [{ name: 'x', kind: null }, null, 7] }, { list: [{ name: 'x' }, null, 7] }],
    [
      { anything: null, unknown: null },
      { anything: null, unknown: null },
    ],
    [JSON.parse('{"__proto__": null, "constructor": null}'), JSON.parse('{"__proto__": null, "constructor": null}')],
    [null, null],
    ['text', 'text'],
  ] as const) {
    const before = JSON.stringify(given);
    t.equal(JSON.stringify(withoutNulls(OUTER, given)), JSON.stringify(kept));
    t.equal(JSON.stringify(given), before, 'the given body is unchanged');
  }
  const clean = { data: { a: null }, inner: { name: 'x' }, list: [{ name: 'y' }] };
  t.equal(withoutNulls(OUTER, clean), clean, 'the body is not copied');
});

t.test('the document allows exactly those nulls', async (t) => {
  const valid = compileValidator({ ...withNulls(OUTER), additionalProperties: false } as unknown as TSchema, 'body');
  t.same(valid({ flag: null, data: null, inner: { name: 'x', size: null, kind: null }, list: [{ name: 'y', kind: null }] }), []);
  t.match(valid({ inner: { name: null } }), [{ pointer: '/inner/name' }]);
  t.match(valid({ list: [{ name: null }] }), [{ pointer: '/list/0/name' }]);
  t.equal(withNulls(DATA), DATA);
});

/** The example, with null for every optional member that it lacks. */
function nulled(schema: Schema, example: unknown): unknown {
  if (schema.properties === undefined || typeof example !== 'object' || example === null) return example;
  const members = Object.entries(schema.properties).map(([name, field]) => {
    if (name in example) return [name, nulled(field, (example as Record<string, unknown>)[name])];
    return schema.required?.includes(name) ? [] : [name, null];
  });
  return Object.fromEntries(members.filter(([name]) => name !== undefined));
}

t.test('the bodies of POST and PUT accept such nulls, and no other bodies do', async (t) => {
  for (const id of OPERATION_IDS) {
    const route = routeOf(id);
    const schema = route.body as (TSchema & Schema) | undefined;
    if (schema === undefined) continue;
    const validate = compileValidator(schema, 'body');
    const documented = compileValidator(withNulls(schema), 'body');
    for (const example of Object.values(route.examples ?? {})) {
      const body = nulled(schema, example);
      if (!takesNulls(route)) t.equal(bodyWithoutNulls(route, body), body, id);
      else {
        t.same(validate(bodyWithoutNulls(route, body)), [], id);
        t.same(documented(body), [], id);
      }
    }
  }
});
