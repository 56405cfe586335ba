import { randomInt } from 'node:crypto';
import t, { type Test } from 'tap';
import { readLogRange } from '../../../control-plane/click-figures/click-groups.js';
import { ColumnThreads } from '../../../control-plane/click-figures/columns/column-threads.js';
import { countGroups } from '../../../control-plane/click-figures/log/count-groups.js';
import { DayColumns } from '../../../control-plane/click-figures/prepared/day-columns.js';
import { readColumnDays } from '../../../control-plane/click-figures/reading/column-days.js';
import { type CountBounds, readGroups } from '../../../control-plane/click-figures/reading/groups.js';
import { hasMoreFigures } from '../../../control-plane/click-figures/reading/sums.js';
import type { ClickFigures, ClickReading, ClickStore } from '../../../control-plane/click-store/click-store.js';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import type { Snapshot, TakeChunk } from '../../../control-plane/db/database.js';
import { readWindow } from '../../../control-plane/local-days/window.js';
import { LOG_BYTES_MAX } from '../../../control-plane/stats/log-bounds.js';
import { queryClicks } from '../../../control-plane/stats/query-clicks.js';
import { newId } from '../../../shared/base/ids.js';
import { SUMMED_FIGURES_MAX } from '../../../shared/base/limits.js';
import { createLogger } from '../../../shared/base/log.js';
import { CLICK_DIMENSIONS, CLICK_FILTERS, type ClickDimension, type ClicksQuery } from '../../../shared/contract/schemas/clicks-query.js';
import { countLoggedClicks, type LoggedClick, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { openPooledDatabase } from '../../support/open-database.js';

const { url, client, database } = await openPooledDatabase(t);

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const ask = (environmentId: string, query: ClicksQuery, nowMs = NOW) =>
  queryClicks({ database, clickStore: postgresClicks }, { environmentId, query, retentionDays: 90, nowMs });

/** Finds the day of an instant in Berlin without PostgreSQL. */
const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });
const dayOf = (click: LoggedClick) => berlin.format(click.at);

function countsByHand(clicks: readonly LoggedClick[]) {
  const people = clicks.filter(({ bot }) => !bot);
  return { all: clicks.length, human: people.length, unique: new Set(people.map(({ visitor }) => visitor)).size };
}

const one = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;

const links = [newId('link'), newId('link'), newId('link')];
const [type, otherType] = [newId('resourceType'), newId('resourceType')];
const environment = await makeEnvironment(client, 'Europe/Berlin');
const clicks = Array.from({ length: 3000 }, (): LoggedClick => {
  const at = NOW - randomInt(40 * DAY_MS);
  const item =
    randomInt(5) === 0
      ? { subject: newId('urlTemplate'), resource_type: one([type, otherType]), item: one(['1', '2', '3/4']) }
      : { subject: one(links) };
  return loggedClick('', at, {
    // A visitor's hash belongs to one day of the project.
    visitor: Number(berlin.format(at).replaceAll('-', '')) * 100 + randomInt(50),
    bot: randomInt(4) === 0,
    platform: one(['ios', 'android', 'desktop', 'other']),
    country: one(['DE', 'FR', null]),
    campaign: one(['spring', null]),
    referrer_host: one(['news.example', null]),
    os: one(['iOS', 'Windows', null]),
    os_version: one(['17.5', null]),
    browser: one(['Safari', 'Chrome']),
    browser_version: one(['17', '126']),
    region: one(['DE-BE', null]),
    city: one(['Berlin', null]),
    source: one(['qr', null]),
    ...item,
  });
});
/** The last batch of clicks has a part of each day. */
await logClicks(client, environment.number, clicks.slice(0, 2500));
await logClicks(client, environment.number, clicks.slice(2500));
const other = await makeEnvironment(client, 'Europe/Berlin');
await logClicks(client, other.number, clicks);
await countLoggedClicks(url, NOW);
await client.query(
  `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
   VALUES ($1, $3, 'first', '/', now(), now()), ($2, $3, 'second', '/', now(), now())`,
  [links[0], links[1], environment.id],
);
await client.query(
  `INSERT INTO resource_types (id, environment_id, key, name, created_at, updated_at)
   VALUES ($1, $3, 'product', 'P', now(), now()), ($2, $3, 'recipe', 'R', now(), now())`,
  [type, otherType, environment.id],
);

const between = (from: string, to: string) => clicks.filter((click) => dayOf(click) >= from && dayOf(click) <= to);

t.test('filters can be combined, and select the same clicks as a separate count', async (t) => {
  const cases: readonly [ClicksQuery, (click: LoggedClick) => boolean][] = [
    [{ country: 'DE' }, ({ country }) => country === 'DE'],
    [{ country: '' }, ({ country }) => country === null],
    [{ country: 'DE', platform: 'ios' }, ({ country, platform }) => country === 'DE' && platform === 'ios'],
    [{ link: links[0] as string }, ({ subject }) => subject === links[0]],
    [{ link: '' }, ({ resource_type }) => resource_type !== null],
    [{ link: newId('link') }, () => false],
    [{ resource_type: 'product', item: '2' }, ({ item, resource_type }) => item === '2' && resource_type === type],
    [{ item: '2' }, ({ item }) => item === '2'],
    [{ resource_type: 'none' }, () => false],
    [{ campaign: 'spring', referrer_host: 'news.example' }, (click) => click.campaign === 'spring' && click.referrer_host !== null],
    [{ os: 'iOS', os_version: '17.5' }, ({ os, os_version }) => os === 'iOS' && os_version === '17.5'],
    [{ os: '' }, ({ os }) => os === null],
    [{ browser: 'Chrome', browser_version: '126' }, (click) => click.browser === 'Chrome' && click.browser_version === '126'],
    [{ region: 'DE-BE', city: 'Berlin' }, ({ region, city }) => region === 'DE-BE' && city === 'Berlin'],
    [{ source: 'qr' }, ({ source }) => source === 'qr'],
    [{ source: 'link' }, ({ source }) => source === null],
    [{ source: '' }, () => false],
    [{ tag: 'none' }, () => false],
    [{ utm_source: 'x' }, () => false],
  ];
  for (const [query, lets] of cases) {
    const answer = await ask(environment.id, { ...query, from: '2026-11-01', to: '2026-11-19', interval: 'day' });
    const through = between('2026-11-01', '2026-11-19').filter(lets);
    t.same(answer.totals, countsByHand(through), JSON.stringify(query));
    t.same(
      answer.series.map(({ date, all, human, unique }) => ({ date, all, human, unique })),
      Array.from({ length: 19 }, (_, day) => {
        const date = `2026-11-${String(day + 1).padStart(2, '0')}`;
        return { date, ...countsByHand(through.filter((click) => dayOf(click) === date)) };
      }),
    );
  }
});

/** The span of the clicks that a COPY reads from the log; null if it reads columns. */
function spanOfCopy(text: string): [from: Date, to: Date] | null {
  const [from, to] = [...text.matchAll(/'([^']*)'::timestamptz/g)].map(([, at]) => new Date(at as string));
  return from === undefined || to === undefined ? null : [from, to];
}

const SHORT_TIMEOUT = { text: `SET LOCAL statement_timeout = '20ms'`, values: [] };

/** A COPY that takes longer than a statement may. */
async function copyLate(snapshot: Snapshot, take: TakeChunk): Promise<void> {
  await snapshot.query(SHORT_TIMEOUT);
  return snapshot.copyOut('COPY (SELECT pg_sleep(10)) TO STDOUT', take);
}

/** A store that fails if it would count groups from more than `daysMax` days of the log. */
const withoutLog = (daysMax: number): ClickStore => ({
  ...postgresClicks,
  reading: (snapshot) => {
    const isTooMuch = (from: Date, to: Date) => (to.getTime() - from.getTime()) / DAY_MS > daysMax;
    return postgresClicks.reading({
      query(statement) {
        const [from, to] = statement.values;
        const isOfLog = statement.text.includes('GROUPING SETS') && from instanceof Date && to instanceof Date;
        return isOfLog && isTooMuch(from, to) ? Promise.reject(new Error('the log is read')) : snapshot.query(statement);
      },
      copyOut(text, take) {
        const span = spanOfCopy(text);
        return span !== null && isTooMuch(...span) ? Promise.reject(new Error('the log is read')) : snapshot.copyOut(text, take);
      },
    });
  },
});
/** A store that fails if it would let PostgreSQL count clicks of the log. */
const withoutCounting = (): ClickStore => ({
  ...postgresClicks,
  reading: (snapshot) =>
    postgresClicks.reading({
      query: (statement) =>
        statement.text.includes('GROUPING SETS') ? Promise.reject(new Error('the log is counted')) : snapshot.query(statement),
      copyOut: (text, take) => snapshot.copyOut(text, take),
    }),
});
/** A store that counts all groups from the log. */
const logAlone: ClickStore = {
  ...postgresClicks,
  reading: (snapshot) => ({
    ...postgresClicks.reading(snapshot),
    figures: null,
    groups: async ({ window, ...wanted }) => countGroups(snapshot, { ...wanted, range: await readLogRange(snapshot, window) }),
  }),
};
const sumsAlone = withoutLog(0);

const LIMITS = [
  [1, 'human'],
  [2, 'human'],
  [3, 'human'],
  [1000, 'human'],
  [1, 'all'],
  [2, 'unique'],
  [1000, 'all'],
] as const;
const asked = (query: ClicksQuery) => ({ environmentId: environment.id, query, retentionDays: 90, nowMs: NOW });

/** Compares the sums of the store with the log. */
async function compareWithLog(
  t: Test,
  clickStore: ClickStore,
  breakdown: ClickDimension,
  days: ClicksQuery,
  limits: readonly (typeof LIMITS)[number][] = LIMITS,
): Promise<void> {
  for (const [limit, measure] of limits) {
    const query = { ...days, breakdown, limit, measure, interval: 'day', compare: true } as const;
    const { as_of: _, ...sums } = await queryClicks({ database, clickStore }, asked(query));
    const { as_of: __, ...log } = await queryClicks({ database, clickStore: logAlone }, asked({ ...query, host: 'h' }));
    t.same(sums, log, `${breakdown}, ${limit} by ${measure}`);
  }
}

t.test('breakdowns of all clicks by platform, country and referrer are read from sums and equal the log', async (t) => {
  const days = { from: '2026-11-08', to: '2026-11-20' };
  for (const breakdown of ['platform', 'country', 'referrer_host'] as const) await compareWithLog(t, sumsAlone, breakdown, days);
  for (const breakdown of ['link', 'campaign', 'item', 'resource_type', 'os'] as const)
    await t.rejects(queryClicks({ database, clickStore: sumsAlone }, asked({ breakdown })), { message: 'the log is read' }, breakdown);
  const withoutFigures: ClickStore = { ...sumsAlone, reading: (snapshot) => ({ ...sumsAlone.reading(snapshot), figures: null }) };
  const query = queryClicks({ database, clickStore: withoutFigures }, asked({ breakdown: 'country' }));
  await t.rejects(query, { message: 'the log is read' }, 'a store without figures reads the log');
});

t.test('clicks of a link or campaign and their breakdowns by platform, country and referrer are read from sums too', async (t) => {
  const days = { from: '2026-11-08', to: '2026-11-20' };
  for (const subject of [{ link: links[0] as string }, { campaign: 'spring' }, { link: newId('link') }, { campaign: 'none' }]) {
    for (const breakdown of ['platform', 'country', 'referrer_host'] as const)
      await compareWithLog(t, sumsAlone, breakdown, { ...days, ...subject });
    for (const query of [{}, { interval: 'week' }, { interval: 'month' }] as const) {
      const { as_of: _, ...sums } = await queryClicks({ database, clickStore: sumsAlone }, asked({ ...days, ...subject, ...query }));
      const { as_of: __, ...log } = await ask(environment.id, { ...days, ...subject, ...query, host: 'h' });
      t.same(sums, log, JSON.stringify({ ...subject, ...query }));
    }
    for (const query of [{ breakdown: 'os' }, { breakdown: 'tag' }, { interval: 'hour' }, { country: 'DE' }] as const) {
      const counted = queryClicks({ database, clickStore: sumsAlone }, asked({ ...days, ...subject, ...query }));
      await t.rejects(counted, { message: 'the log is read' }, JSON.stringify({ ...subject, ...query }));
    }
  }
});

/** Makes the columns of all past days, and with `laterClicks` those of today. Parts of 20 clicks divide a day into several. */
async function makeColumns(laterClicks = 10_000): Promise<void> {
  const columns = new DayColumns(database, { clicksMin: 1, partClicks: 20, laterClicks });
  while (await columns.step(NOW));
}

/** Makes the columns of past days, and those of today without the last batch. */
async function makeColumnsOfToday(): Promise<void> {
  await makeColumns();
  const { rows } = await client.query<{ batch_id: string }>(
    `INSERT INTO click_batches (batch_id, shard, clicks, from_at, to_at)
     SELECT max(batch_id), $1::integer & 15, 500, now(), now() FROM clicks WHERE environment_number = $1 RETURNING batch_id`,
    [environment.number],
  );
  await makeColumns(1);
  await client.query('DELETE FROM click_batches WHERE batch_id = $1', [rows[0]?.batch_id]);
}

const FILTERS: readonly ClicksQuery[] = [
  { os: 'iOS' },
  { os: 'none' },
  { os_version: '' },
  { browser: 'Chrome' },
  { browser_version: '126' },
  { region: 'DE-BE' },
  { city: '' },
  { source: 'qr' },
  { source: 'link' },
  { host: 'h' },
  { path: '' },
  { utm_source: '' },
  { in_app_browser: '' },
  { link: links[1] as string },
  { link: '' },
  { campaign: '' },
  { campaign: 'spring' },
  { item: '2' },
  { item: '' },
  { resource_type: '' },
  { resource_type: 'product' },
  { bot_reason: '' },
  { country: 'DE' },
  { country: '' },
  { platform: 'ios' },
  { referrer_host: 'news.example' },
  { tag: '' },
  { tag: 'shoes' },
  { tag: 'none' },
];

const PAST = { from: '2026-11-08', to: '2026-11-19' };
const WITH_TODAY = { from: '2026-11-08', to: '2026-11-20' };

t.test('today is read from its columns and the clicks of later batches, for any filter and breakdown, and equals the log', async (t) => {
  await makeColumnsOfToday();
  const window = await readWindow(database, environment.id, { days: 1 }, NOW);
  const later = (await readColumnDays(database, window, ['os'], NOW)).get('2026-11-20')?.later;
  t.ok((later?.all ?? 0) > 0, 'today has later clicks');
  const store = withoutCounting();
  for (const breakdown of CLICK_DIMENSIONS) await compareWithLog(t, store, breakdown, WITH_TODAY, [one(LIMITS)]);
  for (const filter of FILTERS)
    for (const interval of ['hour', 'day'] as const) {
      const query = asked({ ...WITH_TODAY, ...filter, ...one(FILTERS), breakdown: one(CLICK_DIMENSIONS), interval });
      const { as_of: _, ...columns } = await queryClicks({ database, clickStore: store }, query);
      const { as_of: __, ...log } = await queryClicks({ database, clickStore: logAlone }, query);
      t.same(columns, log, JSON.stringify(query.query));
    }
  await client.query('DELETE FROM click_column_days');
});

t.test('breakdowns by other fields and by tag are read from the groups and columns of past days and from the log of today', async (t) => {
  await makeColumns();
  for (const breakdown of CLICK_DIMENSIONS) {
    // All fields are ordered and cut off by the same code.
    const limits = breakdown === 'os' || breakdown === 'tag' ? LIMITS : [one(LIMITS)];
    await compareWithLog(t, withoutLog(1), breakdown, WITH_TODAY, limits);
    await compareWithLog(t, sumsAlone, breakdown, PAST, limits);
  }
  await client.query('DELETE FROM click_columns');
  for (const breakdown of CLICK_FILTERS) await compareWithLog(t, sumsAlone, breakdown, PAST, [one(LIMITS)]);
  await client.query('DELETE FROM click_column_days');
  await makeColumns();
  // Days whose columns were made by a release that stored no groups.
  await client.query('DELETE FROM click_day_groups');
  for (const breakdown of ['os', 'campaign', 'item'] as const) await compareWithLog(t, sumsAlone, breakdown, PAST, [one(LIMITS)]);
  // A day in the middle without columns is counted from the log, and no other day is.
  await client.query(`DELETE FROM click_column_days WHERE day = '2026-11-17'`);
  for (const breakdown of ['os', 'campaign', 'tag'] as const) {
    await compareWithLog(t, withoutLog(1), breakdown, WITH_TODAY);
    await t.rejects(queryClicks({ database, clickStore: sumsAlone }, asked({ ...PAST, breakdown })), { message: 'the log is read' });
  }
  await makeColumns();
  // A click that waits to be counted is in neither.
  await logClicks(client, environment.number, [loggedClick(links[0] as string, NOW - 1000, { os: 'Haiku' })]);
  for (const filter of [{}, { platform: 'ios' }] as const) {
    const waiting = await ask(environment.id, { breakdown: 'os', ...filter });
    t.notMatch(waiting.breakdown, [{ value: 'Haiku' }]);
    const counted = between('2026-11-14', '2026-11-20').filter(({ platform }) => filter.platform === undefined || platform === 'ios');
    t.equal(
      waiting.breakdown.reduce((sum, { all }) => sum + all, 0),
      counted.length,
    );
  }
  await client.query(`DELETE FROM clicks WHERE os = 'Haiku'`);
  await client.query('DELETE FROM click_batches');
});

/** Gives the links these tags and no others. */
async function tagLinks(tags: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await client.query(`UPDATE links SET tag_numbers = '{}' WHERE environment_id = $1`, [environment.id]);
  await client.query('DELETE FROM tags WHERE environment_id = $1', [environment.id]);
  for (const [name, tagged] of Object.entries(tags)) {
    await client.query('INSERT INTO tags (id, environment_id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())', [
      newId('tag'),
      environment.id,
      name,
    ]);
    for (const link of tagged)
      await client.query(
        'UPDATE links SET tag_numbers = tag_numbers || (SELECT number FROM tags WHERE environment_id = $1 AND name = $2) WHERE id = $3',
        [environment.id, name, link],
      );
  }
}

t.test('filters, alone and combined, are read from columns, by hour, by day and by any field, and equal the log', async (t) => {
  await makeColumns();
  await tagLinks({ shoes: links.slice(0, 2), socks: links.slice(1, 2) });
  const compare = async (query: ClicksQuery, clickStore: ClickStore = sumsAlone) => {
    const { as_of: _, ...columns } = await queryClicks({ database, clickStore }, asked(query));
    const { as_of: __, ...log } = await queryClicks({ database, clickStore: logAlone }, asked(query));
    t.same(columns, log, JSON.stringify(query));
    return columns;
  };
  for (const filter of FILTERS) {
    await compare({ ...PAST, ...filter, interval: one(['hour', 'week', 'month'] as const) });
    for (const breakdown of ['tag', 'item', 'country'] as const) {
      const [limit, measure] = one(LIMITS);
      await compare({ ...PAST, ...filter, breakdown, limit, measure, interval: 'day' });
    }
    await compare({ ...WITH_TODAY, ...filter, breakdown: one(CLICK_DIMENSIONS), interval: 'hour' }, withoutLog(1));
    const compared = { from: '2026-11-14', to: '2026-11-19', compare: true } as const;
    t.ok((await compare({ ...compared, ...filter, ...one(FILTERS) })).previous);
  }
  const shoes = await compare({ ...PAST, tag: 'shoes' });
  t.same(shoes.totals, countsByHand(between(PAST.from, PAST.to).filter(({ subject }) => links.slice(0, 2).includes(subject))));
  await tagLinks({ boots: links.slice(1, 2), shoes: links.slice(0, 1) });
  const { breakdown } = await compare({ ...PAST, breakdown: 'tag' });
  t.same(breakdown.map(({ value }) => value).sort(), ['boots', 'shoes', null].sort(), 'tags are those that links have now');
  await tagLinks({});
});

/** A store that counts the columns of any number of clicks in threads, if it has some. */
const bounded = (bounds: Partial<CountBounds>, threads: ColumnThreads | null = null): ClickStore => ({
  ...postgresClicks,
  reading: (snapshot) => ({
    ...postgresClicks.reading(snapshot),
    groups: (wanted) =>
      readGroups(snapshot, wanted, { threads, bounds: { groups: 1_000, groupsOfLog: 1_000, clicksElsewhere: 1, ...bounds } }),
  }),
});

const SILENT = createLogger('test', 'silent');

/** A COPY of one row of `click_columns`, with -1 clicks. */
const BROKEN_ROWS = Buffer.concat([
  Buffer.alloc(19),
  Buffer.from([0, 8]),
  ...['2026-11-14', '\0\0\0\0', '\xff\xff\xff\xff', '\0', '\0\0', 'os', '', ''].map((field) => {
    const bytes = Buffer.from(field, 'latin1');
    return Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  }),
]);

t.test('columns are counted in threads as in this one, for any filter and breakdown', async (t) => {
  const threads = new ColumnThreads(SILENT);
  t.teardown(() => threads.stop());
  await makeColumnsOfToday();
  await client.query('DELETE FROM click_day_groups');
  await tagLinks({ shoes: links.slice(0, 2), socks: links.slice(1, 2) });
  for (const filter of [{}, ...FILTERS])
    for (const breakdown of [one(CLICK_DIMENSIONS), 'tag', 'item'] as const) {
      const query = asked({ ...one([PAST, WITH_TODAY]), ...filter, breakdown, limit: 2, interval: 'hour' });
      const { as_of: _, ...columns } = await queryClicks({ database, clickStore: bounded({}, threads) }, query);
      const { as_of: __, ...log } = await queryClicks({ database, clickStore: logAlone }, query);
      t.same(columns, log, JSON.stringify(query.query));
    }
  const items = asked({ ...WITH_TODAY, breakdown: 'item', interval: 'hour' });
  const { as_of: _, ...many } = await queryClicks({ database, clickStore: bounded({ groups: 1 }, threads) }, items);
  const { as_of: __, ...counted } = await queryClicks({ database, clickStore: logAlone }, items);
  t.same(many, counted, 'a thread that has too many groups says so');
  await tagLinks({});
});

t.test('a call whose thread or connection ends fails, and the next one gets an answer', async (t) => {
  await makeColumns();
  const threads = new ColumnThreads(SILENT);
  t.teardown(() => threads.stop());
  const query = asked({ ...PAST, breakdown: 'os', platform: 'ios', interval: 'hour' });
  const { as_of: _, ...expected } = await queryClicks({ database, clickStore: logAlone }, query);
  const failing = (copyOut: Snapshot['copyOut'], counts = threads): ClickStore => ({
    ...postgresClicks,
    reading: (snapshot) => bounded({}, counts).reading({ query: (statement) => snapshot.query(statement), copyOut }),
  });
  const answer = (clickStore: ClickStore) => queryClicks({ database, clickStore }, query);
  await t.rejects(answer(failing(() => Promise.reject(new Error('the connection is lost')))), { message: 'the connection is lost' });
  const broken = (_: string, take: TakeChunk) => Promise.resolve(void take(BROKEN_ROWS));
  await t.rejects(answer(failing(broken)), RangeError, 'a thread cannot read the rows');
  const stopped = new ColumnThreads(SILENT);
  const endless = async (_: string, take: TakeChunk) => {
    take(BROKEN_ROWS.subarray(0, 19));
    await stopped.stop();
  };
  await t.rejects(answer(failing(endless, stopped)), { name: 'ThreadLostError' });
  const { as_of: __, ...found } = await answer(bounded({}, threads));
  t.same(found, expected);
  // Each way, more than a thread may count at once.
  for (let call = 0; call < 600; call++) {
    const counts = threads.begin({ conditions: [], keys: [] });
    if (call % 2 === 0) await Promise.all(counts.map((count) => count.sums()));
    for (const count of counts) count.close();
  }
  const { as_of: ___, ...afterwards } = await answer(bounded({}, threads));
  t.same(afterwards, expected, 'counts that were closed have ended');
});

t.test('too many groups for this process are counted from the log, and columns that take too long are refused', async (t) => {
  await makeColumns();
  for (const breakdown of ['os', 'item', 'tag'] as const)
    for (const filter of [{}, { platform: 'ios' }]) {
      const query = asked({ ...WITH_TODAY, ...filter, breakdown, interval: 'hour', limit: 2 });
      const { as_of: _, ...log } = await queryClicks({ database, clickStore: logAlone }, query);
      for (const bounds of [{}, { groups: 1 }, { groupsOfLog: 1 }]) {
        const { as_of: __, ...found } = await queryClicks({ database, clickStore: bounded(bounds) }, query);
        t.same(found, log, JSON.stringify([breakdown, filter, bounds]));
      }
    }
  const slow: ClickStore = {
    ...postgresClicks,
    reading: (snapshot) =>
      postgresClicks.reading({ query: (statement) => snapshot.query(statement), copyOut: (_, take) => copyLate(snapshot, take) }),
  };
  await t.rejects(queryClicks({ database, clickStore: slow }, asked({ ...PAST, os: 'iOS' })), {
    errors: [{ pointer: '/from', detail: /^must be after 2026-11-13: / }],
  });
});

t.test('one filter alone is read from sums by day if there are any', async (t) => {
  await client.query('DELETE FROM click_column_days');
  const days = { from: '2026-11-14', to: '2026-11-20' };
  for (const filter of [
    { platform: 'ios' },
    { platform: 'none' },
    { country: 'DE' },
    { country: '' },
    { referrer_host: 'news.example' },
    { referrer_host: '' },
    { resource_type: 'product' },
  ])
    for (const query of [{}, { interval: 'day', compare: true }, { interval: 'week' }, { interval: 'month', compare: true }] as const) {
      const { as_of: _, ...sums } = await queryClicks({ database, clickStore: sumsAlone }, asked({ ...days, ...filter, ...query }));
      const { as_of: __, ...log } = await queryClicks({ database, clickStore: logAlone }, asked({ ...days, ...filter, ...query }));
      t.same(sums, log, JSON.stringify({ ...filter, ...query }));
    }
  for (const filter of [
    { os: 'iOS' },
    { item: '2' },
    { tag: 'none' },
    { country: 'DE', os: 'iOS' },
    { country: 'DE', interval: 'hour' },
  ] as const)
    await t.rejects(queryClicks({ database, clickStore: sumsAlone }, asked({ ...days, ...filter })), { message: 'the log is read' });
});

t.test('if there are too many sums, the log is read, or the days are refused if that is too large', async (t) => {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::integer FROM click_figures
     WHERE environment_number = $1 AND dimension = 'country' AND day BETWEEN '2026-11-08' AND '2026-11-20'`,
    [environment.number],
  );
  const figures = rows[0]?.count as number;
  t.ok(figures > 1);
  const wanted = asked({ from: '2026-11-08', to: '2026-11-20', breakdown: 'country' });
  const withMax = (store: ClickStore, rowsMax: number, reading: Partial<ClickReading> = {}): ClickStore => ({
    ...store,
    reading: (snapshot) => ({
      ...store.reading(snapshot),
      figures: {
        ...(store.reading(snapshot).figures as ClickFigures),
        hasMoreSums: (scope, dimension) => hasMoreFigures(snapshot, { scope, dimensions: [dimension] }, rowsMax),
      },
      ...reading,
    }),
  });
  const sums = await queryClicks({ database, clickStore: withMax(sumsAlone, figures) }, wanted);
  await t.rejects(queryClicks({ database, clickStore: withMax(sumsAlone, figures - 1) }, wanted), { message: 'the log is read' });
  const log = await queryClicks({ database, clickStore: withMax(postgresClicks, figures - 1) }, wanted);
  t.same({ ...log, as_of: null }, { ...sums, as_of: null });
  const groupSizes: ClickReading['groupSizes'] = async ({ from }) => [{ day: from, bytes: LOG_BYTES_MAX + 1 }];
  const refused = queryClicks({ database, clickStore: withMax(postgresClicks, figures - 1, { groupSizes }) }, wanted);
  await t.rejects(refused, { errors: [{ pointer: '/from', detail: /^must be after/ }] });
});

t.test('long lists by other measures than those of prefixes are counted from columns, if all days have them', async (t) => {
  await makeColumns();
  const long: ClickStore = {
    ...sumsAlone,
    reading: (snapshot) => ({
      ...sumsAlone.reading(snapshot),
      figures: { ...(sumsAlone.reading(snapshot).figures as ClickFigures), hasMoreSums: async (_, __, max) => max < SUMMED_FIGURES_MAX },
      sums: ({ total, ...wanted }) =>
        total.includes('item') ? Promise.reject(new Error('sums are read')) : sumsAlone.reading(snapshot).sums({ total, ...wanted }),
    }),
  };
  const answer = async (clickStore: ClickStore, query: ClicksQuery) => {
    const { as_of: _, ...found } = await queryClicks({ database, clickStore }, asked({ ...PAST, breakdown: 'item', ...query }));
    return found;
  };
  for (const query of [
    { measure: 'all' },
    { measure: 'unique', limit: 2 },
    { limit: 1000 },
    { breakdown: 'link', measure: 'all' },
  ] as const)
    t.same(await answer(long, query), await answer(logAlone, query));
  await client.query(`DELETE FROM click_column_days WHERE day = '2026-11-17'`);
  await t.rejects(answer(long, { measure: 'all' }), { message: 'sums are read' });
  await client.query('DELETE FROM click_column_days');
});

t.test('a comparison with days without sums reads the log, and is refused if that is too large', async (t) => {
  const query = { from: '2026-10-28', to: '2026-11-20', compare: true } as const;
  const { previous } = await ask(environment.id, query);
  t.same(previous?.totals, countsByHand(between('2026-10-04', '2026-10-27')));
  const clickStore: ClickStore = {
    ...postgresClicks,
    reading: (snapshot) => ({
      ...postgresClicks.reading(snapshot),
      groupSizes: async ({ from }) => [{ day: from, bytes: LOG_BYTES_MAX + 1 }],
    }),
  };
  const asked = { environmentId: environment.id, query, retentionDays: 90, nowMs: NOW };
  await t.rejects(queryClicks({ database, clickStore }, asked), { errors: [{ detail: /too early for `compare`/ }] });
  const { totals } = await queryClicks({ database, clickStore }, { ...asked, query: { from: query.from, to: query.to } });
  t.same(totals, countsByHand(between('2026-10-28', '2026-11-20')), 'days with sums are not refused');
});

t.test('a query that takes too long is refused, and the error suggests half of the days', async (t) => {
  /** A store whose log is slow if days are read that begin on a slow one. */
  const slow = (isSlow: (start: string) => boolean): ClickStore => ({
    ...postgresClicks,
    reading: (snapshot) =>
      postgresClicks.reading({
        async query(statement) {
          const [from] = statement.values;
          if (!statement.text.includes('GROUPING SETS') || !(from instanceof Date) || !isSlow(berlin.format(from)))
            return snapshot.query(statement);
          await snapshot.query(SHORT_TIMEOUT);
          return snapshot.query({ text: 'SELECT pg_sleep(10)', values: [] });
        },
        async copyOut(text, take) {
          const span = spanOfCopy(text);
          if (span === null || !isSlow(berlin.format(span[0]))) return snapshot.copyOut(text, take);
          return copyLate(snapshot, take);
        },
      }),
  });
  const query = (asked: ClicksQuery, isSlow = (_start: string) => true) =>
    queryClicks({ database, clickStore: slow(isSlow) }, { environmentId: environment.id, query: asked, retentionDays: 90, nowMs: NOW });
  const refused = (pointer: string, detail: string) => ({
    code: 'validation_failed',
    errors: [{ pointer, code: 'invalid_range', detail }],
  });
  const tooMany = 'the clicks of more days cannot be counted within 5 seconds';
  await t.rejects(query({ from: '2026-11-11', country: 'DE', host: 'h' }), refused('/from', `must be after 2026-11-15: ${tooMany}`));
  await t.rejects(
    query({ from: '2026-11-18', to: '2026-11-20', breakdown: 'tag', host: 'h' }),
    refused('/from', `must be after 2026-11-18: ${tooMany}`),
  );
  await t.rejects(
    query({ range: 'last_7_days', from: '2026-11-14', country: 'DE', host: 'h' }),
    refused('/range', `must begin after 2026-11-16: ${tooMany}`),
  );
  await t.rejects(
    query({ from: '2026-11-20', country: 'DE', host: 'h' }),
    refused('/from', 'the clicks of this day cannot be counted within 5 seconds: add a filter'),
  );
  await t.rejects(
    query({ from: '2026-11-11', country: 'DE', host: 'h', compare: true }, (start) => start < '2026-11-11'),
    refused('/from', 'is too early for `compare`: ask for fewer days, or leave `compare` out'),
  );
  // If past days have columns, today alone may take too long.
  await makeColumns();
  const today = 'before 2026-11-20: the clicks from then on cannot be counted within 5 seconds yet';
  await t.rejects(query({ from: '2026-11-18', to: '2026-11-20', breakdown: 'item' }), refused('/to', `must be ${today}`));
  await t.rejects(query({ range: 'last_7_days', from: '2026-11-14', breakdown: 'os' }), refused('/range', `must end ${today}`));
  await t.rejects(query({ range: 'last_7_days', from: '2026-11-14', country: 'DE', host: 'h' }), refused('/range', `must end ${today}`));
  await t.rejects(
    query({ from: '2026-11-20', country: 'DE', host: 'h' }),
    refused('/from', 'the clicks of this day cannot be counted within 5 seconds: add a filter'),
  );
  // Or the clicks of today that are not in its columns.
  await makeColumnsOfToday();
  await t.rejects(query({ from: '2026-11-18', to: '2026-11-20', breakdown: 'item' }), refused('/to', `must be ${today}`));
  t.same(
    (await ask(environment.id, { from: '2026-11-11' })).totals,
    countsByHand(between('2026-11-11', '2026-11-20')),
    'the connection is still usable',
  );
});

t.test('groups with equal clicks by people are ordered by all clicks, from sums and from the log', async (t) => {
  const { id, number } = await makeEnvironment(client);
  const [first, second] = [newId('link'), newId('link')].sort() as [string, string];
  const robot = loggedClick(second, NOW, { bot: true });
  await logClicks(client, number, [
    loggedClick(first, NOW),
    loggedClick(second, NOW),
    robot,
    loggedClick(newId('link'), NOW - DAY_MS, { bot: true }),
  ]);
  await countLoggedClicks(url, NOW);
  for (const filter of [{}, { host: 'h' }])
    for (const limit of [1, 2]) {
      const { breakdown } = await ask(id, { breakdown: 'link', limit, ...filter });
      t.match(
        breakdown,
        [
          { value: second, all: 2, human: 1 },
          { value: first, all: 1, human: 1 },
        ].slice(0, limit),
      );
    }
});

t.test('visitors of items of two types are counted from the log', async (t) => {
  const { id, number } = await makeEnvironment(client);
  const item = (resource_type: string) => loggedClick(newId('urlTemplate'), NOW, { resource_type, item: '1', visitor: 7 });
  await logClicks(client, number, [item(type), item(newId('resourceType')), loggedClick(links[0] as string, NOW)]);
  await countLoggedClicks(url, NOW);
  const { breakdown } = await ask(id, { breakdown: 'link' });
  t.match(breakdown, [
    { value: null, all: 2, human: 2, unique: 1 },
    { value: links[0], all: 1 },
  ]);
});

t.test('sums and the log give the same series by hour, day, week and month', async (t) => {
  for (const interval of [undefined, 'hour', 'day', 'week', 'month'] as const) {
    const query = { from: '2026-10-28', to: '2026-11-20', ...(interval === undefined ? {} : { interval }) } satisfies ClicksQuery;
    const { as_of: _, ...sums } = await ask(environment.id, query);
    // Every click has this host, so that the filter selects the same clicks, but from the log.
    const { as_of: __, ...log } = await ask(environment.id, { ...query, host: 'h' });
    t.same(sums, log, interval ?? 'no interval');
    t.same(sums.totals, countsByHand(between('2026-10-28', '2026-11-20')));
  }
  const weeks = await ask(environment.id, { from: '2026-10-28', to: '2026-11-20', interval: 'week' });
  t.same(
    weeks.series.map(({ date }) => date),
    ['2026-10-28', '2026-11-02', '2026-11-09', '2026-11-16'],
    'weeks begin on Monday, and the first one begins with the range',
  );
  const months = await ask(environment.id, { from: '2026-10-28', interval: 'month' });
  t.same(
    months.series.map(({ date, all }) => [date, all]),
    [
      ['2026-10-28', between('2026-10-28', '2026-10-31').length],
      ['2026-11-01', between('2026-11-01', '2026-11-20').length],
    ],
  );
});

t.test('a day of 25 hours has 25 entries, and days without sums are counted from the log', async (t) => {
  const { series, totals } = await ask(environment.id, { from: '2026-10-25', to: '2026-10-25', interval: 'hour' });
  t.equal(series.length, 25);
  t.equal(
    series.reduce((sum, { all }) => sum + all, 0),
    totals.all,
  );
  t.same(totals, countsByHand(between('2026-10-25', '2026-10-25')));
  const old = await ask(environment.id, { from: '2026-10-12', to: '2026-10-16' });
  t.same([old.totals, old.series, old.breakdown, old.previous], [countsByHand(between('2026-10-12', '2026-10-16')), [], [], null]);
});

t.test('a breakdown has the groups with most clicks by the requested measure', async (t) => {
  const world = await makeEnvironment(client, 'UTC');
  const at = Date.parse('2026-11-19T10:00:00Z');
  const clicksFrom = (country: string, people: number, visitors: number, programs: number): LoggedClick[] =>
    Array.from({ length: people + programs }, (_, index) =>
      loggedClick(newId('link'), at + index, { country, visitor: country.charCodeAt(0) * 100 + (index % visitors), bot: index >= people }),
    );
  await logClicks(client, world.number, [...clicksFrom('AT', 5, 1, 0), ...clicksFrom('BE', 1, 1, 9), ...clicksFrom('CH', 4, 4, 0)]);
  await countLoggedClicks(url, NOW);
  const largest = async (measure: ClicksQuery['measure'], query: ClicksQuery) => {
    const asked = { from: '2026-11-19', breakdown: 'country', limit: 1, ...query, ...(measure === undefined ? {} : { measure }) } as const;
    return (await ask(world.id, asked)).breakdown.map(({ value }) => value);
  };
  for (const query of [{}, { host: 'h' }]) {
    t.same(await largest(undefined, query), ['AT']);
    t.same(await largest('human', query), ['AT']);
    t.same(await largest('all', query), ['BE']);
    t.same(await largest('unique', query), ['CH']);
  }
});

t.test('by default a breakdown has the groups with most clicks by people, with names, up to its limit', async (t) => {
  const period = { from: '2026-11-01', to: '2026-11-19' };
  const { breakdown } = await ask(environment.id, { ...period, breakdown: 'link' });
  const inPeriod = between('2026-11-01', '2026-11-19');
  const linkOf = ({ subject, item }: LoggedClick) => (item === null ? subject : null);
  t.same(
    breakdown.map(({ value, all, human, unique }) => [value, { all, human, unique }]).toSorted(),
    [null, ...links].map((value) => [value, countsByHand(inPeriod.filter((click) => linkOf(click) === value))]).toSorted(),
  );
  t.same(
    breakdown.map(({ human }) => human),
    breakdown.map(({ human }) => human).toSorted((a, b) => b - a),
  );
  t.same(
    breakdown.map(({ value, name }) => [value, name]).find(([value]) => value === links[0]),
    [links[0], 'first'],
  );
  t.equal((await ask(environment.id, { ...period, breakdown: 'country', limit: 2 })).breakdown.length, 2);
  const sources = await ask(environment.id, { ...period, breakdown: 'source' });
  t.same(sources.breakdown.map(({ value }) => value).toSorted(), ['link', 'qr']);
  const systems = await ask(environment.id, { ...period, breakdown: 'os' });
  t.same(systems.breakdown.map(({ value }) => value).toSorted(), ['Windows', 'iOS', null].toSorted());
  const types = await ask(environment.id, { ...period, breakdown: 'resource_type' });
  t.same(types.breakdown.map(({ value }) => value).toSorted(), ['product', 'recipe', null].toSorted());
  const items = await ask(environment.id, { ...period, breakdown: 'item' });
  const keys = new Map([
    [type, 'product'],
    [otherType, 'recipe'],
  ]);
  const nameOf = ({ resource_type, item }: LoggedClick) => `${keys.get(resource_type ?? '') ?? null} ${item}`;
  t.same(
    items.breakdown.map(({ resource_type, value, all, human, unique }) => [`${resource_type} ${value}`, { all, human, unique }]).toSorted(),
    [...new Set(inPeriod.map(nameOf))].map((name) => [name, countsByHand(inPeriod.filter((click) => nameOf(click) === name))]).toSorted(),
    'items of two types with the same id are two groups',
  );
  t.equal(items.breakdown.length, 7);
});

t.test('a comparison covers the same number of days before', async (t) => {
  for (const query of [{}, { country: 'FR' }] satisfies ClicksQuery[]) {
    const { previous } = await ask(environment.id, { ...query, from: '2026-11-10', to: '2026-11-14', compare: true });
    const through = between('2026-11-05', '2026-11-09').filter(({ country }) => !('country' in query) || country === query.country);
    t.same(previous, { from: '2026-11-05', to: '2026-11-09', totals: countsByHand(through) });
  }
});

t.test('a filter by tag selects the clicks of links with the tag', async (t) => {
  await client.query(`INSERT INTO tags (id, environment_id, name, created_at, updated_at) VALUES ($1, $2, 'print', now(), now())`, [
    newId('tag'),
    environment.id,
  ]);
  await client.query(`UPDATE links SET tag_numbers = ARRAY(SELECT number FROM tags WHERE name = 'print') WHERE id = $1`, [links[0]]);
  const { totals } = await ask(environment.id, { from: '2026-11-01', tag: 'print' });
  const ofPeriod = between('2026-11-01', '2026-11-20');
  t.same(totals, countsByHand(ofPeriod.filter(({ subject }) => subject === links[0])));
  const without = await ask(environment.id, { from: '2026-11-01', tag: '' });
  t.same(
    without.totals,
    countsByHand(ofPeriod.filter(({ subject }) => subject !== links[0])),
    'an empty tag selects the clicks of links without a tag',
  );
});

t.test('in a breakdown by tag a click counts for each tag of its link', async (t) => {
  const own = await makeEnvironment(client, 'Europe/Berlin');
  const own_links = [newId('link'), newId('link'), newId('link')];
  const linkOf = new Map(links.map((link, at) => [link, own_links[at] as string]));
  const logged = clicks.map((click) => ({ ...click, subject: linkOf.get(click.subject) ?? click.subject }));
  await logClicks(client, own.number, logged);
  await countLoggedClicks(url, NOW);
  const tags = [
    ['print', [own_links[0], own_links[1]]],
    ['spring', [own_links[1]]],
    ['unused', []],
    ['gone', [own_links[2]]],
  ] as const;
  for (const [name, tagged] of tags) {
    await client.query(`INSERT INTO tags (id, environment_id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())`, [
      newId('tag'),
      own.id,
      name,
    ]);
    for (const link of tagged)
      await client.query(
        `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at, tag_numbers)
         VALUES ($1, $2, $1, '/', now(), now(), ARRAY(SELECT number FROM tags WHERE environment_id = $2 AND name = $3))
         ON CONFLICT (id) DO UPDATE SET tag_numbers = links.tag_numbers || excluded.tag_numbers`,
        [link, own.id, name],
      );
  }
  await client.query(`DELETE FROM tags WHERE environment_id = $1 AND name = 'gone'`, [own.id]);
  const period = { from: '2026-11-01', to: '2026-11-20' };
  const ofPeriod = logged.filter((click) => dayOf(click) >= period.from);
  const tagsOf = (subject: string) =>
    tags.flatMap(([name, tagged]) => (name !== 'gone' && tagged.some((link) => link === subject) ? name : []));
  const byHand = (lets: (click: LoggedClick) => boolean) =>
    [
      ['print', ofPeriod.filter((click) => lets(click) && tagsOf(click.subject).includes('print'))] as const,
      ['spring', ofPeriod.filter((click) => lets(click) && tagsOf(click.subject).includes('spring'))] as const,
      [null, ofPeriod.filter((click) => lets(click) && tagsOf(click.subject).length === 0)] as const,
    ]
      .map(([value, group]) => ({ value, name: null, resource_type: null, ...countsByHand(group) }))
      .sort((one, other) => other.human - one.human);
  t.same(
    (await ask(own.id, { ...period, breakdown: 'tag', host: 'h' })).breakdown,
    byHand(() => true),
  );
  t.same(
    (await ask(own.id, { ...period, breakdown: 'tag', country: 'DE' })).breakdown,
    byHand(({ country }) => country === 'DE'),
  );
  const filtered = await ask(own.id, { ...period, tag: '' });
  t.same(
    filtered.totals,
    countsByHand(ofPeriod.filter(({ subject }) => tagsOf(subject).length === 0)),
    'the filter for no tag selects the group without a tag',
  );

  // More tags than one statement takes, on links without clicks.
  await client.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at, tag_numbers)
     SELECT new_id('lnk_', now()), $1, 'many-' || n, '/', now(), now(), ARRAY(SELECT number FROM tags WHERE environment_id = $1)
     FROM generate_series(1, 7000) AS n`,
    [own.id],
  );
  t.same(
    (await ask(own.id, { ...period, breakdown: 'tag', host: 'h' })).breakdown,
    byHand(() => true),
  );
});

t.test('days that cannot be answered are refused with the field that names them', async (t) => {
  const refused = (query: ClicksQuery, detail: RegExp, pointer = '/from') =>
    t.rejects(ask(environment.id, query), {
      code: 'validation_failed',
      errors: [{ in: 'query', pointer, code: 'invalid_range', detail }],
    });
  await refused({ from: '2026-11-19', to: '2026-11-18' }, /after `to`/);
  await refused({ from: '2026-11-21' }, /future/);
  await refused({ from: '2026-08-01' }, /before 2026-08-23: clicks are kept for 90 days/);
  await refused({ range: 'last_90_days', from: '2026-08-01' }, /not begin before 2026-08-23/, '/range');
  await refused({ to: '2026-08-21' }, /too early without `from`: clicks are kept for 90 days, since 2026-08-23/, '/to');
  await refused({ from: '2026-09-01', to: '2026-10-31', compare: true }, /too early for `compare`/);
  await refused({ range: 'last_90_days', from: '2026-08-23', to: '2026-11-20', compare: true }, /too early for `compare`/, '/range');
  t.match(await ask(environment.id, { from: '2026-10-07', compare: true }), { previous: { from: '2026-08-23', to: '2026-10-06' } });
  const defaults = await ask(environment.id, {});
  t.match(defaults, { from: '2026-11-14', to: '2026-11-20', timezone: 'Europe/Berlin' });
  t.match(await ask(environment.id, { to: '2030-01-01' }), { to: '2026-11-20' });
  // Without days, a query has the days of which everything is kept, so that a breakdown adds up to the totals.
  const shortlyKept = { environmentId: environment.id, query: { breakdown: 'host' } as const, retentionDays: 5, nowMs: NOW };
  const short = await queryClicks({ database, clickStore: postgresClicks }, shortlyKept);
  t.match(short, { from: '2026-11-16', to: '2026-11-20' });
});
