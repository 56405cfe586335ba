import t, { type Test } from 'tap';
import type { Grouping } from '../../../../control-plane/click-figures/click-groups.js';
import { DayColumns } from '../../../../control-plane/click-figures/prepared/day-columns.js';
import { readColumnDays } from '../../../../control-plane/click-figures/reading/column-days.js';
import { readGroups } from '../../../../control-plane/click-figures/reading/groups.js';
import { matchUserAgents, reclassifyClicks } from '../../../../control-plane/clicks/reclassify.js';
import { createDatabase as createDatabaseOf, createPool } from '../../../../control-plane/db/database.js';
import { readWindow } from '../../../../control-plane/local-days/window.js';
import { newId } from '../../../../shared/base/ids.js';
import { connect, countLoggedClicks, logClicks, loggedClick, makeEnvironment } from '../../../support/click-log.js';
import { createDatabase } from '../../../support/database.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const LINK = newId('link');

/** An environment with clicks of each browser at the given times. */
async function start(t: Test, clicks: Readonly<Record<string, readonly string[]>>) {
  const own = await createDatabase();
  const client = await connect(own.url);
  const pool = createPool(own.url, 3, 'day-columns-test', () => {});
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
  /** Makes everything that is due, in parts of two clicks. Returns the number of steps. */
  const make = async (nowMs = NOW, { clicksMin = 1, textBytesMax = 1_000_000 } = {}) => {
    const columns = new DayColumns(database, { clicksMin, partClicks: 2, textBytesMax });
    let steps = 0;
    while (await columns.step(nowMs)) steps++;
    return steps;
  };
  const windowOf = (from: string, to: string) => readWindow(database, environment.id, { from, to, days: 0 }, NOW);
  /** The days from the 17th to the 20th that need no log. */
  const made = async () =>
    [...(await readColumnDays(database, await windowOf('2026-11-17', '2026-11-20'), ['browser'], NOW)).keys()].sort();
  /** The browsers of a day, from columns alone and from its groups, which must be the same. */
  const browsersOf = async (day: string) => {
    t.ok((await made()).includes(day), `${day} has columns`);
    const byBrowser = { key: { field: 'browser' }, limit: 100 } as const;
    const groupsOf = async (...groupings: readonly Grouping[]) =>
      (await readGroups(database, { window: await windowOf(day, day), nowMs: NOW, conditions: [], groupings }))[0];
    const counted = await groupsOf(byBrowser, { key: 'nothing', limit: 1 });
    t.same(await groupsOf(byBrowser), counted);
    return counted;
  };
  return { database, client, environment, count, make, made, browsersOf };
}

const group = (value: string | null, all: number, human = all, unique = human) => ({ value, all, human, unique });
/** Days without clicks need no columns. */
const EMPTY = '2026-11-17';

t.test('columns of a day are made once the day is over in the project’s time zone', async (t) => {
  const { make, made, browsersOf } = await start(t, {
    Safari: ['2026-11-18T09:00:00Z', '2026-11-18T09:01:00Z', '2026-11-19T23:30:00Z'],
    Chrome: ['2026-11-19T09:00:00Z', '2026-11-18T22:59:59Z', '2026-11-18T23:00:00Z'],
  });
  t.same(await made(), [EMPTY]);
  await make(Date.parse('2026-11-19T23:59:00Z'));
  // It is 0:59 on the 20th in Berlin.
  t.same(await made(), [EMPTY, '2026-11-18']);
  t.same(await browsersOf('2026-11-18'), [group('Safari', 2, 2, 1), group('Chrome', 1)]);
  t.equal(await make(Date.parse('2026-11-19T23:59:00Z')), 0);
  t.equal(await make(), 1, 'a part is a step');
  t.equal(await make(), 0, 'today is not made');
  t.same(await browsersOf('2026-11-19'), [group('Chrome', 2)]);
});

t.test('no columns are made for an environment with few clicks', async (t) => {
  const { make } = await start(t, { Safari: ['2026-11-18T09:00:00Z'] });
  t.equal(await make(NOW, { clicksMin: 2 }), 0);
  t.not(await make(NOW, { clicksMin: 1 }), 0);
});

t.test('columns of a day that gets another click are ignored until they are made again', async (t) => {
  const { make, made, browsersOf, count } = await start(t, { Safari: ['2026-11-18T09:00:00Z', '2026-11-19T09:00:00Z'] });
  await make();
  await count({ Opera: ['2026-11-18T10:00:00Z'] });
  t.same(await made(), [EMPTY, '2026-11-19', '2026-11-20']);
  await make();
  t.same(await browsersOf('2026-11-18'), [group('Opera', 1), group('Safari', 1)]);
  t.equal(await make(), 0);
});

t.test('columns of a day with reclassified clicks are made again', async (t) => {
  const { database, make, made, browsersOf } = await start(t, {
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
  t.same(await made(), ['2026-11-17', '2026-11-19', '2026-11-20']);
  await make();
  t.same(await browsersOf('2026-11-18'), [group('Safari', 1), group('Crawler', 1, 0)]);
});

t.test('if a day changes while its columns are made, they are not read, and are made again', async (t) => {
  const hours = (...of: readonly number[]) => of.map((hour) => `2026-11-18T${String(hour).padStart(2, '0')}:00:00Z`);
  const { database, client, make, made, browsersOf, count } = await start(t, { Safari: hours(6, 7, 8, 9, 10) });
  const columns = new DayColumns(database, { clicksMin: 1, partClicks: 2 });
  const makeAll = async (change: () => Promise<unknown>) => {
    t.equal(await columns.step(NOW), true);
    t.equal((await client.query('SELECT FROM click_column_days WHERE clicks IS NULL')).rowCount, 1, 'begun');
    await change();
    while (await columns.step(NOW));
  };
  const partsStored = async () => (await client.query<{ part: number }>('SELECT DISTINCT part FROM click_columns ORDER BY part')).rows;
  // The figures of the day are counted again, with the same outcome.
  await makeAll(() => client.query('DELETE FROM click_column_days'));
  t.same(await partsStored(), [{ part: 0 }, { part: 1 }, { part: 2 }], 'the day begins again at once');
  t.same(await browsersOf('2026-11-18'), [group('Safari', 5)]);
  await client.query('DELETE FROM click_column_days');
  await makeAll(() => count({ Opera: hours(11) }));
  t.notOk((await made()).includes('2026-11-18'), 'the day with another click has no columns yet');
  await client.query(`UPDATE click_column_days SET begun_at = begun_at - interval '61 minutes'`);
  await make();
  t.same(await browsersOf('2026-11-18'), [group('Safari', 5), group('Opera', 1)]);
});

t.test('a day that a process left unfinished is made by another one after an hour, and its columns exist once', async (t) => {
  const { database, make, browsersOf, client } = await start(t, {
    Safari: ['2026-11-18T09:00:00Z', '2026-11-18T10:00:00Z', '2026-11-18T11:00:00Z'],
  });
  const columns = new DayColumns(database, { clicksMin: 1, partClicks: 2 });
  t.equal(await columns.step(NOW), true);
  t.equal(await make(), 0, 'a day that is being made is skipped');
  t.equal(await make(NOW + 61 * 60_000), 2);
  while (await columns.step(NOW));
  t.same(await browsersOf('2026-11-18'), [group('Safari', 3)]);
  t.equal((await client.query(`SELECT FROM click_columns WHERE field = 'browser'`)).rowCount, 2, 'once for each part');
});

t.test('a day whose log and figures differ has no columns that are read, and columns are deleted with the figures', async (t) => {
  const { client, make, made } = await start(t, { Safari: ['2026-11-18T09:00:00Z'], Chrome: ['2026-11-19T09:00:00Z'] });
  await client.query(`UPDATE clicks SET bot = true WHERE browser = 'Safari'`);
  await make();
  t.same(await made(), [EMPTY, '2026-11-19', '2026-11-20']);
  await client.query('DELETE FROM click_figures');
  t.equal(await make(), 0);
  for (const table of ['click_column_days', 'click_columns', 'click_day_groups'])
    t.equal((await client.query(`SELECT FROM ${table}`)).rowCount, 0);
});

t.test('a field with too many texts has no column, and the others do', async (t) => {
  const { database, make, made, environment } = await start(t, {
    Safari: ['2026-11-18T09:00:00Z', '2026-11-18T10:00:00Z'],
    Chrome: ['2026-11-18T09:00:00Z', '2026-11-18T11:00:00Z'],
  });
  await make(NOW, { textBytesMax: 6 });
  t.notOk((await made()).includes('2026-11-18'), '"Safari" has six bytes, and another browser is too much');
  const window = await readWindow(database, environment.id, { from: '2026-11-18', to: '2026-11-18', days: 0 }, NOW);
  const days = await readColumnDays(database, window, ['platform', 'visitor', 'quarter'], NOW);
  t.same([...days], [['2026-11-18', { parts: 2, clicks: 4, groups: null }]]);
  const wanted = { window, nowMs: NOW, conditions: [], groupings: [{ key: { field: 'browser' }, limit: 9 }] } as const;
  t.same((await readGroups(database, wanted))[0], [group('Chrome', 2), group('Safari', 2)], 'groups by the field are counted from the log');
});
