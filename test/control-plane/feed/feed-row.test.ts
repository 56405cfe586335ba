import pg from 'pg';
import t from 'tap';
import { FEED_INSERT, insertFeedRows } from '../../../control-plane/feed/feed-row.js';
import { createDatabase } from '../../support/database.js';

const database = await createDatabase();
const client = new pg.Client(database.url);
await client.connect();
t.teardown(async () => {
  await client.end();
  await database.drop();
});

const stored = async () =>
  (await client.query('SELECT position, kind, environment_id, object_id, object_key FROM config_feed ORDER BY id')).rows;

t.test('rows are stored in their order and without a position, and only with the transaction', async (t) => {
  const rows = [
    { kind: 'environment' as const, environment_id: 'env_1', object_id: 'env_1', object_key: '7' },
    { kind: 'link' as const, environment_id: 'env_1', object_id: 'lnk_1', object_key: "it's; a path" },
  ];
  await client.query('BEGIN');
  await insertFeedRows(client, rows);
  await client.query('ROLLBACK');
  t.strictSame(await stored(), []);
  await insertFeedRows(client, rows);
  await insertFeedRows(client, []);
  t.strictSame(
    await stored(),
    rows.map((row) => ({ position: null, ...row })),
  );
});

t.test('the fragment stores an object and its row in one statement', async (t) => {
  await client.query(
    `WITH written AS (INSERT INTO projects (id, name, time_zone) VALUES ('prj_1', 'p', 'UTC') RETURNING id)
     ${FEED_INSERT} SELECT 'link', 'env_1', id, 'path' FROM written`,
  );
  t.match((await stored()).at(-1), { position: null, kind: 'link', object_id: 'prj_1', object_key: 'path' });
});
