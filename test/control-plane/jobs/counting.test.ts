import { pino } from 'pino';
import t from 'tap';
import { CountingThread } from '../../../control-plane/click-figures/counting/counting-thread.js';
import type { Database } from '../../../control-plane/db/database.js';
import { type Counting, countingOf, createCounting } from '../../../control-plane/jobs/counting.js';
import { newId } from '../../../shared/base/ids.js';
import { connect, logClicks, loggedClick, makeEnvironment, waitingBatches } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { manualClock } from '../../support/manual-clock.js';
import { until } from '../../support/until.js';

const log = pino({ level: 'silent' });

t.test('clicks are counted as soon as they are stored, and prefixes of long lists are made', async (t) => {
  const own = await createDatabase();
  const client = await connect(own.url);
  const counting = new CountingThread({ databaseUrl: own.url, clickRetentionDays: 400 }, log);
  t.teardown(async () => {
    await client.end();
    await counting.stop();
    await own.drop();
  });
  const environment = await makeEnvironment(client);
  const clock = manualClock(Date.now());
  const job = createCounting({ counting, log, clock: clock.now, intervalMs: 5 });
  const click = () => loggedClick(newId('link'), clock.now());
  const counted = () => until(async () => (await waitingBatches(client)) === 0, 'all clicks to be counted');
  await logClicks(client, environment.number, [click()]);
  job.start();
  await counted();
  await logClicks(client, environment.number, [click()]);
  await counted();
  await logClicks(client, environment.number, Array.from({ length: 2_000 }, click));
  await counted();
  t.equal((await client.query(`SELECT sum(clicks)::integer AS clicks FROM click_figures WHERE dimension = 'total'`)).rows[0].clicks, 2_002);
  await until(
    async () => (await client.query('SELECT 1 FROM click_top_windows')).rowCount === 7,
    'two ranges of two days and three single days to have prefixes of long lists',
  );
  t.match(job.health(), { part: 'click-figures', ok: true });
  await job.stop();
  t.equal(await counting.countDays(clock.now()), false, 'no day is due for groups');
});

t.test('clicks are counted between the steps of counting groups', async (t) => {
  const calls: string[] = [];
  const steps = (name: string, count: number) => async () => {
    calls.push(name);
    return count-- > 0;
  };
  const counting = {
    async count() {
      calls.push('clicks');
      return 0;
    },
    makePrefix: steps('prefix', 1),
    addUpLinks: steps('links', 0),
    countDays: steps('groups', 2),
  };
  const clock = manualClock(0);
  const job = createCounting({ counting, log, clock: clock.now, intervalMs: 5 });
  job.start();
  await until(() => calls.filter((name) => name === 'groups').length === 3, 'all parts to be counted');
  await job.stop();
  t.same(calls.slice(0, 10), ['clicks', 'links', 'prefix', 'clicks', 'prefix', 'groups', 'clicks', 'groups', 'clicks', 'groups']);
});

t.test('while there are no clicks, two looks a second are enough', async (t) => {
  let looks = 0;
  let waiting = 1;
  const counting: Counting = {
    async count() {
      looks++;
      return waiting-- > 0 ? 1 : 0;
    },
    makePrefix: async () => false,
    addUpLinks: async () => false,
    countDays: async () => false,
  };
  const clock = manualClock(0);
  const job = createCounting({ counting, log, clock: clock.now, intervalMs: 1 });
  t.teardown(() => job.stop());
  const looksInTenRounds = async () => {
    const { rounds } = job.stats();
    const before = looks;
    await until(() => job.stats().rounds >= rounds + 10, 'ten rounds');
    return looks - before;
  };
  job.start();
  t.ok((await looksInTenRounds()) >= 9, 'shortly after a click each round looks');
  clock.advance(4_999);
  t.ok((await looksInTenRounds()) >= 9);
  clock.advance(1);
  await looksInTenRounds();
  t.equal(await looksInTenRounds(), 0);
  clock.advance(499);
  t.equal(await looksInTenRounds(), 0);
  clock.advance(1);
  t.equal(await looksInTenRounds(), 1);
  waiting = 1;
  clock.advance(500);
  t.ok((await looksInTenRounds()) >= 9, 'a click is followed by looks in each round');
});

t.test('days whose columns are due are looked for each minute, and every 15 seconds while many clicks are counted', async (t) => {
  const waiting: number[] = [];
  let looks = 0;
  const counting: Counting = {
    count: async () => waiting.shift() ?? 0,
    makePrefix: async () => false,
    addUpLinks: async () => false,
    async countDays() {
      looks++;
      return false;
    },
  };
  const clock = manualClock(0);
  const job = createCounting({ counting, log, clock: clock.now, intervalMs: 1 });
  t.teardown(() => job.stop());
  const looksAfter = async (ms: number) => {
    clock.advance(ms);
    const { rounds } = job.stats();
    await until(() => job.stats().rounds >= rounds + 10, 'ten rounds');
    return looks;
  };
  job.start();
  t.equal(await looksAfter(0), 1);
  t.equal(await looksAfter(59_000), 1);
  t.equal(await looksAfter(1_000), 2);
  waiting.push(60_000, 40_000);
  t.equal(await looksAfter(14_000), 2);
  t.equal(await looksAfter(1_000), 3);
  waiting.push(99_999);
  t.equal(await looksAfter(15_000), 3);
  t.equal(await looksAfter(45_000), 4);
});

t.test('if the click store can add up links and days, it does so instead of the thread', async (t) => {
  const calls: string[] = [];
  const nothing = (name: string) => async () => {
    calls.push(name);
    return false;
  };
  const thread = {
    count: async () => 0,
    makePrefix: nothing('prefix'),
    addUpLinks: nothing('links of the thread'),
    countDays: nothing('groups of the thread'),
  };
  const clock = manualClock(0);
  const ofStore = { addUpLinks: nothing('links of the store'), sumDays: nothing('days of the store') };
  const job = createCounting({ counting: countingOf(thread, ofStore, {} as Database), log, clock: clock.now, intervalMs: 5 });
  job.start();
  await until(() => calls.includes('days of the store'), 'a round');
  await job.stop();
  t.same(calls, ['links of the store', 'prefix', 'days of the store']);
});

t.test('groups that fail are tried again after ten minutes, and clicks are counted meanwhile', async (t) => {
  const calls: string[] = [];
  const counting = {
    async count() {
      calls.push('clicks');
      return 1;
    },
    makePrefix: async () => false,
    addUpLinks: async () => false,
    async countDays(): Promise<boolean> {
      calls.push('groups');
      throw new Error('the statement takes too long');
    },
  };
  const clock = manualClock(0);
  const job = createCounting({ counting, log, clock: clock.now, intervalMs: 5 });
  job.start();
  const rounds = (count: number) => until(() => calls.filter((name) => name === 'clicks').length >= count, 'rounds');
  await rounds(4);
  t.equal(calls.filter((name) => name === 'groups').length, 1);
  clock.advance(600_000);
  await rounds(calls.length + 3);
  t.equal(calls.filter((name) => name === 'groups').length, 2);
  await job.stop();
});

t.test('health fails when nothing could be counted for a minute', async (t) => {
  const clock = manualClock(0);
  const counting = new CountingThread({ databaseUrl: 'postgres://postgres@127.0.0.1:1/none', clickRetentionDays: 400 }, log);
  t.teardown(() => counting.stop());
  const job = createCounting({ counting, log, clock: clock.now, intervalMs: 5 });
  job.start();
  await until(() => job.stats().failures >= 2, 'failures');
  t.equal(job.health().ok, true);
  clock.advance(60_001);
  t.match(job.health(), { ok: false, reason: /clicks are stored but not counted/ });
  await job.stop();
});
