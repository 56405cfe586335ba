import t from 'tap';
import { readLinksByPath } from '../../../engine/read-through/sql.js';
import { configFixture } from '../sync/config-fixture.js';

t.test('the look-up uses the unique index and one prepared statement, for one path and for many', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const [environmentId, other] = fixture.environmentIds;
  await fixture.pool.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
     SELECT new_id('lnk_', now()), $1, 'p' || n, '/', now(), now() FROM generate_series(1, 5000) AS n`,
    [environmentId],
  );
  await fixture.pool.query('ANALYZE links');
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  const found = async (paths: readonly string[], of = environmentId) =>
    (
      await readLinksByPath(
        client,
        paths.map((path) => ({ environmentId: of, path })),
      )
    )
      .map(({ path }) => path)
      .toSorted();
  const strange = ['P1', 'p0', '', "p1' OR true --", '{p1}', 'p1,p2'];
  for (const path of strange) t.same(await found([path]), [], path);
  t.same(await found(['p1', ...strange, 'p5000']), ['p1', 'p5000']);
  t.same(await found(['p1'], other), [], 'a path of another environment');
  t.same(await found([]), []);
  const many = Array.from({ length: 600 }, (_, n) => `p${4800 + n}`);
  for (let round = 0; round < 10; round++) t.equal((await found(many)).length, 201);
  const prepared = await client.query('SELECT statement FROM pg_prepared_statements');
  t.equal(prepared.rows.length, 1);
  const environments = `{${many.map(() => environmentId).join()}}`;
  const { rows } = await client.query(`EXPLAIN EXECUTE read_links_by_path ('${environments}', '{${many.join()}}')`);
  t.match(JSON.stringify(rows), /Index Scan using links_environment_id_path_key/);
});
