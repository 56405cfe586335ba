import pg from 'pg';
import t from 'tap';
import { RoundLoop } from '../../../engine/database/round-loop.js';
import { createDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';
import { silentLog } from '../fixtures.js';

const own = await createDatabase();
const other = new pg.Client({ connectionString: own.url });
await other.connect();
t.teardown(async () => {
  await other.end();
  await own.drop();
});

t.test('a round follows at new work, over another connection if the first one broke meanwhile, and the last one at the stop', async (t) => {
  const clients: pg.Client[] = [];
  let last = 0;
  const loop = new RoundLoop({
    databaseUrl: own.url,
    part: 'rounds',
    log: silentLog,
    random: () => 0,
    round: async (client) => {
      await client.query('SELECT 1');
      clients.push(client);
      return 60_000;
    },
    lastRound: async (client) => {
      await client.query('SELECT 1');
      last += 1;
    },
  });
  loop.start();
  await until(() => clients.length === 1, 'the first round');
  loop.raise();
  await until(() => clients.length === 2, 'the second round');
  t.equal(clients[1], clients[0]);
  const broken = new Promise<void>((resolve) => void clients[0]?.once('error', () => resolve()));
  await other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'link-service rounds'`);
  await broken;
  loop.raise();
  await until(() => clients.length === 3, 'the third round');
  t.not(clients[2], clients[0]);
  t.same(loop.stats(), { state: 'working', failures: 0 });
  await loop.stop();
  t.equal(last, 1);
});

t.test('a round that fails is tried again over another connection', async (t) => {
  let rounds = 0;
  const loop = new RoundLoop({
    databaseUrl: own.url,
    part: 'failing rounds',
    log: silentLog,
    random: () => 0,
    round: async (client) => {
      rounds += 1;
      await client.query(rounds === 1 ? 'SELECT no_such_column' : 'SELECT 1');
      return 60_000;
    },
    lastRound: async () => undefined,
  });
  t.teardown(() => loop.stop());
  loop.start();
  await until(() => rounds === 2 && loop.stats().state === 'working', 'the second round');
  t.equal(loop.stats().failures, 1);
});
