import pg from 'pg';
import t from 'tap';
import { arrayLiteral } from '../../../control-plane/db/array-literal.js';
import { createDatabase } from '../../support/database.js';
import fc from '../../support/properties.js';

t.test('PostgreSQL reads array literals back as the same values', async (t) => {
  const own = await createDatabase();
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await own.drop();
  });
  const readBack = async (values: readonly (string | null)[]) =>
    (await client.query<{ values: (string | null)[] }>('SELECT $1::text[] AS values', [arrayLiteral(values)])).rows[0]?.values;
  for (const values of [
    [],
    [null],
    ['NULL', '', 'a b', '{a,b}'],
    ['"', '\\', '\\"', '\n"\t', '"\u{1f600}', '"\u{e9}\u2028'],
    ['{"a":"\\"b\\\\"}'],
  ])
    t.same(await readBack(values), values);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.string({ unit: fc.constantFrom(...'"\\{},\n\t aN\u00e9\u{1f600}\u007f') }))), async (values) => {
      t.same(await readBack(values), values);
    }),
  );
  const { rows } = await client.query('SELECT $1::integer[] AS numbers, $2::boolean[] AS flags', [
    arrayLiteral([1, null, -7]),
    arrayLiteral([true, false, null]),
  ]);
  t.same(rows, [{ numbers: [1, null, -7], flags: [true, false, null] }]);
});
