import t from 'tap';
import { createDatabase, createPool } from '../../../control-plane/db/database.js';
import { prepareDemo } from '../../../deploy/local/demo.js';
import { manualClock } from '../../../shared/base/clock.js';
import { createDatabase as createTestDatabase } from '../../support/database.js';

const LOST = { test: null, live: null };

async function open(t: { teardown(fn: () => Promise<void>): void }) {
  const { url, drop } = await createTestDatabase();
  const pool = createPool(url, 2, 'demo-test', () => {});
  t.teardown(async () => {
    await pool.end();
    await drop();
  });
  return { database: createDatabase(pool), clock: manualClock(Date.UTC(2026, 10, 20)).now, pool };
}

t.test('a first start makes one project with two environments and four keys; a second finds them', async (t) => {
  const { database, clock, pool } = await open(t);
  const first = await prepareDemo(database, LOST, clock);
  t.equal(first.first, true);
  t.strictSame(first.made, ['test', 'live']);
  for (const name of ['test', 'live'] as const) {
    t.match(first.keys[name].secret_key, new RegExp(`^sk_${name}_[0-9A-Za-z]{32}$`));
    t.match(first.keys[name].publishable_key, new RegExp(`^pk_${name}_[0-9A-Za-z]{32}$`));
  }
  const second = await prepareDemo(database, first.keys, clock);
  t.strictSame(second, { first: false, keys: first.keys, made: [] });
  const { rows } = await pool.query(`
    SELECT (SELECT count(*) FROM projects)::integer AS projects, (SELECT count(*) FROM api_keys)::integer AS keys,
      (SELECT array_agg(link_host ORDER BY link_host) FROM environments) AS hosts`);
  t.strictSame({ ...rows[0] }, { projects: 1, keys: 4, hosts: ['live.localhost', 'test.localhost'] });
});

t.test('keys that are lost, revoked or of another database are made anew, for that environment alone', async (t) => {
  const { database, clock, pool } = await open(t);
  const first = await prepareDemo(database, LOST, clock);
  const lost = await prepareDemo(database, { ...first.keys, live: null }, clock);
  t.strictSame(lost.made, ['live']);
  t.strictSame(lost.keys.test, first.keys.test);
  t.not(lost.keys.live.secret_key, first.keys.live.secret_key);

  await pool.query("UPDATE api_keys SET revoked_at = now() WHERE prefix = 'pk_test_'");
  const revoked = await prepareDemo(database, lost.keys, clock);
  t.strictSame(revoked.made, ['test']);

  // The keys of one environment are no keys of the other.
  const swapped = await prepareDemo(database, { test: revoked.keys.live, live: revoked.keys.live }, clock);
  t.strictSame(swapped.made, ['test']);
});

t.test('a database in which only one of the demo hosts is left is not guessed about', async (t) => {
  const { database, clock, pool } = await open(t);
  await prepareDemo(database, LOST, clock);
  await pool.query("UPDATE environments SET link_host = 'go.example.com', open_host = 'open.go.example.com' WHERE name = 'live'");
  await t.rejects(prepareDemo(database, LOST, clock), { name: 'StartError', message: /live\.localhost/ });
});
