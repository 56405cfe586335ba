import t, { type Test } from 'tap';
import { DayGroups } from '../../../../control-plane/click-figures/prepared/day-groups.js';
import { readDayGroups } from '../../../../control-plane/click-figures/reading/day-groups.js';
import { matchUserAgents, reclassifyClicks } from '../../../../control-plane/clicks/reclassify.js';
import { createDatabase as createDatabaseOf, createPool } from '../../../../control-plane/db/database.js';
import { readWindow } from '../../../../control-plane/local-days/window.js';
import { newId } from '../../../../shared/base/ids.js';
import type { ClickFilter } from '../../../../shared/contract/schemas/clicks-query.js';
import { connect, countLoggedClicks, logClicks, loggedClick, makeEnvironment } from '../../../support/click-log.js';
import { createDatabase } from '../../../support/database.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const LINK = newId('link');

/** An environment with clicks of each browser at the given times. */
async function start(t: Test, clicks: Readonly<Record<string, readonly string[]>>) {
  const own = await createDatabase();
  const client = await connect(own.url);
  const pool = createPool(own.url, 3, 'day-groups-test', () => {});
  const database = createDatabaseOf(pool);
  t.teardown(async () => {
    await client.end();
    await pool.end();
    await own.drop();
  });
  const environment = await makeEnvironment(client, 'Europe/Berlin');
  const count = async (more: typeof clicks): Promise<void> => {
    const logged = Object.entries(more).flatMap(([browser, times]) =>
      times.map((at) => loggedClick(LINK, at, { browser, user_agent: browser, visitor: Math.floor(Date.parse(at) / 3_600_000) })),
    );
    await logClicks(client, environment.number, logged);
    await countLoggedClicks(own.url, NOW);
  };
  await count(clicks);
  /** Counts everything that is due. Returns the number of steps. */
  const make = async (nowMs = NOW, { over = database, clicksMin = 1 } = {}) => {
    const groups = new DayGroups(over, clicksMin);
    let steps = 0;
    while (await groups.step(nowMs)) steps++;
    return steps;
  };
  /** All groups of the days from the 17th to the 20th. */
  const read = async (field: ClickFilter = 'browser') => {
    const window = await readWindow(database, environment.id, { from: '2026-11-17', to: '2026-11-20', days: 0 }, NOW);
    return Object.fromEntries([...(await readDayGroups(database, window, field))].sort());
  };
  return { database, client, environment, count, make, read };
}

const group = (value: string | null, all: number, human = all, unique = human) => ({ value, all, human, unique });

t.test('groups of a day are counted once the day is over in the project’s time zone', async (t) => {
  const { make, read } = await start(t, {
    Safari: ['2026-11-18T09:00:00Z', '2026-11-18T09:01:00Z', '2026-11-19T23:30:00Z'],
    Chrome: ['2026-11-19T09:00:00Z', '2026-11-18T22:59:59Z', '2026-11-18T23:00:00Z'],
  });
  const empty = { '2026-11-17': [] };
  t.same(await read(), empty, 'a day without clicks has empty groups');
  await make(Date.parse('2026-11-19T23:59:00Z'));
  // It is 0:59 on the 20th in Berlin.
  t.same(await read(), { ...empty, '2026-11-18': [group('Safari', 2, 2, 1), group('Chrome', 1)] });
  t.equal(await make(Date.parse('2026-11-19T23:59:00Z')), 0);
  t.equal(await make(), 20, 'each field that the figures lack is a step');
  t.equal(await make(), 0, 'today is not counted');
  t.same((await read())['2026-11-19'], [group('Chrome', 2)]);
  t.same((await read('os'))['2026-11-19'], [group(null, 2)]);
  t.same((await read('link'))['2026-11-19'], [], 'for a field that the figures have, only clicks without a value are a group');
  t.same((await read('campaign'))['2026-11-19'], [group(null, 2)]);
  t.same(await read('country'), empty, 'no groups are kept for a field that the figures have in full');
});

t.test('no groups are counted for an environment with few clicks', async (t) => {
  const { make } = await start(t, { Safari: ['2026-11-18T09:00:00Z'] });
  t.equal(await make(NOW, { clicksMin: 2 }), 0);
  t.not(await make(NOW, { clicksMin: 1 }), 0);
});

t.test('groups of a day that gets another click are ignored until they are counted again', async (t) => {
  const { make, read, count } = await start(t, { Safari: ['2026-11-18T09:00:00Z', '2026-11-19T09:00:00Z'] });
  await make();
  await count({ Opera: ['2026-11-18T10:00:00Z'] });
  t.same(Object.keys(await read()), ['2026-11-17', '2026-11-19', '2026-11-20']);
  await make();
  t.same((await read())['2026-11-18'], [group('Opera', 1), group('Safari', 1)]);
  t.equal(await make(), 0);
});

t.test('groups of a day with reclassified clicks are counted again', async (t) => {
  const { database, make, read } = await start(t, {
    // The log must begin before the 18th, because a day in the middle of which the log begins is not counted again.
    Safari: ['2026-11-17T09:00:00Z', '2026-11-18T09:00:00Z'],
    Crawler: ['2026-11-18T10:00:00Z'],
  });
  await make();
  const selector = {
    by: 'user_agent',
    hashes: (await matchUserAgents(database, 'crawler')).map((match) => match.user_agent_hash),
  } as const;
  const span = { from: new Date('2026-11-18T00:00:00Z'), to: new Date('2026-11-19T00:00:00Z') };
  const wanted = { span, environmentNumber: null, selector, botReason: 'operator', keptFrom: '2026-10-20' };
  for await (const day of reclassifyClicks(database, wanted)) t.equal(day.clicks, 1);
  t.same(Object.keys(await read()), ['2026-11-17', '2026-11-19', '2026-11-20']);
  await make();
  t.same((await read())['2026-11-18'], [group('Safari', 1), group('Crawler', 1, 0)]);
  t.same((await read('bot_reason'))['2026-11-18'], [group(null, 1), group('operator', 1, 0)]);
});

t.test('if a day changes while it is counted, the result is dropped and the day is counted again', async (t) => {
  const { database, client, make, read, count } = await start(t, { Safari: ['2026-11-18T09:00:00Z'] });
  const groups = new DayGroups(database, 1);
  const countAll = async (change: () => Promise<unknown>) => {
    t.equal(await groups.step(NOW), true);
    t.equal((await client.query('SELECT FROM click_grouped_days WHERE clicks IS NULL')).rowCount, 1, 'begun');
    await change();
    while (await groups.step(NOW));
  };
  const begunAt = () => client.query(`UPDATE click_grouped_days SET begun_at = begun_at - interval '61 minutes'`);
  // The figures of the day are counted again, with the same outcome.
  await countAll(() => client.query('DELETE FROM click_grouped_days'));
  t.equal((await client.query('SELECT FROM click_day_groups')).rowCount, 20, 'the day is counted again at once');
  await client.query('DELETE FROM click_grouped_days');
  await countAll(() => count({ Opera: ['2026-11-18T10:00:00Z'] }));
  t.notOk('2026-11-18' in (await read()), 'the day with another click has no groups yet');
  await begunAt();
  await make();
  t.same((await read())['2026-11-18'], [group('Opera', 1), group('Safari', 1)]);
});

t.test('a day that a process left unfinished is counted by another one after an hour, and its groups exist once', async (t) => {
  const { database, make, read, client } = await start(t, { Safari: ['2026-11-18T09:00:00Z'] });
  const groups = new DayGroups(database, 1);
  t.equal(await groups.step(NOW), true);
  t.equal(await make(), 0, 'a day that is being counted is skipped');
  t.not(await make(NOW + 61 * 60_000), 0);
  while (await groups.step(NOW));
  t.same((await read())['2026-11-18'], [group('Safari', 1)]);
  t.equal((await client.query('SELECT FROM click_day_groups')).rowCount, 20, 'once');
});

t.test('a day whose log and figures differ has no groups, and groups are deleted with the figures', async (t) => {
  const { client, make, read } = await start(t, { Safari: ['2026-11-18T09:00:00Z'], Chrome: ['2026-11-19T09:00:00Z'] });
  await client.query(`UPDATE clicks SET bot = true WHERE browser = 'Safari'`);
  await make();
  t.same(Object.keys(await read()), ['2026-11-17', '2026-11-19', '2026-11-20']);
  await client.query('DELETE FROM click_figures');
  t.equal(await make(), 0);
  t.equal((await client.query('SELECT FROM click_grouped_days')).rowCount, 0);
});

t.test('no groups are kept for a field with more than 2,000 groups on a day', async (t) => {
  const { client, environment, make, read, count } = await start(t, {});
  const paths = Array.from({ length: 2_001 }, (_, path) =>
    loggedClick(LINK, '2026-11-18T09:00:00Z', { path: `p${path}`, city: path < 2_000 ? `c${path}` : 'c0' }),
  );
  await logClicks(client, environment.number, paths);
  await count({});
  await make();
  t.same(Object.keys(await read('path')), ['2026-11-17', '2026-11-19', '2026-11-20']);
  t.equal((await read('city'))['2026-11-18']?.length, 2_000);
});
