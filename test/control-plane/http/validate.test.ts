import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { Type } from 'typebox';
import { compileValidator } from '../../../control-plane/http/validate.js';
import type { Route } from '../../../shared/contract/routes/route.js';
import { ROUTES } from '../../../shared/contract/routes.js';
import { nullable, oneOf } from '../../../shared/contract/schemas/fields.js';

t.test('every schema of a route is valid JSON Schema and can be compiled', async (t) => {
  const rules = new Ajv2020();
  for (const [id, { query, body }] of Object.entries<Route>(ROUTES))
    for (const [place, schema] of [
      ['query', query],
      ['body', body],
    ] as const) {
      if (schema === undefined) continue;
      t.ok(rules.validateSchema(schema), `${place} of ${id}: ${rules.errorsText(rules.errors)}`);
      t.doesNotThrow(() => compileValidator(schema, place)({}), `${place} of ${id}`);
    }
});

t.test('a schema with an unknown keyword is refused at its first value', async (t) => {
  const validate = compileValidator(Type.Object({ name: Type.String({ maximumLength: 3 }) }), 'body');
  t.throws(() => validate({ name: 'a' }), { message: /unknown keyword: "maximumLength"/ });
});

t.test('a number that was read as NaN has another error than a value of a wrong type', async (t) => {
  const validate = compileValidator(Type.Object({ count: Type.Integer(), value: Type.Union([Type.Number(), Type.Null()]) }), 'body');
  t.match(validate({ count: Number.NaN, value: 1 }), [{ pointer: '/count', code: 'number_not_exact' }]);
  t.match(validate({ count: '1', value: 1 }), [{ pointer: '/count', code: 'wrong_type' }]);
});

t.test('what is expected is named with its article, and null among the values', async (t) => {
  const body = Type.Object({
    range: nullable(oneOf(['today', 'month'], 'Days')),
    links: Type.Array(Type.Object({})),
    shared: Type.Boolean(),
  });
  const errors = compileValidator(body, 'body')({ range: 'year', links: [5], shared: 'yes' });
  t.same(
    errors.map(({ pointer, detail }) => `${pointer} ${detail}`),
    ['/range must be one of today, month, null', '/links/0 must be an object', '/shared must be a boolean'],
  );
  t.match(compileValidator(Type.Object({ data: nullable(Type.Object({})) }), 'body')({ data: [] }), [
    { detail: 'must be an object or null' },
  ]);
});
