import pg from 'pg';
import t from 'tap';
import { DatabaseUnavailableError, createDatabase as openDatabase, type Queryable } from '../../../control-plane/db/database.js';
import { FeedFollowers } from '../../../control-plane/feed/feed-followers.js';
import { createDatabase } from '../../support/database.js';
import { writeEngine } from '../../support/engine-row.js';
import { insertFeedRows } from '../../support/feed-rows.js';

const server = await createDatabase();
const pool = new pg.Pool({ connectionString: server.url, max: 10 });
t.teardown(async () => {
  await pool.end();
  await server.drop();
});
const database = openDatabase(pool);
const rows = async (text: string, values: readonly unknown[] = []) => (await pool.query(text, [...values])).rows;

/** Rows that a change has written; they have no position yet. */
async function change(): Promise<void> {
  const client = await pool.connect();
  await insertFeedRows(client, [{ kind: 'link', environment_id: 'env_1', object_id: 'lnk_1', object_key: 'a' }]);
  client.release();
}

/** Gives the rows positions. */
async function number(): Promise<void> {
  await rows('UPDATE config_feed SET position = id WHERE position IS NULL');
  await rows('UPDATE config_feed_state SET last_position = (SELECT max(position) FROM config_feed)');
}

const follow = () => rows('UPDATE engines SET applied_position = (SELECT last_position FROM config_feed_state)');

/** Whether a call that waits from now on is answered within a tenth of a second. */
async function isAnswered(): Promise<boolean> {
  const answered = new FeedFollowers(database).untilFollowed().then(() => true);
  return Promise.race([answered, new Promise<boolean>((resolve) => setTimeout(resolve, 100, false))]);
}

t.beforeEach(async () => {
  await rows('DELETE FROM engines');
  await change();
  await number();
});

t.test('a call waits until the change has a position and every engine has followed it', async (t) => {
  await writeEngine(rows);
  await writeEngine(rows);
  t.equal(await isAnswered(), true, 'nothing has changed since');
  await change();
  t.equal(await isAnswered(), false, 'the change has no position');
  await number();
  t.equal(await isAnswered(), false, 'no engine has followed it');
  await rows(
    'UPDATE engines SET applied_position = (SELECT last_position FROM config_feed_state) WHERE id = (SELECT id FROM engines LIMIT 1)',
  );
  t.equal(await isAnswered(), false, 'one engine has not');
  await follow();
  t.equal(await isAnswered(), true);
});

t.test('a row that was committed late has a lower id and a higher position', async (t) => {
  await writeEngine(rows);
  await change();
  await change();
  const [last] = await rows('SELECT max(id)::integer AS id FROM config_feed');
  await rows('UPDATE config_feed SET position = $1 WHERE id = $1 - 1', [last.id]);
  await rows('UPDATE config_feed SET position = $1 - 1 WHERE id = $1', [last.id]);
  await rows('UPDATE config_feed_state SET last_position = $1', [last.id]);
  await rows('UPDATE engines SET applied_position = $1 - 1', [last.id]);
  t.equal(await isAnswered(), false, 'the row with the highest id is not the last one');
  await follow();
  t.equal(await isAnswered(), true);
});

t.test('only engines that are in touch and have followed something of a feed are waited for', async (t) => {
  await change();
  t.equal(await isAnswered(), true, 'there is no engine');
  await writeEngine(rows, { left: true, behind: 1 });
  t.equal(await isAnswered(), true, 'it has left');
  const id = await writeEngine(rows);
  await rows('UPDATE engines SET applied_epoch = NULL, applied_position = NULL WHERE id = $1', [id]);
  t.equal(await isAnswered(), true, 'it makes its first copy');
  await number();
  await writeEngine(rows, { otherFeed: true });
  t.equal(await isAnswered(), false, 'it still has the copy of another feed');
});

t.test('many calls take one statement at a time, and each waits for its own change alone', async (t) => {
  await writeEngine(rows);
  let underWay = 0;
  let most = 0;
  const counted: Queryable = {
    async query(query) {
      most = Math.max(most, ++underWay);
      try {
        return await database.query(query);
      } finally {
        underWay--;
      }
    },
  };
  const followers = new FeedFollowers(counted);
  await change();
  await number();
  const first = Promise.all(Array.from({ length: 50 }, () => followers.untilFollowed()));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await follow();
  await change();
  const second = followers.untilFollowed().then(() => 'answered');
  await first;
  t.equal(most, 1);
  t.equal(await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 50, 'waiting'))]), 'waiting');
  await number();
  await follow();
  t.equal(await second, 'answered');
});

t.test('a database that becomes unavailable after the change does not turn its answer into an error; any other error does', async (t) => {
  const failing = (error: unknown): Queryable => ({ query: () => Promise.reject(error) });
  await t.resolves(new FeedFollowers(failing(new DatabaseUnavailableError('lost PostgreSQL'))).untilFollowed());
  await t.rejects(new FeedFollowers(failing(new TypeError('no such column'))).untilFollowed(), TypeError);
});
