import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import t, { type Test } from 'tap';
import type { Grouping } from '../../../../control-plane/click-figures/click-groups.js';
import { DayColumns, type DayColumnsSettings } from '../../../../control-plane/click-figures/prepared/day-columns.js';
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
  const make = async (nowMs = NOW, settings: DayColumnsSettings = {}) => {
    const columns = new DayColumns(database, { clicksMin: 1, laterClicks: 1_000, partClicks: 2, ...settings });
    let steps = 0;
    while (await columns.step(nowMs)) steps++;
    return steps;
  };
  let minute = 0;
  /** Makes the columns of today, a minute later each time. */
  const makeToday = (settings: DayColumnsSettings = {}) => make(NOW + ++minute * 60_001, { laterClicks: 1, ...settings });
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
  /** The clicks of today that are read beside its columns; undefined if it has none. */
  const laterClicks = async () =>
    (await readColumnDays(database, await windowOf('2026-11-20', '2026-11-20'), ['browser'], NOW)).get('2026-11-20')?.later;
  return { database, client, environment, count, make, makeToday, made, browsersOf, laterClicks };
}

const today = (...times: readonly string[]) => times.map((time) => `2026-11-20T${time}:00Z`);
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

t.test('columns of a day whose figures were erased are not read until they are erased too', async (t) => {
  const { client, make, makeToday, made, browsersOf } = await start(t, { Safari: ['2026-11-18T09:00:00Z', ...today('08:00')] });
  await make();
  await makeToday();
  await client.query('DELETE FROM click_figures');
  t.same(await made(), [EMPTY, '2026-11-18', '2026-11-19', '2026-11-20']);
  t.same(await browsersOf('2026-11-18'), []);
  t.same(await browsersOf('2026-11-20'), []);
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
  t.same([...days], [['2026-11-18', { parts: 2, clicks: 4, groups: null, later: null }]]);
  const wanted = { window, nowMs: NOW, conditions: [], groupings: [{ key: { field: 'browser' }, limit: 9 }] } as const;
  t.same((await readGroups(database, wanted))[0], [group('Chrome', 2), group('Safari', 2)], 'groups by the field are counted from the log');
});

const partsOfToday = (client: Client) =>
  client.query<{ part: number; fields: number }>(
    `SELECT part, count(*)::integer AS fields FROM click_columns WHERE day = '2026-11-20' GROUP BY part ORDER BY part`,
  );

t.test('a day in which a visitor has clicked too often has no columns, or keeps those that it has', async (t) => {
  const { count, client, make, makeToday, made, browsersOf } = await start(t, {
    Safari: ['2026-11-18T09:00:00Z', '2026-11-18T09:01:00Z', '2026-11-18T09:02:00Z', ...today('08:00')],
  });
  await make(NOW, { partClicksMax: 2 });
  t.same(await made(), [EMPTY, '2026-11-19']);
  t.not(await makeToday({ partClicksMax: 2 }), 0);
  await count({ Safari: today('08:01', '08:02') });
  t.equal(await makeToday({ partClicksMax: 2 }), 1);
  const { rows } = await client.query<{ clicks: string }>(`SELECT clicks FROM click_column_days WHERE day = '2026-11-20'`);
  t.equal(rows[0]?.clicks, '1');
  t.same(await browsersOf('2026-11-20'), [group('Safari', 3, 3, 1)]);
  t.not(await make(NOW + 2 * 3_600_000, { partClicksMax: 3 }), 0);
  t.same(await browsersOf('2026-11-18'), [group('Safari', 3, 3, 1)]);
});

t.test('clicks of today that are not in its columns yet are read from the log, and become part of them', async (t) => {
  const { client, count, makeToday, browsersOf, laterClicks } = await start(t, {
    Safari: today('08:00', '08:01', '09:00'),
    Chrome: today('09:30', '10:00'),
  });
  t.equal(await makeToday(), 3, 'a part is a step');
  t.equal(await laterClicks(), null);
  t.same(await browsersOf('2026-11-20'), [group('Safari', 3, 3, 2), group('Chrome', 2)]);
  // The visitor of an hour is one visitor.
  await count({ Safari: today('08:02'), Opera: today('08:03') });
  t.match(await laterClicks(), { all: 2, human: 2 });
  const after = [group('Safari', 4, 4, 2), group('Chrome', 2), group('Opera', 1)];
  t.same(await browsersOf('2026-11-20'), after);
  const before = (await partsOfToday(client)).rows;
  t.equal(await makeToday(), 3);
  t.equal(await laterClicks(), null);
  t.same(await browsersOf('2026-11-20'), after);
  const { rows } = await partsOfToday(client);
  t.same(
    rows.map(({ part }) => part),
    before.map(({ part }) => part + 3),
    'new parts have taken the place of the old ones',
  );
  t.equal(await makeToday(), 0);
});

t.test('the columns of today are made again when one in ten clicks is not in them', async (t) => {
  const { count, makeToday, laterClicks } = await start(t, { Safari: Array.from({ length: 40 }, () => today('08:00')).flat() });
  t.equal(await makeToday(), 20);
  await count({ Opera: today('09:00', '09:10', '09:20') });
  t.equal(await makeToday(), 0);
  await count({ Opera: today('09:00') });
  t.match(await laterClicks(), { all: 4 });
  t.not(await makeToday(), 0);
  t.equal(await laterClicks(), null);
});

t.test('the columns of today are kept for 15 seconds at least', async (t) => {
  const { count, make, laterClicks } = await start(t, { Safari: today('08:00') });
  t.equal(await make(NOW, { laterClicks: 1 }), 1);
  await count({ Opera: today('09:00') });
  t.equal(await make(NOW + 14_000, { laterClicks: 1 }), 0);
  t.match(await laterClicks(), { all: 1 });
  t.equal(await make(NOW + 16_000, { laterClicks: 1 }), 1);
});

t.test('a day that has grown by half is divided into more parts', async (t) => {
  const { client, count, makeToday, browsersOf } = await start(t, { Safari: today('08:00', '09:00') });
  t.equal(await makeToday(), 1);
  await count({ Safari: today('10:00') });
  t.equal(await makeToday(), 1, 'the part has three clicks');
  await count({ Safari: today('11:00') });
  t.equal(await makeToday(), 2);
  t.equal((await partsOfToday(client)).rows.length, 2);
  t.same(await browsersOf('2026-11-20'), [group('Safari', 4)]);
});

t.test('a field of which the added clicks of today have too many texts has no column any more', async (t) => {
  const { client, count, makeToday, made } = await start(t, { Safari: today('08:00') });
  t.equal(await makeToday(), 1);
  await count({ Chrome: today('08:02'), Firefox: today('08:03') });
  t.not(await makeToday({ textBytesMax: 12 }), 0);
  t.notOk((await made()).includes('2026-11-20'));
  const { rows } = await client.query<{ clicks: string; fields: readonly string[] }>('SELECT clicks, fields FROM click_column_days');
  t.equal(rows[0]?.clicks, '3');
  t.notOk(rows[0]?.fields.includes('browser'));
  t.ok(rows[0]?.fields.includes('platform'));
});

t.test('clicks that wait to be counted are not in the columns of today, and are added once they are counted', async (t) => {
  const { client, environment, count, makeToday, browsersOf, laterClicks } = await start(t, { Safari: today('08:00') });
  await logClicks(client, environment.number, [loggedClick(LINK, '2026-11-20T09:00:00Z', { browser: 'Opera', user_agent: 'Opera' })]);
  await makeToday();
  t.same(await browsersOf('2026-11-20'), [group('Safari', 1)]);
  await count({});
  t.match(await laterClicks(), { all: 1 });
  t.same(await browsersOf('2026-11-20'), [group('Opera', 1), group('Safari', 1)]);
});

t.test('a batch that is stored later than one with a higher number is read from the log, and is in the next columns', async (t) => {
  const { client, count, makeToday, browsersOf, laterClicks } = await start(t, { Safari: today('08:00', '09:00') });
  await makeToday();
  await count({ Opera: today('10:00') });
  await client.query(`UPDATE clicks SET batch_id = 0 WHERE browser = 'Opera'`);
  const all = [group('Safari', 2), group('Opera', 1)];
  t.match(await laterClicks(), { all: 1 });
  t.same(await browsersOf('2026-11-20'), all);
  await makeToday();
  t.equal(await laterClicks(), null);
  t.same(await browsersOf('2026-11-20'), all);
});

t.test('the columns of today end at a batch that is so old that no earlier one is still being stored', async (t) => {
  const { client, count, makeToday, laterClicks } = await start(t, { Safari: today('08:00') });
  const storeAgo = (seconds: number, batch: 'min' | 'max') =>
    client.query(
      `UPDATE click_log_batches SET stored_at = now() - make_interval(secs => $1) WHERE batch_id = (SELECT ${batch}(batch_id) FROM click_log_batches)`,
      [seconds],
    );
  await storeAgo(11, 'min');
  await count({ Opera: today('09:00') });
  await storeAgo(-60, 'max');
  await makeToday();
  t.match(await laterClicks(), { all: 1 });
  await storeAgo(11, 'max');
  await makeToday();
  t.equal(await laterClicks(), null);
});

t.test('while the columns of today are made again the old ones are read, also if a process ended before it was done', async (t) => {
  const { database, client, count, makeToday, browsersOf } = await start(t, { Safari: today('06:00', '07:00', '08:00', '09:00', '10:00') });
  t.equal(await makeToday(), 3);
  await count({ Opera: today('11:00') });
  const all = [group('Safari', 5), group('Opera', 1)];
  const ended = new DayColumns(database, { clicksMin: 1, laterClicks: 1, partClicks: 2 });
  const [now, later] = [NOW + 5 * 60_000, NOW + 9 * 60_000];
  t.equal(await ended.step(now - 90_000), true);
  t.equal(await ended.step(now), true);
  t.same(await browsersOf('2026-11-20'), all);
  const next = new DayColumns(database, { clicksMin: 1, laterClicks: 1, partClicks: 2 });
  t.equal(await next.step(now + 60_000), false, 'a day whose last part was stored a minute ago is being made');
  while (await next.step(later));
  t.equal(await ended.step(now), true, 'another process has begun the day again');
  t.equal((await partsOfToday(client)).rows.length, 3);
  t.same(await browsersOf('2026-11-20'), all);
});

t.test('once a day is settled, its columns are made of all of its clicks', async (t) => {
  const { client, count, make, makeToday, made, browsersOf } = await start(t, { Safari: today('08:00') });
  await makeToday();
  await count({ Opera: today('09:00') });
  const { rows } = await partsOfToday(client);
  t.equal(await make(Date.parse('2026-11-20T23:59:00Z')), 0);
  t.not(await make(Date.parse('2026-11-21T00:01:00Z')), 0, 'an hour after midnight in Berlin');
  t.ok((await made()).includes('2026-11-20'));
  t.same(await browsersOf('2026-11-20'), [group('Opera', 1), group('Safari', 1)]);
  const after = (await partsOfToday(client)).rows;
  t.same(
    after.map(({ fields }) => fields),
    rows.map(({ fields }) => fields - 1),
    'hashes of visitors are kept no longer',
  );
  t.equal((await client.query('SELECT FROM click_column_days WHERE last_batch IS NOT NULL')).rowCount, 0);
});

t.test('reclassified clicks of today are read from the log until its columns are made again', async (t) => {
  const { database, client, makeToday, made, browsersOf } = await start(t, {
    Safari: ['2026-11-17T09:00:00Z', ...today('08:00')],
    Crawler: today('09:00'),
  });
  await makeToday();
  const hashes = (await matchUserAgents(database, 'crawler')).map((match) => match.user_agent_hash);
  const span = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') };
  const wanted = {
    span,
    environmentNumber: null,
    selector: { by: 'user_agent', hashes },
    botReason: 'operator',
    keptFrom: '2026-10-20',
  } as const;
  for await (const day of reclassifyClicks(database, wanted)) t.equal(day.clicks, 1);
  t.notOk((await made()).includes('2026-11-20'));
  await makeToday();
  t.same(await browsersOf('2026-11-20'), [group('Safari', 1), group('Crawler', 1, 0)]);
  t.not((await partsOfToday(client)).rows.length, 0);
});

t.test('hashes of visitors of a settled day are deleted also if the environment has too few clicks for columns by then', async (t) => {
  const { client, make, makeToday, browsersOf } = await start(t, { Safari: today('08:00') });
  await makeToday();
  const settledMs = Date.parse('2026-11-21T00:01:00Z');
  t.not(await make(settledMs, { clicksMin: 1_000 }), 0);
  t.equal((await client.query(`SELECT FROM click_columns WHERE field = 'visitor_hash'`)).rowCount, 0);
  t.same(await browsersOf('2026-11-20'), [group('Safari', 1)]);
  t.equal(await make(settledMs, { clicksMin: 1_000 }), 0);
});

t.test('making columns does not wait for a transaction that changes the day, because no clicks are counted meanwhile', async (t) => {
  const { database, client, count, makeToday, browsersOf } = await start(t, { Safari: today('08:00', '09:00', '10:00') });
  await makeToday();
  await count({ Opera: today('11:00') });
  const whileChanged = async (work: () => Promise<unknown>) => {
    await client.query('BEGIN');
    await client.query('DELETE FROM click_column_days');
    const late = setTimeout(3_000, 'late', { ref: false });
    const done = work();
    t.not(await Promise.race([done, late]), 'late');
    await client.query('ROLLBACK');
    await done;
  };
  await whileChanged(makeToday);
  const columns = new DayColumns(database, { clicksMin: 1, laterClicks: 1, partClicks: 2 });
  t.equal(await columns.step(NOW + 10 * 60_000), true);
  await whileChanged(() => columns.step(NOW + 10 * 60_000));
  await client.query('DELETE FROM click_figures');
  await whileChanged(makeToday);
  await makeToday();
  t.equal((await client.query('SELECT FROM click_column_days')).rowCount, 0);
  t.same(await browsersOf('2026-11-20'), []);
});
