import { pino } from 'pino';
import t from 'tap';
import { waitingBatches } from '../../../control-plane/click-figures/merge.js';
import { createPool, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { createClickFigures } from '../../../control-plane/jobs/click-figures.js';
import { newId } from '../../../shared/base/ids.js';
import { connect, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { manualClock } from '../../support/manual-clock.js';
import { until } from '../../support/until.js';

const log = pino({ level: 'silent' });

t.test('clicks are counted some seconds after they came, at once where they are many', async (t) => {
  const own = await createDatabase();
  const client = await connect(own.url);
  const pool = createPool(own.url, 2, 'test', () => {});
  const database = databaseOf(pool);
  t.teardown(async () => {
    await client.end();
    await pool.end();
    await own.drop();
  });
  const environment = await makeEnvironment(client);
  const clock = manualClock(Date.now());
  const job = createClickFigures({ database, log, clock: clock.now, clickRetentionDays: 400, intervalMs: 5 });
  const someRounds = async () => {
    const { rounds } = job.stats();
    await until(() => job.stats().rounds > rounds + 2, 'some rounds');
  };
  const click = () => loggedClick(newId('link'), clock.now());
  await logClicks(client, environment.number, [click()]);
  job.start();
  await until(async () => (await waitingBatches(database)).length === 0, 'the first click to be counted');
  // The round that counted it looks for more until there is none.
  await someRounds();
  await logClicks(client, environment.number, [click()]);
  await someRounds();
  t.equal((await waitingBatches(database)).length, 1, 'a click waits for more');
  clock.advance(5_000);
  await until(async () => (await waitingBatches(database)).length === 0, 'it to be counted after five seconds');
  await logClicks(client, environment.number, Array.from({ length: 2_000 }, click));
  await until(async () => (await waitingBatches(database)).length === 0, 'many to be counted at once');
  t.equal((await client.query(`SELECT sum(clicks)::integer AS clicks FROM click_figures WHERE dimension = 'total'`)).rows[0].clicks, 2_002);
  t.equal(
    (await client.query('SELECT 1 FROM click_top_windows')).rowCount,
    7,
    'two ranges of two days and three single days have prefixes of long lists',
  );
  t.match(job.health(), { part: 'click-figures', ok: true });
  await job.stop();
});

t.test('health is red when nothing could be counted for a minute', async (t) => {
  const clock = manualClock(0);
  const pool = createPool('postgres://postgres@127.0.0.1:1/none', 1, 'test', () => {});
  t.teardown(() => pool.end());
  const job = createClickFigures({ database: databaseOf(pool), log, clock: clock.now, clickRetentionDays: 400, intervalMs: 5 });
  job.start();
  await until(() => job.stats().failures >= 2, 'failures');
  t.equal(job.health().ok, true);
  clock.advance(60_001);
  t.match(job.health(), { ok: false, reason: /clicks are stored but not counted/ });
  await job.stop();
});
