import t from 'tap';
import { readLinkByPath } from '../../../engine/sql/read-link-by-path.js';
import { configFixture } from '../sync/config-fixture.js';

t.test('the lookup uses the unique index and one prepared statement', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await fixture.pool.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
     SELECT new_id('lnk_', now()), $1, 'p' || n, '/', now(), now() FROM generate_series(1, 5000) AS n`,
    [fixture.environmentIds[0]],
  );
  await fixture.pool.query('ANALYZE links');
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  for (const path of ['p1', 'p5000', 'P1', 'p0', '', "p1' OR true --"]) {
    const row = await readLinkByPath(client, fixture.environmentIds[0], path);
    t.equal(row?.path ?? null, /^p[1-9]\d*$/.test(path) ? path : null, path);
  }
  const prepared = await client.query('SELECT statement FROM pg_prepared_statements');
  t.equal(prepared.rows.length, 1);
  const { rows } = await client.query(`EXPLAIN EXECUTE read_link_by_path ('${fixture.environmentIds[0]}', 'p77')`);
  t.match(JSON.stringify(rows), /Index Scan using links_environment_id_path_key/);
});
