import t from 'tap';
import { createPool, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { createSchemaCheck } from '../../../control-plane/db/schema-check.js';
import { createDatabase } from '../../support/database.js';

t.test('the check fails while a migration of this build is missing, and accepts one of a later build', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  const database = databaseOf(pool);
  const run = (text: string, values: readonly unknown[] = []) => database.query<{ name: string }>({ text, values: [...values] });
  await run("INSERT INTO schema_migrations (name, run_on) VALUES ('9999_of_a_later_build', now())");
  t.same(await createSchemaCheck(database)(), { part: 'schema', ok: true, reason: '' });
  const { rows } = await run("DELETE FROM schema_migrations WHERE name = '0001_first_schema' RETURNING name");
  const check = createSchemaCheck(database);
  t.match(await check(), { part: 'schema', ok: false, reason: /"linkd migrate".*0001_first_schema/ });
  await run('INSERT INTO schema_migrations (name, run_on) VALUES ($1, now())', [rows[0]?.name]);
  t.equal((await check()).ok, true);
  await run('DROP TABLE schema_migrations');
  t.match(await createSchemaCheck(database)(), { ok: false, reason: /0001_first_schema/ });
});

t.test('the check fails while PostgreSQL cannot be reached', async (t) => {
  const pool = createPool('postgres://postgres@127.0.0.1:1/none', 1, 'test', () => {});
  t.teardown(() => pool.end());
  t.match(await createSchemaCheck(databaseOf(pool))(), { part: 'schema', ok: false, reason: /cannot be reached/ });
});
