import pg from 'pg';
import t from 'tap';
import { assignPositions, pruneFeed } from '../../../control-plane/feed/assign-positions.js';
import { createDatabase } from '../../support/database.js';
import { insertFeedRows } from '../../support/feed-rows.js';

const database = await createDatabase();
const client = new pg.Client(database.url);
const late = new pg.Client(database.url);
await client.connect();
await late.connect();
t.teardown(async () => {
  await client.end();
  await late.end();
  await database.drop();
});

const rows = (count: number, name = 'o') =>
  Array.from({ length: count }, (_, n) => ({ kind: 'link' as const, environment_id: 'env_1', object_id: `${name}${n}`, object_key: 'p' }));

/** The objects of the rows that have a position, in the order of their positions. */
async function placedObjects(): Promise<readonly string[]> {
  const placed = await client.query<{ object_id: string }>(
    'SELECT object_id FROM config_feed WHERE position IS NOT NULL ORDER BY position',
  );
  return placed.rows.map(({ object_id }) => object_id);
}

t.test('a row with a lower id that commits later gets a later position', async (t) => {
  await late.query('BEGIN');
  await insertFeedRows(late, rows(1, 'late'));
  await insertFeedRows(client, rows(2, 'early'));
  t.match(await assignPositions(client), { more: false });
  t.strictSame(await placedObjects(), ['early0', 'early1']);
  await late.query('COMMIT');
  t.match(await assignPositions(client), { more: false });
  t.strictSame(await assignPositions(client), { lastId: null, more: false });
  t.strictSame(await placedObjects(), ['early0', 'early1', 'late0']);
});

t.test('a round starts at the given id and returns the last id that it numbered', async (t) => {
  await insertFeedRows(client, rows(2, 'from'));
  const { rows: ids } = await client.query<{ id: number }>('SELECT id::float8 AS id FROM config_feed WHERE position IS NULL ORDER BY id');
  const [low, high] = ids.map(({ id }) => id) as [number, number];
  t.strictSame(await assignPositions(client, high), { lastId: high, more: false });
  t.strictSame(await assignPositions(client), { lastId: low, more: false });
});

t.test('two concurrent rounds give no position twice', async (t) => {
  await insertFeedRows(client, rows(500, 'both'));
  await Promise.all([assignPositions(client), assignPositions(late)]);
  const found = await client.query(
    'SELECT count(DISTINCT position)::integer AS positions, max(position)::integer AS last FROM config_feed',
  );
  t.strictSame(found.rows, [{ positions: 505, last: 505 }]);
});

t.test('pruning removes the oldest rows in steps and keeps the given number of rows', async (t) => {
  t.strictSame(await pruneFeed(client, 1000), { pruned: 0, more: false });
  t.strictSame(await pruneFeed(client, 500), { pruned: 5, more: false });
  t.strictSame(await pruneFeed(client, 500), { pruned: 0, more: false });
  await insertFeedRows(client, rows(1, 'open'));
  t.strictSame(await pruneFeed(client, 0, 200), { pruned: 200, more: true });
  t.strictSame(await pruneFeed(client, 0, 200), { pruned: 200, more: true });
  t.strictSame(await pruneFeed(client, 0, 200), { pruned: 100, more: false });
  const found = await client.query(
    'SELECT (SELECT count(*) FROM config_feed)::integer AS rows, last_position::integer AS last, pruned_position::integer AS pruned FROM config_feed_state',
  );
  t.strictSame(found.rows, [{ rows: 1, last: 505, pruned: 505 }], 'a row without a position is kept');
});
