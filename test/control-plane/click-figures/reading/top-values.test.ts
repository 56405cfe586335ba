import { randomInt } from 'node:crypto';
import t, { type Test } from 'tap';
import { rebuildFigures } from '../../../../control-plane/click-figures/counting/rebuild.js';
import {
  CLICK_PREFIX_KEPT_MAX,
  CLICK_PREFIX_PLACES,
  CLICK_PREFIX_PLACES_IF_FLAT,
  createPrefixes,
} from '../../../../control-plane/click-figures/prepared/top-prefixes.js';
import { readTopValues } from '../../../../control-plane/click-figures/reading/top-values.js';
import { readInSnapshot } from '../../../../control-plane/click-figures/transaction.js';
import type { Queryable } from '../../../../control-plane/db/database.js';
import { readWindow } from '../../../../control-plane/local-days/window.js';
import { newId } from '../../../../shared/base/ids.js';
import { countLoggedClicks, logClicks, loggedClick, makeEnvironment, makePrefixes } from '../../../support/click-log.js';
import { openPooledDatabase } from '../../../support/open-database.js';
import fc from '../../../support/properties.js';
import { until } from '../../../support/until.js';

const { url, client, database } = await openPooledDatabase(t);

const NOW = Date.parse('2026-11-20T12:00:00Z');
const LISTS = ['link', 'item', 'referrer', 'campaign'] as const;

interface Environment {
  readonly id: string;
  readonly number: number;
}

await client.query(
  "SELECT ensure_day_partition('click_figures', day::date) FROM generate_series('2026-10-15'::date, '2026-11-25', '1 day') AS day",
);

/** Prefixes are made for every environment. So those of former tests would be made again and again, for other days too. */
async function removeEnvironment({ number }: Environment): Promise<void> {
  await client.query('DELETE FROM environments WHERE number = $1', [number]);
}

/** Makes an environment that is removed at the end of the test. Its figures stay, as figures of another one. */
async function environmentOf(t: Test, timeZone?: string): Promise<Environment> {
  const environment = await makeEnvironment(client, timeZone);
  t.teardown(() => removeEnvironment(environment));
  return environment;
}

/**
 * Inserts figures for every third day of a range: `entries` entries in each list, each of which has up to `most` clicks by people
 * on about half of these days.
 */
async function insertFigures(
  environment: Environment,
  entries: number,
  most: number,
  days: readonly [string, string],
  lists: readonly string[] = LISTS,
): Promise<void> {
  await client.query(
    `INSERT INTO click_figures (environment_number, day, dimension, subject_id, campaign, value, clicks, human, visitors)
     SELECT $1, day::date, dimension::click_dimension, ('00000000-0000-0000-0000-' || lpad(CASE WHEN dimension IN ('link', 'campaign_link') THEN entry WHEN dimension = 'item' THEN (entry % 5 = 0)::integer ELSE 0 END::text, 12, '0'))::uuid,
       CASE dimension WHEN 'campaign' THEN 'c' || entry WHEN 'campaign_link' THEN 'c' || entry % 2 ELSE '' END, CASE WHEN dimension IN ('item', 'referrer') THEN 'v' || entry ELSE '' END, human + bots, human, least(human, 3)
     FROM generate_series($3::date, $2::date, '-3 days') AS day, unnest($4::text[]) AS dimension, generate_series(1, $5::integer) AS entry
     CROSS JOIN LATERAL (SELECT floor(random() * ($6::integer + 1))::integer AS human, floor(random() * 3)::integer AS bots WHERE entry > 0) AS count
     WHERE random() < 0.5 AND human + bots > 0`,
    [environment.number, ...days, lists, entries, most],
  );
}

/** The number of statements of `readTopValues`: one for the windows whose prefixes are kept, and one for each reading. */
let statements = 0;

async function topValues(environment: Environment, range: number, nowMs = NOW, manyEntries?: number) {
  return readInSnapshot(database, async (snapshot) => {
    const window = await readWindow(snapshot, environment.id, { days: range }, nowMs);
    const counting: Queryable = {
      query(statement) {
        statements++;
        return snapshot.query(statement);
      },
    };
    return readTopValues(counting, { scope: { window }, lists: LISTS, top: 10 }, manyEntries);
  });
}

async function campaignLinks(environment: Environment, campaign: string, range: number) {
  return readInSnapshot(database, async (snapshot) => {
    const window = await readWindow(snapshot, environment.id, { days: range }, NOW);
    return readTopValues(snapshot, { scope: { window, campaign }, lists: ['campaign_link'], top: 10 });
  });
}

async function campaignLinksByHand(environment: Environment, campaign: string, range: number) {
  const { rows } = await client.query(
    `SELECT dimension, subject_id, campaign, value, sum(clicks)::float8 AS "all", sum(human)::float8 AS human, sum(visitors)::float8 AS "unique"
     FROM click_figures
     WHERE environment_number = $1 AND day BETWEEN '2026-11-21'::date - $2::integer AND '2026-11-20' AND dimension = 'campaign_link' AND campaign = $3
     GROUP BY 1, 2, 3, 4
     HAVING sum(human) > 0
     ORDER BY sum(human) DESC, subject_id
     LIMIT 10`,
    [environment.number, range, campaign],
  );
  return rows;
}

/** The same as `topValues`, by adding up everything. */
async function topValuesByHand(environment: Environment, range: number) {
  const { rows } = await client.query(
    `SELECT dimension, subject_id, campaign, value, clicks AS "all", human, visitors AS "unique"
     FROM (
       SELECT *, row_number() OVER (PARTITION BY dimension, CASE dimension WHEN 'item' THEN subject_id END ORDER BY human DESC, subject_id, campaign, value) AS place
       FROM (
         SELECT dimension, subject_id, campaign, value, sum(clicks)::float8 AS clicks, sum(human)::float8 AS human, sum(visitors)::float8 AS visitors
         FROM click_figures
         WHERE environment_number = $1 AND day BETWEEN '2026-11-21'::date - $2::integer AND '2026-11-20' AND dimension = ANY ($3::click_dimension[])
         GROUP BY 1, 2, 3, 4
       ) AS summed
       WHERE human > 0
     ) AS placed
     WHERE place <= 10
     ORDER BY dimension, place`,
    [environment.number, range, LISTS],
  );
  return rows;
}

const byKey = (entries: readonly { dimension: string; subject_id: string; human: number }[]) =>
  entries.toSorted((a, b) => (`${a.dimension}${a.subject_id}` < `${b.dimension}${b.subject_id}` ? -1 : 1));

/** More entries than are kept, with sums that hardly differ, and few entries with sums that do. */
for (const [entries, most, lists] of [
  [1400, 1, ['item', 'referrer']],
  [1400, 6, ['item', 'referrer']],
  [40, 50, LISTS],
] as const)
  t.test(`the top ten of ${entries} entries with up to ${most} clicks a day are exact, with and without prefixes`, async (t) => {
    const environment = await environmentOf(t);
    await insertFigures(environment, entries, most, ['2026-10-22', '2026-11-20'], lists);
    const expected = { 7: byKey(await topValuesByHand(environment, 7)), 30: byKey(await topValuesByHand(environment, 30)) };
    for (const range of [7, 30] as const)
      t.strictSame(byKey(await topValues(environment, range)), expected[range], `${range} days, without prefixes`);
    t.ok((await makePrefixes(database, NOW)) >= 7, 'prefixes are made for two ranges, ending today and tomorrow, and for three days');
    t.equal(await makePrefixes(database, NOW), 0, 'a second call makes no prefix');
    for (const range of [7, 30] as const)
      t.strictSame(byKey(await topValues(environment, range)), expected[range], `${range} days, with prefixes`);
  });

t.test('two processes that found the same prefixes to be due build each of them once', async (t) => {
  const environment = await environmentOf(t);
  await insertFigures(environment, 20, 4, ['2026-10-22', '2026-11-19'], ['referrer']);
  const lists = [createPrefixes(database), createPrefixes(database)];
  let built = 0;
  for (let isBuilding = true; isBuilding; ) {
    const steps = [await lists[0]?.step(NOW), await lists[1]?.step(NOW)];
    built += steps.filter((step) => step).length;
    isBuilding = steps.includes(true);
  }
  const { rows } = await client.query<{ windows: number }>(
    'SELECT count(*)::integer AS windows FROM click_top_windows WHERE environment_number = $1',
    [environment.number],
  );
  t.strictSame([{ windows: built }], rows);
});

t.test('entries with few clicks before reach the top by the clicks of today', async (t) => {
  const environment = await environmentOf(t);
  await insertFigures(environment, 1500, 4, ['2026-10-22', '2026-11-19'], ['referrer']);
  await makePrefixes(database, NOW);
  const { rows } = await client.query<{ value: string }>(
    `SELECT value FROM click_figures WHERE environment_number = $1 AND dimension = 'referrer' GROUP BY value ORDER BY sum(human), value LIMIT 5`,
    [environment.number],
  );
  const last = rows.map(({ value }) => value);
  const clicks = last.flatMap((referrer_host, index) =>
    Array.from({ length: 100 + index }, () => loggedClick(newId('link'), NOW - 1000, { referrer_host, visitor: randomInt(1e9) })),
  );
  await logClicks(client, environment.number, clicks);
  await countLoggedClicks(url, NOW);
  const counted = (await topValues(environment, 30)).filter(({ dimension }) => dimension === 'referrer');
  t.strictSame(
    counted,
    (await topValuesByHand(environment, 30)).filter(({ dimension }) => dimension === 'referrer'),
  );
  t.strictSame(
    counted.slice(0, 5).map(({ value }) => value),
    last.toReversed(),
  );
});

/** Inserts clicks by people on one day, by referrer. */
async function insertReferrers(environment: Environment, clicks: ReadonlyMap<string, number>, day = '2026-11-01'): Promise<void> {
  await client.query(
    `INSERT INTO click_figures (environment_number, day, dimension, subject_id, campaign, value, clicks, human, visitors)
     SELECT $1, $4, 'referrer', '00000000-0000-0000-0000-000000000000', '', value, human, human, 1
     FROM unnest($2::text[], $3::integer[]) AS given (value, human)`,
    [environment.number, [...clicks.keys()], [...clicks.values()], day],
  );
}

/** Makes the prefixes, then has people click today. Returns the top referrers. */
async function referrersAfter(environment: Environment, today: () => Promise<readonly string[]>) {
  await makePrefixes(database, NOW);
  const clicks = (await today()).map((referrer_host, visitor) => loggedClick(newId('link'), NOW - 1000, { referrer_host, visitor }));
  await logClicks(client, environment.number, clicks);
  await countLoggedClicks(url, NOW);
  const found = (await topValues(environment, 30)).filter(({ dimension }) => dimension === 'referrer');
  return found.map(({ value, human }) => `${value} ${human}`);
}

const named = (letter: string, count: number, human: number) =>
  Array.from({ length: count }, (_, index) => [`${letter}${String(index).padStart(5, '0')}`, human] as const);

t.test('entries that no prefix holds reach the first places, or share the tenth and precede it by name', async (t) => {
  const environment = await environmentOf(t);
  const below = { a: 4, b: 3, c: 4, z: 4 };
  await insertReferrers(environment, new Map([...named('m', CLICK_PREFIX_PLACES_IF_FLAT + 1, 5), ...Object.entries(below)]));
  t.strictSame(await referrersAfter(environment, async () => ['a', 'b', 'c', 'c', 'z']), [
    'c 6',
    'a 5',
    ...Array.from({ length: 8 }, (_, index) => `m0000${index} 5`),
  ]);
});

t.test('if all entries have the same count the prefix keeps none, and entries with a click today come first', async (t) => {
  const environment = await environmentOf(t);
  const all = named('v', CLICK_PREFIX_PLACES_IF_FLAT + 12, 1).map(([value]) => value);
  await insertReferrers(environment, new Map(all.map((value) => [value, 1])));
  const found = await referrersAfter(environment, async () => all.slice(-3));
  t.strictSame(await prefixesOf(environment), [
    { from: '2026-10-22', until: '2026-11-19', kept: 0, bound: 1 },
    { from: '2026-10-23', until: '2026-11-19', kept: 0, bound: 1 },
    { from: '2026-11-20', until: '2026-11-20', kept: 3, bound: -1 },
  ]);
  t.strictSame(found, [...all.slice(-3).map((value) => `${value} 2`), ...all.slice(0, 7).map((value) => `${value} 1`)]);
  statements = 0;
  await topValues(environment, 30);
  t.equal(statements, 4, 'all figures are read, because no single day decides');
});

t.test('entries that neither prefix holds reach the top by their sum of earlier days and today', async (t) => {
  const environment = await environmentOf(t);
  await insertReferrers(environment, new Map([...named('m', 12, 10), ...named('a', CLICK_PREFIX_PLACES_IF_FLAT, 8)]));
  const today = [...named('a', CLICK_PREFIX_PLACES, 2), ['a02999', 3]] as const;
  await insertReferrers(environment, new Map([...today, ...named('o', CLICK_PREFIX_PLACES, 1), ...named('p', 20, 4)]), '2026-11-20');
  await makePrefixes(database, NOW);
  t.match(await prefixesOf(environment), [
    { kept: 12, bound: 8 },
    { kept: 12, bound: 8 },
    { kept: 21, bound: 2 },
  ]);
  statements = 0;
  const found = (await topValues(environment, 30)).filter(({ dimension }) => dimension === 'referrer');
  t.equal(statements, 4, 'only figures of today above a threshold are read');
  t.strictSame(
    found.map(({ value, human }) => `${value} ${human}`),
    ['a02999 11', ...Array.from({ length: 9 }, (_, index) => `a0000${index} 10`)],
  );
});

t.test('if every entry with a click today may be first, the figures of today are all read', async (t) => {
  const environment = await environmentOf(t);
  await insertReferrers(environment, new Map([...named('m', 12, 10), ...named('a', CLICK_PREFIX_PLACES_IF_FLAT, 9)]));
  const today = new Map([...named('a', CLICK_PREFIX_PLACES, 1), ...named('o', 20, 1), ['a02999', 2]]);
  await insertReferrers(environment, today, '2026-11-20');
  await makePrefixes(database, NOW);
  t.match(await prefixesOf(environment), [
    { kept: 12, bound: 9 },
    { kept: 12, bound: 9 },
    { kept: 1, bound: 1 },
  ]);
  statements = 0;
  const found = (await topValues(environment, 30)).filter(({ dimension }) => dimension === 'referrer');
  t.equal(statements, 4, 'only the figures of today are read');
  t.strictSame(
    found.map(({ value, human }) => `${value} ${human}`),
    ['a02999 11', ...Array.from({ length: 9 }, (_, index) => `a0000${index} 10`)],
  );
  const byHand = byKey(await topValuesByHand(environment, 30));
  for (const manyEntries of [1, CLICK_PREFIX_PLACES, Number.MAX_SAFE_INTEGER])
    t.strictSame(byKey(await topValues(environment, 30, NOW, manyEntries)), byHand, `${manyEntries} entries are many`);
});

t.test('more of a flat list is kept, so that its first places are settled by the prefixes', async (t) => {
  const environment = await environmentOf(t);
  const flat = [...named('m', 100, 6), ...named('a', CLICK_PREFIX_PLACES, 5), ...named('b', 2 * CLICK_PREFIX_PLACES, 4)];
  await insertReferrers(environment, new Map([...flat, ...named('c', CLICK_PREFIX_PLACES_IF_FLAT, 3)]));
  await insertReferrers(environment, new Map(named('c', CLICK_PREFIX_PLACES + 1, 1)), '2026-11-20');
  await makePrefixes(database, NOW);
  t.match(await prefixesOf(environment), [
    { kept: flat.length, bound: 3 },
    { kept: flat.length, bound: 3 },
    { kept: 0, bound: 1 },
  ]);
  statements = 0;
  const found = (await topValues(environment, 30)).filter(({ dimension }) => dimension === 'referrer');
  t.equal(statements, 3, 'no figures are read');
  t.strictSame(
    found.map(({ value, human }) => `${value} ${human}`),
    Array.from({ length: 10 }, (_, index) => `m0000${index} 6`),
  );
});

t.test('a list whose first places are far above the others keeps the usual number', async (t) => {
  const environment = await environmentOf(t);
  const steep = [...named('m', 10, 10), ...named('a', CLICK_PREFIX_PLACES - 10, 6)];
  await insertReferrers(environment, new Map([...steep, ...named('b', CLICK_PREFIX_PLACES, 5), ...named('c', 10, 1)]));
  await makePrefixes(database, NOW);
  t.match(await prefixesOf(environment), [
    { kept: steep.length, bound: 5 },
    { kept: steep.length, bound: 5 },
  ]);
});

/** The prefixes of the environment's referrers, with their bounds. */
async function prefixesOf(environment: Environment) {
  const { rows } = await client.query(
    `SELECT from_day::text AS "from", until_day::text AS until, count(top.list_number)::integer AS kept, floor::integer AS bound
     FROM click_top_lists AS list LEFT JOIN click_tops AS top USING (list_number)
     WHERE environment_number = $1 AND dimension = 'referrer'
     GROUP BY list_number
     ORDER BY from_day, until_day`,
    [environment.number],
  );
  return rows;
}

/**
 * The number of wrong entries in the prefixes of referrers. An entry must be in a prefix if and only if it has more clicks than
 * the bound, with the right counts.
 */
async function wrongInPrefixes(environment: Environment): Promise<number> {
  const { rows } = await client.query<{ wrong: number }>(
    `WITH list AS (
       SELECT * FROM click_top_lists WHERE environment_number = $1 AND dimension = 'referrer'
     ), figure AS (
       SELECT list_number, value, sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors
       FROM list JOIN click_figures USING (environment_number, dimension)
       WHERE day BETWEEN from_day AND until_day
       GROUP BY list_number, value
     )
     SELECT count(*)::integer AS wrong
     FROM figure
     FULL JOIN (SELECT click_tops.* FROM click_tops JOIN list USING (list_number)) AS top USING (list_number, value)
     JOIN list USING (list_number)
     WHERE (coalesce(figure.human, 0) > list.floor) <> (top.value IS NOT NULL)
       OR (figure.clicks, figure.human, figure.visitors) <> (top.clicks, top.human, top.visitors)`,
    [environment.number],
  );
  return rows[0]?.wrong as number;
}

for (const [named, power] of [
  ['some are clicked on far more than others', 2],
  ['all are clicked on alike', 1],
] as const)
  t.test(`the prefix of today stays correct while clicks are counted, if ${named}`, async (t) => {
    const environment = await environmentOf(t);
    await insertFigures(environment, 6000, 3, ['2026-10-22', '2026-11-19'], ['referrer', 'campaign_link']);
    await makePrefixes(database, NOW);
    const links = Array.from({ length: 3000 }, () => newId('link'));
    const draw = (below: number) => Math.floor(below * Math.random() ** power);
    const bounds: number[] = [];
    for (let batch = 0; batch < 4; batch++) {
      const clicks = Array.from({ length: 2200 }, () =>
        loggedClick(links[draw(3000)] as string, NOW - 1000, {
          referrer_host: `v${draw(4 * CLICK_PREFIX_KEPT_MAX)}`,
          campaign: randomInt(3) === 0 ? 'c1' : null,
          visitor: randomInt(2000),
          bot: Math.random() < 0.2,
        }),
      );
      await logClicks(client, environment.number, clicks);
      await countLoggedClicks(url, NOW);
      t.equal(await wrongInPrefixes(environment), 0, `after batch ${batch}`);
      for (const range of [1, 7, 30]) {
        statements = 0;
        const found = byKey(await topValues(environment, range));
        t.ok(statements <= 3, 'the answer needs only the prefixes');
        t.strictSame(found, byKey(await topValuesByHand(environment, range)), `${range} days`);
      }
      for (const range of [1, 30])
        t.strictSame(
          await campaignLinks(environment, 'c1', range),
          await campaignLinksByHand(environment, 'c1', range),
          `a campaign, ${range} days`,
        );
      bounds.push((await prefixesOf(environment)).find(({ from }) => from === '2026-11-20')?.bound);
    }
    t.strictSame(
      bounds,
      bounds.toSorted((a, b) => a - b),
    );
    t.ok((bounds.at(-1) as number) > 0, 'the prefix was shortened');
  });

async function recountDays(environment: Environment, ...days: readonly string[]) {
  for (const day of days)
    t.match(await rebuildFigures(database, { from: day, to: day, environmentId: environment.id }), { days: 1, changed: 1 });
}

t.test('prefixes stay correct when days are counted again with fewer clicks', async (t) => {
  const environment = await environmentOf(t);
  const logDay = async (day: string) => {
    const clicks = Array.from({ length: 12_000 }, () =>
      loggedClick(newId('link'), `${day}T10:00:00Z`, {
        referrer_host: `v${randomInt(1.2 * CLICK_PREFIX_PLACES)}`,
        visitor: randomInt(3000),
        bot: Math.random() < 0.1,
      }),
    );
    await logClicks(client, environment.number, clicks);
    await countLoggedClicks(url, NOW);
  };
  const days = ['2026-11-05', '2026-11-18', '2026-11-20'];
  for (const day of days) await logDay(day);
  await makePrefixes(database, NOW);
  const before = await prefixesOf(environment);
  t.ok(
    before.every(({ bound }) => bound > 0),
    'no prefix holds all entries',
  );
  const check = async (message: string) => {
    t.equal(await wrongInPrefixes(environment), 0, message);
    for (const range of [1, 7, 30])
      t.strictSame(
        byKey(await topValues(environment, range)),
        byKey(await topValuesByHand(environment, range)),
        `${range} days, ${message}`,
      );
  };
  await check('before');
  await client.query('UPDATE clicks SET bot = true WHERE environment_number = $1 AND random() < 0.3', [environment.number]);
  await recountDays(environment, ...days);
  await check('after people were found to be programs');
  t.strictSame(
    (await prefixesOf(environment)).map(({ from, until, bound }) => ({ from, until, bound })),
    before.map(({ from, until, bound }) => ({ from, until, bound })),
    'the recount keeps the ranges and bounds of the prefixes',
  );
  t.equal(await makePrefixes(database, NOW), 5, 'prefixes with one of the days are made again');
  const again = await prefixesOf(environment);
  t.ok(
    again.every(({ bound }, index) => bound <= before[index]?.bound),
    'no bound has risen',
  );
  t.ok(
    again.some(({ bound }, index) => bound < before[index]?.bound),
    'some bounds have fallen',
  );
  await check('made again');
  t.equal(await makePrefixes(database, NOW), 0);
  await logDay('2026-11-20');
  await check('with more clicks of the day');
});

t.test('after any recount of a day, every prefix of every window is correct', async (t) => {
  const days = ['2026-11-05', '2026-11-18', '2026-11-19', '2026-11-20'];
  const anyClick = fc.record({
    day: fc.constantFrom(...days),
    referrer_host: fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example'),
    visitor: fc.integer({ min: 1, max: 3 }),
    bot: fc.boolean(),
  });
  type AnyClick = { day: string; referrer_host: string; visitor: number; bot: boolean };
  const log = (environment: Environment, clicks: readonly AnyClick[]) =>
    logClicks(
      client,
      environment.number,
      clicks.map(({ day, ...click }) => loggedClick(links[0], `${day}T10:00:00Z`, click)),
    );
  const links = [newId('link')] as const;
  await countLoggedClicks(url, NOW);
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyClick, { minLength: 1, maxLength: 10 }),
      fc.array(anyClick, { maxLength: 4 }),
      fc.constantFrom('keep', 'turn', 'delete'),
      async (before, after, change) => {
        const environment = await makeEnvironment(client);
        await log(environment, before);
        await countLoggedClicks(url, NOW);
        await makePrefixes(database, NOW);
        t.equal(await wrongInPrefixes(environment), 0);
        await log(environment, after);
        // The clicks are in the log as if they had been counted.
        await client.query('DELETE FROM click_batches');
        const some = "environment_number = $1 AND referrer_host = 'a.example'";
        if (change === 'turn') await client.query(`UPDATE clicks SET bot = NOT bot WHERE ${some}`, [environment.number]);
        if (change === 'delete') await client.query(`DELETE FROM clicks WHERE ${some}`, [environment.number]);
        for (const day of days) {
          await rebuildFigures(database, { from: day, to: day, environmentId: environment.id });
          t.equal(await wrongInPrefixes(environment), 0, `after ${day}`);
        }
        for (const range of [1, 7, 30])
          t.strictSame(byKey(await topValues(environment, range)), byKey(await topValuesByHand(environment, range)), `${range} days`);
        await removeEnvironment(environment);
      },
    ),
    { numRuns: 15 },
  );
});

t.test('a day that is counted again with more clicks loses its prefixes until they are made again', async (t) => {
  const environment = await environmentOf(t);
  const click = (referrer_host: string, visitor: number) =>
    loggedClick(newId('link'), NOW - 1000, { referrer_host, visitor, bot: referrer_host === 'a.example' });
  await logClicks(client, environment.number, [click('a.example', 1), click('a.example', 2), click('b.example', 3)]);
  await countLoggedClicks(url, NOW);
  await makePrefixes(database, NOW);
  await client.query("UPDATE clicks SET bot = false WHERE environment_number = $1 AND referrer_host = 'a.example'", [environment.number]);
  await recountDays(environment, '2026-11-20');
  const referrers = async () =>
    (await topValues(environment, 1)).flatMap(({ dimension, value }) => (dimension === 'referrer' ? [value] : []));
  t.strictSame(await prefixesOf(environment), [], 'outdated prefixes are removed');
  t.strictSame(await referrers(), ['a.example', 'b.example']);
  await makePrefixes(database, NOW);
  t.strictSame(await referrers(), ['a.example', 'b.example']);
  t.equal(await wrongInPrefixes(environment), 0);
});

t.test('late clicks remove the windows with their day, which are then made again', async (t) => {
  const environment = await environmentOf(t);
  await insertFigures(environment, 1200, 3, ['2026-10-22', '2026-11-20'], ['referrer']);
  await makePrefixes(database, NOW);
  const windows = async () =>
    (
      await client.query('SELECT from_day::text FROM click_top_windows WHERE environment_number = $1 AND from_day < until_day ORDER BY 1', [
        environment.number,
      ])
    ).rows.map((row) => row.from_day);
  t.strictSame(await windows(), ['2026-10-22', '2026-10-23', '2026-11-14', '2026-11-15']);
  const late = Array.from({ length: 200 }, () =>
    loggedClick(newId('link'), '2026-11-01T12:00:00Z', { referrer_host: 'late.example', visitor: randomInt(1e9) }),
  );
  await logClicks(client, environment.number, late);
  await countLoggedClicks(url, NOW);
  t.strictSame(await windows(), ['2026-11-14', '2026-11-15'], 'the windows with that day are removed');
  const check = async () => {
    t.strictSame(byKey(await topValues(environment, 30)), byKey(await topValuesByHand(environment, 30)));
    t.match(
      (await topValues(environment, 30)).find(({ dimension }) => dimension === 'referrer'),
      { value: 'late.example', human: 200, unique: 200 },
    );
  };
  await check();
  t.equal(await makePrefixes(database, NOW), 2);
  await check();
});

t.test('windows up to yesterday are made an hour after midnight, former ones serve until then, and expired ones are removed', async (t) => {
  const environment = await environmentOf(t, 'Asia/Kathmandu');
  await insertFigures(environment, 30, 3, ['2026-10-22', '2026-11-20']);
  const windows = async () =>
    (
      await client.query(
        'SELECT from_day::text, until_day::text FROM click_top_windows WHERE environment_number = $1 ORDER BY from_day, until_day',
        [environment.number],
      )
    ).rows.map((row) => [row.from_day, row.until_day]);
  const midnight = Date.parse('2026-11-19T18:15:00Z');
  await makePrefixes(database, midnight - 1);
  t.strictSame(await windows(), [
    ['2026-10-21', '2026-11-18'],
    ['2026-10-22', '2026-11-18'],
    ['2026-11-13', '2026-11-18'],
    ['2026-11-14', '2026-11-18'],
    ['2026-11-18', '2026-11-18'],
    ['2026-11-19', '2026-11-19'],
    ['2026-11-20', '2026-11-20'],
  ]);
  const atMidnight = await topValues(environment, 30, midnight);
  await makePrefixes(database, midnight + 59 * 60_000);
  t.strictSame(
    (await windows())[1],
    ['2026-10-22', '2026-11-18'],
    'the windows are not moved yet, because clicks of the evening may still arrive',
  );
  await makePrefixes(database, midnight + 60 * 60_000);
  t.strictSame((await windows())[1], ['2026-10-22', '2026-11-19']);
  t.strictSame(byKey(await topValues(environment, 30, midnight)), byKey(atMidnight));
  await makePrefixes(database, midnight + 40 * 86_400_000);
  t.notOk((await windows()).some(([from]) => (from as string) < '2026-11-27'));
});

t.test('a process that is killed in the last statement of making prefixes leaves none', async (t) => {
  const environment = await environmentOf(t);
  await insertFigures(environment, 30, 3, ['2026-10-22', '2026-11-20'], ['referrer']);
  const kept = async () =>
    (
      await client.query(
        `SELECT (SELECT count(*)::integer FROM click_top_windows WHERE environment_number = $1) AS windows,
           (SELECT count(*)::integer FROM click_top_lists WHERE environment_number = $1) AS lists`,
        [environment.number],
      )
    ).rows[0];
  await client.query('BEGIN');
  await client.query('LOCK TABLE click_tops IN SHARE MODE');
  const killed = t.rejects(makePrefixes(database, NOW), 'the killed call fails');
  await until(
    async () =>
      (
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'test' AND wait_event_type = 'Lock' AND datname = current_database()`,
        )
      ).rowCount === 1,
    'the last statement to wait for the lock',
  );
  await killed;
  await client.query('COMMIT');
  t.strictSame(await kept(), { windows: 0, lists: 0 });
  const check = async () => t.strictSame(byKey(await topValues(environment, 30)), byKey(await topValuesByHand(environment, 30)));
  await check();
  await makePrefixes(database, NOW);
  t.match(await kept(), { windows: 7, lists: 5 }, 'the two days without clicks have no lists');
  await check();
});
