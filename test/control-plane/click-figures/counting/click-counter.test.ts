import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { ClickCounter } from '../../../../control-plane/click-figures/counting/click-counter.js';
import { recountDay } from '../../../../control-plane/click-figures/counting/recount-day.js';
import { ensureFigurePartitions } from '../../../../control-plane/click-figures/counting/store-figures.js';
import { DIMENSION_NAMES, NO_SUBJECT } from '../../../../control-plane/click-figures/dimensions.js';
import { ALL_BREAKDOWNS } from '../../../../control-plane/click-figures/figure-tables.js';
import { lockShardsOf } from '../../../../control-plane/click-figures/locks/shard-locks.js';
import { readAsOf } from '../../../../control-plane/click-figures/reading/as-of.js';
import { latestLines, readBreakdowns } from '../../../../control-plane/click-figures/reading/breakdowns.js';
import { type FigureSum, readSums } from '../../../../control-plane/click-figures/reading/sums.js';
import { IS_WAITING } from '../../../../control-plane/click-figures/shards.js';
import { readInSnapshot } from '../../../../control-plane/click-figures/transaction.js';
import { createLongStatementPool, createPool, type Database, createDatabase as databaseOf } from '../../../../control-plane/db/database.js';
import { readWindow } from '../../../../control-plane/local-days/window.js';
import { idToUuid, newId } from '../../../../shared/base/ids.js';
import {
  connect,
  countByHand,
  countLoggedClicks,
  killWaiting,
  type LoggedClick,
  logClicks,
  loggedClick,
  makeEnvironment,
  openCounter,
  waitingBatches,
} from '../../../support/click-log.js';
import { createDatabase } from '../../../support/database.js';
import fc from '../../../support/properties.js';
import { until } from '../../../support/until.js';

const own = await createDatabase();
const client = await connect(own.url);
const pool = createPool(own.url, 4, 'figures-test', () => {});
const database = databaseOf(pool);
t.teardown(async () => {
  await client.end();
  await counter.end();
  await pool.end();
  await own.drop();
});

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
/** So few clicks a round that the counter reads ahead: the next round begins while the previous one is stored. */
const ROUND_CLICKS = 10;
let counter = openCounter(own.url, ROUND_CLICKS);

interface Environment {
  readonly id: string;
  readonly number: number;
}

/** Counts all waiting clicks, including those of shards that are held by a session that is about to end. */
async function countAll(): Promise<void> {
  await until(async () => {
    await counter.count(NOW);
    return (await waitingBatches(client)) === 0;
  }, 'all clicks to be counted');
}

/** Every figure of the range, by a text that names dimension, day and group. */
async function readAll(
  environment: Environment,
  nowMs = NOW,
): Promise<ReadonlyMap<string, { all: number; human: number; unique: number }>> {
  const sums = await readInSnapshot(database, async (snapshot) => {
    const window = await readWindow(snapshot, environment.id, { days: 30 }, nowMs);
    return readSums(snapshot, { scope: { window }, daily: DIMENSION_NAMES, total: [], top: 0 });
  });
  const { rows } = await client.query<{ day: string; campaign: string; subject_id: string; figures: string }>(
    `SELECT day::text, campaign, subject_id, figures FROM (${ALL_BREAKDOWNS}) AS breakdown WHERE environment_number = $1 ORDER BY change`,
    [environment.number],
  );
  const groups = new Map<string, typeof rows>();
  for (const row of rows) {
    const key = `${row.day} ${row.campaign} ${row.subject_id}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const lines = [...groups.values()].flatMap((group) =>
    [...latestLines(group)].map((line) => ({ ...(group[0] as (typeof rows)[0]), ...line })),
  );
  const broken = lines.map(({ dimension, ...line }) => ({
    ...line,
    dimension: `${line.campaign === '' ? 'link' : 'campaign'}_${dimension}`,
  }));
  return new Map([...sums, ...broken].map((sum) => [keyOf(sum), { all: sum.all, human: sum.human, unique: sum.unique }]));
}

function keyOf({
  dimension,
  day,
  subject_id,
  campaign,
  value,
}: Omit<FigureSum, 'all' | 'human' | 'unique' | 'dimension'> & { readonly dimension: string }): string {
  return [dimension, day, subject_id, campaign, value].join('|');
}

/** The figures that the log of clicks yields, counted in the obvious way. */
function figuresByHand(clicks: readonly LoggedClick[], timeZone: string): ReadonlyMap<string, ReturnType<typeof countByHand>> {
  const groups = new Map<string, LoggedClick[]>();
  const day = new Intl.DateTimeFormat('en-CA', { timeZone });
  const minute = new Intl.DateTimeFormat('en-GB', { timeZone, minute: 'numeric' });
  for (const click of clicks) {
    const hour = click.at - (click.at % 60_000) - Number(minute.format(click.at)) * 60_000;
    for (const [dimension, subject, campaign, value] of keysByHand(click, hour)) {
      const key = keyOf({ dimension, day: day.format(click.at), subject_id: subject, campaign, value });
      groups.set(key, [...(groups.get(key) ?? []), click]);
    }
  }
  return new Map([...groups].map(([key, group]) => [key, countByHand(group)]));
}

function keysByHand(click: LoggedClick, hourMs: number): [string, string, string, string][] {
  const country = click.country ?? '';
  const referrer = click.referrer_host ?? '';
  const campaign = click.campaign ?? '';
  const keys: [string, string, string, string][] = [
    ['total', NO_SUBJECT, '', ''],
    ['hour', NO_SUBJECT, '', String(hourMs / 1000)],
    ['platform', NO_SUBJECT, '', click.platform],
    ['country', NO_SUBJECT, '', country],
    ['referrer', NO_SUBJECT, '', referrer],
  ];
  if (campaign !== '')
    keys.push(
      ['campaign', NO_SUBJECT, campaign, ''],
      ['campaign_platform', NO_SUBJECT, campaign, click.platform],
      ['campaign_country', NO_SUBJECT, campaign, country],
      ['campaign_referrer', NO_SUBJECT, campaign, referrer],
    );
  if (click.resource_type !== null) {
    const type = idToUuid('resourceType', click.resource_type) as string;
    return [...keys, ['type', type, '', ''], ['item', type, '', click.item ?? '']];
  }
  const link = idToUuid('link', click.subject) as string;
  if (campaign !== '') keys.push(['campaign_link', link, campaign, '']);
  return [
    ...keys,
    ['link', link, '', ''],
    ['link_platform', link, '', click.platform],
    ['link_country', link, '', country],
    ['link_referrer', link, '', referrer],
  ];
}

const links = [newId('link'), newId('link'), newId('link')] as const;
const template = newId('urlTemplate');
const types = [newId('resourceType'), newId('resourceType')] as const;

/** Clicks of the last six days, some of them by visitors who return in every possible way. */
const anyClick = fc
  .record({
    ago: fc.integer({ min: 0, max: 6 * 96 }),
    link: fc.constantFrom(...links, null),
    visitor: fc.integer({ min: 1, max: 5 }),
    bot: fc.boolean(),
    platform: fc.constantFrom('ios', 'android'),
    country: fc.constantFrom('DE', 'FR', null),
    referrer_host: fc.constantFrom('a.example', 'b.example', null),
    campaign: fc.constantFrom('spring', null),
    resource_type: fc.constantFrom(...types),
    item: fc.constantFrom('1', '2'),
  })
  .map(({ ago, link, resource_type, item, ...rest }) =>
    link === null
      ? loggedClick(template, NOW - ago * 900_000, { ...rest, campaign: null, resource_type, item })
      : loggedClick(link, NOW - ago * 900_000, rest),
  );

const ZONES = ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati', 'Etc/GMT+12'];

t.test('every figure equals a count of the log, however and whenever clicks are shipped and counted', async (t) => {
  const steps = fc.array(
    fc.tuple(
      fc.array(anyClick, { maxLength: 12 }),
      fc.constantFrom('wait', 'wait', 'count', 'count once', 'count beside', 'die', 'recount'),
    ),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ZONES), steps, async (zone, steps) => {
      const environment = await makeEnvironment(client, zone);
      const counted: LoggedClick[] = [];
      const waiting: LoggedClick[] = [];
      for (const [clicks, then] of steps) {
        await logClicks(client, environment.number, clicks);
        waiting.push(...clicks);
        if (then === 'recount') await recount(environment, zone, '2026-11-19');
        // Leaves the rest to be read ahead.
        if (then === 'count once') await counter.count(NOW);
        if (then === 'count beside') await whileLocked(environment, () => counter.count(NOW));
        if (then !== 'count' && then !== 'die') continue;
        // A counter that has just started remembers no visitor.
        if (then === 'die') await counter.end();
        if (then === 'die') counter = openCounter(own.url, ROUND_CLICKS);
        while ((await counter.count(NOW)) > 0);
        counted.push(...waiting.splice(0));
        t.strictSame(sorted(await readAll(environment)), sorted(figuresByHand(counted, zone)), 'the figures match the counted clicks');
      }
      const expected = figuresByHand([...counted, ...waiting], zone);
      while ((await counter.count(NOW)) > 0);
      t.equal(await waitingBatches(client), 0);
      t.strictSame(sorted(await readAll(environment)), sorted(expected), 'the figures match all clicks');
      for (const day of new Set([...expected.keys()].map((key) => key.split('|')[1] as string)))
        t.equal((await recount(environment, zone, day)).changed, 0, `a recount of ${day} changes nothing`);
      t.strictSame(sorted(await readAll(environment)), sorted(expected), 'the figures are the same after a recount from the log');
    }),
    { numRuns: 15 },
  );
});

/** Does the work while another session holds the lock of the environment's shard, as those that add up its figures do. */
async function whileLocked<Result>(environment: Environment, work: () => Promise<Result>): Promise<Result> {
  return database.transaction(async (transaction) => {
    await lockShardsOf(transaction, [environment.number]);
    return work();
  });
}

function recount(environment: Environment, time_zone: string, day: string) {
  return database.transaction(async (transaction) => {
    await ensureFigurePartitions(transaction, [day]);
    await lockShardsOf(transaction, [environment.number]);
    return recountDay(transaction, { environment_numbers: [environment.number], time_zone, day });
  });
}

function sorted(figures: ReadonlyMap<string, unknown>): readonly unknown[] {
  return [...figures].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

t.test('clicks of several environments in one batch are counted for their own environment', async (t) => {
  const environments = [await makeEnvironment(client, 'Asia/Kathmandu'), await makeEnvironment(client, 'America/St_Johns')];
  const at = NOW - DAY_MS;
  for (const [index, { number }] of environments.entries())
    await logClicks(
      client,
      number,
      Array.from({ length: index + 1 }, () => loggedClick(links[0], at)),
    );
  await client.query(
    'UPDATE clicks SET batch_id = (SELECT max(batch_id) FROM click_batches) WHERE batch_id IN (SELECT batch_id FROM click_batches)',
  );
  await client.query('UPDATE click_batches SET batch_id = (SELECT max(batch_id) FROM click_batches)');
  while ((await counter.count(NOW)) > 0);
  for (const [index, environment] of environments.entries())
    t.equal(
      [...(await readAll(environment)).values()].every(({ all }) => all === index + 1),
      true,
    );
});

t.test('concurrent counters share the shards, and count each batch once', async (t) => {
  const others = [counter, openCounter(own.url), openCounter(own.url)];
  t.teardown(() => Promise.all(others.slice(1).map((other) => other.end())));
  const environments: Environment[] = [];
  for (let index = 0; index < 8; index++) environments.push(await makeEnvironment(client));
  for (let batch = 0; batch < 20; batch++)
    for (const { number } of environments) await logClicks(client, number, [loggedClick(links[0], NOW - 1000, { visitor: batch })]);
  const counts = await Promise.all(
    others.map(async (other) => {
      let clicks = 0;
      for (let attempt = 0; attempt < 10; attempt++) clicks += await other.count(NOW);
      return clicks;
    }),
  );
  t.equal(await waitingBatches(client), 0);
  t.equal(
    counts.reduce((sum, clicks) => sum + clicks, 0),
    160,
  );
  const total = `total|2026-11-20|${NO_SUBJECT}||`;
  for (const environment of environments) t.strictSame((await readAll(environment)).get(total), { all: 20, human: 20, unique: 20 });
  for (const other of others) await other.count(NOW);
  t.strictSame(await shardsOfCounters(), [4, 6, 6], 'each counter has its share of the shards');
});

/** The number of shards of each session that counts. */
async function shardsOfCounters(): Promise<readonly number[]> {
  const { rows } = await client.query<{ shards: number }>(
    `SELECT count(*)::integer AS shards FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = ${0x66696772}
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     GROUP BY pid ORDER BY shards`,
  );
  return rows.map(({ shards }) => shards);
}

t.test('clicks that were read ahead are read again if their day was changed meanwhile', async (t) => {
  const environment = await makeEnvironment(client);
  const clicks = (visitor: number) => Array.from({ length: ROUND_CLICKS }, () => loggedClick(links[0], NOW - 1000, { visitor }));
  for (const visitor of [1, 2, 3]) await logClicks(client, environment.number, clicks(visitor));
  t.equal(await counter.count(NOW), ROUND_CLICKS, 'the first round counts its share');
  await client.query('DELETE FROM clicks WHERE environment_number = $1 AND visitor_hash = 1', [environment.number]);
  t.equal((await recount(environment, 'UTC', '2026-11-20')).changed, 1);
  t.equal(await counter.count(NOW), ROUND_CLICKS);
  await countAll();
  const total = `total|2026-11-20|${NO_SUBJECT}||`;
  t.strictSame((await readAll(environment)).get(total), { all: 2 * ROUND_CLICKS, human: 2 * ROUND_CLICKS, unique: 2 });
});

/**
 * A counter that can be slow at reading, and that counts how often it reads a day of the log again, which means the clicks that
 * do not wait.
 */
function openNotingCounter(t: Test, readingMs = 0) {
  const pools = ['storing', 'reading'].map((name) => createLongStatementPool(own.url, `test-${name}`, () => {}));
  const [storing, reading] = pools.map(databaseOf) as [Database, Database];
  let daysRead = 0;
  const noting = (inner: Database): Database => ({
    ...inner,
    copyOut: async (text, take) => {
      if (text.includes(`NOT ${IS_WAITING}`)) daysRead++;
      await wait(readingMs);
      await inner.copyOut(text, take);
    },
    transaction: (work) => inner.transaction((transaction) => work(noting(transaction))),
  });
  t.teardown(async () => {
    await storing.query({ text: 'SELECT pg_advisory_unlock_all()', values: [] });
    await Promise.all(pools.map((pool) => pool.end()));
  });
  const noted = new ClickCounter({ storing, reading: noting(reading), clickRetentionDays: 400, roundClicks: ROUND_CLICKS });
  const takeDaysRead = () => {
    const read = daysRead;
    daysRead = 0;
    return read;
  };
  return { count: () => noted.count(NOW), takeDaysRead };
}

t.test('the visitors of a shard are remembered while another session locks it', async (t) => {
  await countAll();
  await counter.end();
  t.teardown(() => {
    counter = openCounter(own.url, ROUND_CLICKS);
  });
  const { count, takeDaysRead } = openNotingCounter(t);
  const [locked, other] = [await makeEnvironment(client), await makeEnvironment(client)];
  const click = (environment: Environment, visitor: number, clicks = 1) =>
    logClicks(
      client,
      environment.number,
      Array.from({ length: clicks }, () => loggedClick(links[0], NOW - 1000, { visitor })),
    );
  for (const environment of [locked, other]) await click(environment, 1);
  t.equal(await count(), 2);
  t.ok(takeDaysRead() > 0);
  for (const environment of [locked, other]) await click(environment, 1);
  t.equal(await whileLocked(locked, count), 1, 'other shards are counted while one is locked');
  t.equal(await count(), 1, 'the locked shard is counted afterwards');
  t.equal(takeDaysRead(), 0, 'no day is read again');

  await click(locked, 2, ROUND_CLICKS);
  for (const visitor of [1, 2]) await click(locked, visitor, ROUND_CLICKS / 2);
  t.equal(await count(), ROUND_CLICKS);
  const [counted] = await Promise.all([whileLocked(locked, () => wait(200)), wait(50).then(count)]).then(([, clicks]) => [clicks]);
  t.equal(counted, ROUND_CLICKS, 'clicks that were read ahead are counted once the shard is free');
  t.equal(takeDaysRead(), 0);
  const total = `total|2026-11-20|${NO_SUBJECT}||`;
  t.strictSame((await readAll(locked)).get(total), { all: 2 + 2 * ROUND_CLICKS, human: 2 + 2 * ROUND_CLICKS, unique: 2 });
});

t.test('a session that waits for a shard gets it once the clicks that are being read are counted', async (t) => {
  await countAll();
  await counter.end();
  t.teardown(() => {
    counter = openCounter(own.url, ROUND_CLICKS);
  });
  const { count, takeDaysRead } = openNotingCounter(t, 500);
  const environment = await makeEnvironment(client);
  await logClicks(client, environment.number, [loggedClick(links[0], NOW - 1000)]);
  const counting = count();
  await until(() => takeDaysRead() > 0, 'the clicks to be read');
  const [counted, recounted] = await Promise.all([counting, recount(environment, 'UTC', '2026-11-20')]);
  t.equal(counted, 1);
  t.match(recounted, { clicks: 1, changed: 0 }, 'the waiting session finds the figures complete');
});

t.test('a breakdown with many referrers has the same figures whether stored as a whole or as changes', async (t) => {
  const environment = await makeEnvironment(client);
  const clicks: LoggedClick[] = [];
  for (let round = 0; round < 40; round++) {
    const referrers = round === 0 ? 40 : 3;
    const added = Array.from({ length: referrers }, (_, n) =>
      loggedClick(links[0], NOW - 1000, { visitor: round + n, referrer_host: `${(round * 7 + n) % 40}.example`, campaign: 'spring' }),
    );
    await logClicks(client, environment.number, added);
    clicks.push(...added);
    await countAll();
    if (round % 10 === 5) t.strictSame(sorted(await readAll(environment)), sorted(figuresByHand(clicks, 'UTC')), `after round ${round}`);
    if (round === 25) {
      await counter.end();
      counter = openCounter(own.url, ROUND_CLICKS);
    }
  }
  const changes = await client.query('SELECT 1 FROM click_breakdown_changes WHERE environment_number = $1', [environment.number]);
  t.ok((changes.rowCount ?? 0) > 0, 'some breakdowns are stored as changes');
  const breakdowns = await readInSnapshot(database, async (snapshot) =>
    readBreakdowns(snapshot, { window: await readWindow(snapshot, environment.id, { days: 1 }, NOW), campaign: 'spring' }, 3),
  );
  t.strictSame(
    breakdowns.filter(({ dimension }) => dimension === 'platform').map(({ all }) => all),
    [clicks.length],
    'the statistics read the newest lines',
  );
  t.equal((await recount(environment, 'UTC', '2026-11-20')).changed, 0, 'a recount changes nothing');
  t.strictSame(sorted(await readAll(environment)), sorted(figuresByHand(clicks, 'UTC')));
});

t.test('a counter that is killed while it counts leaves nothing counted', async (t) => {
  const environment = await makeEnvironment(client);
  await logClicks(client, environment.number, [loggedClick(links[0], NOW - 1000)]);
  await countAll();
  await logClicks(client, environment.number, [loggedClick(links[0], NOW - 500)]);
  // The last statement of the counter waits for this row, and its session is killed there.
  await client.query("INSERT INTO click_top_windows (environment_number, from_day, until_day) VALUES ($1, '2026-11-01', '2026-11-20')", [
    environment.number,
  ]);
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM click_top_windows WHERE environment_number = $1 FOR UPDATE', [environment.number]);
  const dying = counter.count(NOW);
  const killed = t.rejects(dying);
  await killWaiting(database, 'click_top_windows');
  await killed;
  await client.query('ROLLBACK');
  t.equal(await waitingBatches(client), 1);
  const total = `total|2026-11-20|${NO_SUBJECT}||`;
  t.strictSame((await readAll(environment)).get(total), { all: 1, human: 1, unique: 1 });
  await countAll();
  t.strictSame((await readAll(environment)).get(total), { all: 2, human: 2, unique: 1 });
});

t.test('answers name the time up to which clicks are counted', async (t) => {
  const environment = await makeEnvironment(client);
  const asOf = () =>
    readInSnapshot(database, async (snapshot) =>
      Date.parse(await readAsOf(snapshot, await readWindow(snapshot, environment.id, { days: 1 }, NOW))),
    );
  t.ok(Date.now() - (await asOf()) < 2_000, 'the time is a moment ago if no clicks wait');
  await logClicks(client, environment.number, [loggedClick(links[0], NOW - 5_000), loggedClick(links[0], NOW)]);
  t.equal(await asOf(), NOW - 5_000, 'the time is that of the oldest waiting click');
  await countLoggedClicks(own.url, NOW);
});

t.test('clicks older than every range and clicks of deleted environments add no figures', async (t) => {
  const environment = await makeEnvironment(client);
  await logClicks(client, environment.number, [loggedClick(links[0], NOW - 40 * DAY_MS)]);
  await logClicks(client, 999_999, [loggedClick(links[0], NOW)]);
  await countAll();
  t.equal(
    (await client.query('SELECT 1 FROM click_figures WHERE environment_number = ANY ($1)', [[environment.number, 999_999]])).rowCount,
    0,
  );
});
