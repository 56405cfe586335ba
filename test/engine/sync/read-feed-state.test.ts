import t from 'tap';
import { readFeedState } from '../../../engine/sync/sql.js';
import { configFixture } from './config-fixture.js';

t.test('the epoch stays while the feed grows, and changes after everything that may renumber the feed', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const read = async () => {
    const client = await fixture.pool.connect();
    return readFeedState(client).finally(() => client.release());
  };
  const first = await read();
  t.strictSame({ ...first.head, epoch: '' }, { epoch: '', position: 0, mark: '' });
  await fixture.createLink('a');
  await fixture.assignSilently();
  const second = await read();
  t.equal(second.head.epoch, first.head.epoch);
  t.equal(second.head.position, 1);
  t.match(second.head.mark, /^1@\d+\.\d+$/);
  const epochs = new Set([first.head.epoch]);
  const turns = [
    'UPDATE config_feed_state SET epoch = gen_random_uuid()',
    'TRUNCATE config_feed',
    'CREATE TABLE copied (LIKE config_feed INCLUDING ALL); DROP TABLE config_feed; ALTER TABLE copied RENAME TO config_feed',
  ];
  for (const turn of turns) {
    await fixture.pool.query(turn);
    epochs.add((await read()).head.epoch);
  }
  t.equal(epochs.size, turns.length + 1);
  t.equal((await read()).head.mark, '', 'there is no row left to name');
  const other = await configFixture(t, { assigning: false });
  const client = await other.pool.connect();
  const elsewhere = (await readFeedState(client)).head.epoch.split(':');
  client.release();
  t.not(elsewhere[3], first.head.epoch.split(':')[3], 'another database of the same server has another epoch');
  t.equal(elsewhere[1], first.head.epoch.split(':')[1]);
  await fixture.pool.query('DELETE FROM config_feed_state');
  await t.rejects(read(), /config_feed_state has no row/);
});

t.test('a user who may only read can read the state of the feed', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  await client.query('BEGIN');
  await client.query('CREATE ROLE feed_reader_test');
  await client.query('GRANT SELECT ON config_feed, config_feed_state TO feed_reader_test');
  await client.query('SET LOCAL ROLE feed_reader_test');
  t.equal((await readFeedState(client)).prunedPosition, 0);
  await client.query('ROLLBACK');
});
