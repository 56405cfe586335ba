import t from 'tap';
import { createPool } from '../../../control-plane/db/database.js';
import { migrate } from '../../../control-plane/db/migrate.js';
import { createDatabase } from '../../support/database.js';

t.test('a database that other migrations made than those of releases is refused, and left as it is', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  await pool.query("UPDATE schema_migrations SET name = '0001_spine'");
  await t.rejects(migrate(own.url), { name: 'SettingError', message: /older than 0001_first_schema/ });
  t.match((await pool.query('SELECT name FROM schema_migrations')).rows, [{ name: '0001_spine' }]);
});

t.test('numbers of migrations may have gaps', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  await pool.query("INSERT INTO schema_migrations (name, run_on) VALUES ('9999_of_a_later_build', now())");
  t.same(await migrate(own.url), []);
});
