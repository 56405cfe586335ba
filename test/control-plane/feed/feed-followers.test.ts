import pg from 'pg';
import { pino } from 'pino';
import t from 'tap';
import { DatabaseUnavailableError, createDatabase as openDatabase, type Queryable } from '../../../control-plane/db/database.js';
import { FeedFollowers } from '../../../control-plane/feed/feed-followers.js';
import { FEED_INSERT_CREATED } from '../../../control-plane/feed/feed-row.js';
import { silentLog } from '../../engine/fixtures.js';
import { createDatabase } from '../../support/database.js';
import { untilSilenceCounts, writeEngine } from '../../support/engine-row.js';
import { insertFeedRows } from '../../support/feed-rows.js';
import { until } from '../../support/until.js';

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

/** Numbers the rows of a link that was created. */
async function create(): Promise<void> {
  await rows(`${FEED_INSERT_CREATED} VALUES (true, 'link', 'env_1', 'lnk_2', 'b')`);
  await number();
}

const follow = () => rows('UPDATE engines SET applied_position = (SELECT last_position FROM config_feed_state)');

/** Whether a call that waits from now on is answered within a tenth of a second. */
async function isAnswered(): Promise<boolean> {
  return isAnsweredBy(new FeedFollowers(database, silentLog));
}

async function isAnsweredBy(followers: FeedFollowers): Promise<boolean> {
  const answered = followers.untilFollowed().then(() => true);
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
  const followers = new FeedFollowers(counted, silentLog);
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

t.test('no call waits for the creation of links, also of those that were created since', async (t) => {
  await writeEngine(rows);
  await create();
  t.equal(await isAnswered(), true);
  await change();
  await number();
  await follow();
  await create();
  t.equal(await isAnswered(), true, 'the engine has followed the change, and not yet the creation after it');
  await change();
  await number();
  for (let created = 0; created < 300; created++) await rows(`${FEED_INSERT_CREATED} VALUES (true, 'link', 'env_1', 'lnk_2', 'b')`);
  await number();
  t.equal(await isAnswered(), false, 'many creations do not hide a change');
});

t.test('an engine that a call has waited for in vain holds up no other call until it has followed what it was late with', async (t) => {
  const lines: string[] = [];
  const followers = new FeedFollowers(database, pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }));
  const id = await writeEngine(rows);
  await change();
  await number();
  await followers.untilFollowed();
  await until(() => lines.length > 0, 'the engine to be noted');
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ code: 'link_host_late', engine: id }],
  );
  await change();
  await number();
  t.equal(await isAnsweredBy(followers), true, 'it is not waited for');
  await writeEngine(rows, { behind: 1 });
  t.equal(await isAnsweredBy(followers), false, 'another engine is');
  await follow();
  await change();
  await number();
  await rows('UPDATE engines SET applied_position = (SELECT last_position FROM config_feed_state) WHERE id <> $1', [id]);
  t.equal(await isAnsweredBy(followers), false, 'it is waited for again, because it has caught up meanwhile');
});

t.test('after a failover engines that were silent meanwhile are waited for', async (t) => {
  let epoch = 'before';
  const failedOver: Queryable = {
    async query<Row>(query: Parameters<Queryable['query']>[0]) {
      const answer = await database.query<Row>(query);
      return { ...answer, rows: answer.rows.map((row) => ({ ...row, epoch })) };
    },
  };
  const followers = new FeedFollowers(failedOver, silentLog);
  await untilSilenceCounts(async (text) => (await pool.query(text)).rows);
  await writeEngine(rows, { heartbeatAgo: '40s', behind: 1 });
  t.equal(await isAnsweredBy(followers), true, 'the engine is silent');
  epoch = 'after';
  t.equal(await isAnsweredBy(followers), false);
  await follow();
  t.equal(await isAnsweredBy(followers), true);
});

t.test('a change that is committed is answered also if PostgreSQL cannot be asked', async (t) => {
  for (const error of [new DatabaseUnavailableError('lost PostgreSQL'), new TypeError('no such column')]) {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    await t.resolves(new FeedFollowers({ query: () => Promise.reject(error) }, log).untilFollowed());
    t.match(
      lines.map((line) => JSON.parse(line)),
      [{ code: 'feed_progress_unknown', err: { message: error.message } }],
    );
  }
});
