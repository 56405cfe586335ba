import t, { type Test } from 'tap';
import type { ClickStore } from '../../../control-plane/click-store/click-store.js';
import { clickHouseClicks } from '../../../control-plane/click-store/clickhouse/clickhouse-store.js';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import type { Reclassification } from '../../../control-plane/clicks/reclassify.js';
import { createDatabase as createDatabaseOf, createPool, type Queryable } from '../../../control-plane/db/database.js';
import { conversionOf } from '../../../control-plane/events/conversion.js';
import { asRefusal } from '../../../control-plane/http/problems.js';
import { dayParts } from '../../../control-plane/local-days/span.js';
import { readWindow } from '../../../control-plane/local-days/window.js';
import { resourceStats } from '../../../control-plane/resources/stats.js';
import { campaignStats } from '../../../control-plane/stats/campaign-stats.js';
import { queryConversions } from '../../../control-plane/stats/conversions.js';
import { environmentStats } from '../../../control-plane/stats/environment-stats.js';
import { linkStats } from '../../../control-plane/stats/link-stats.js';
import { LOG_BYTES_MAX } from '../../../control-plane/stats/log-bounds.js';
import { queryClicks } from '../../../control-plane/stats/query-clicks.js';
import { idToUuid, newId, uuidToId } from '../../../shared/base/ids.js';
import { ClickHouse } from '../../../shared/clickhouse/connection.js';
import { CLICK_DIMENSIONS, type ClicksQuery } from '../../../shared/contract/schemas/clicks-query.js';
import type { Conversions } from '../../../shared/contract/schemas/conversions.js';
import { LINK_CLICKS_DAYS } from '../../../shared/contract/schemas/link-list.js';
import type { ResourceStats } from '../../../shared/contract/schemas/resources.js';
import { deriveClickIdKeys } from '../../../shared/secrets/click-id-keys.js';
import { TEST_SECRET_KEYS } from '../../api/api-server.js';
import {
  connect,
  countLoggedClicks,
  type LoggedClick,
  logClicks,
  loggedClick,
  makeEnvironment,
  makePrefixes,
} from '../../support/click-log.js';
import { copyClicks, countStored, forgetClicks, openClickHouse, type TestClickHouse } from '../../support/clickhouse.js';
import { createDatabase } from '../../support/database.js';
import { insertResourceType } from '../../support/resource-type.js';

/** Tests that both stores answer alike if they hold the same clicks. */

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const KEPT_DAYS = { clicks: 90, events: 90, installs: 90 };
const NO_ROWS = { rows: [], rowCount: 0 };
type QueryOf = Parameters<Queryable['query']>[0];
/** The number of clicks of each environment. */
const CLICKS = 1200;
/** A day of an environment with that many clicks is summed. Some of the days here are. */
const MANY_CLICKS = 36;
/** The number of clicks that are stored late, in the first environment. */
const LATE_CLICKS = 2;
/** Zones with clock changes within the days, by an hour and by half an hour, and with days that begin between full hours. */
const ZONES = ['Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe'];
const store = await openClickHouse(t);
if (store !== null) await tests(store);

async function tests(store: TestClickHouse): Promise<void> {
  const own = await createDatabase();
  const client = await connect(own.url);
  const pool = createPool(own.url, 4, 'conformance', () => {});
  const database = createDatabaseOf(pool);
  t.teardown(async () => {
    await client.end();
    await pool.end();
    await own.drop();
  });
  const clickHouse = clickHouseClicks(store.clickHouse, { summedClicksMin: MANY_CLICKS });

  // Yields the same numbers in every run.
  let seed = 7;
  const below = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * limit);
  };
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;

  async function makeLink(environmentId: string, path: string): Promise<string> {
    const id = newId('link');
    await client.query(
      `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at) VALUES ($1, $2, $3, '/', now(), now())`,
      [id, environmentId, path],
    );
    return id;
  }

  /** Makes installations whose answers name these sources. */
  async function makeInstalls(environmentId: string, answers: readonly object[]): Promise<void> {
    for (const [index, answer] of answers.entries())
      await client.query(
        `INSERT INTO installs (environment_id, install_id, opened_at, platform, attribution, match_type, reason, answer)
         VALUES ($1, $2, $3, 'ios', 'attributed', 'clipboard', 'matched', $4)`,
        [environmentId, `i${index}`, new Date(NOW - DAY_MS).toISOString(), JSON.stringify(answer)],
      );
  }

  async function makeWorld(zone: string) {
    const environment = await makeEnvironment(client, zone);
    const links = [await makeLink(environment.id, 'a'), await makeLink(environment.id, 'b'), newId('link')];
    for (const name of ['Łódź', 'it\'s "b"'])
      await client.query(`INSERT INTO tags (id, environment_id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())`, [
        newId('tag'),
        environment.id,
        name,
      ]);
    // The first link has both tags, the second link has one of them.
    await client.query(
      `UPDATE links SET tag_numbers = (
         SELECT array_agg(number) FROM tags WHERE environment_id = $1 AND (path = 'a' OR name = 'Łódź')) WHERE environment_id = $1`,
      [environment.id],
    );
    const types = [
      await insertResourceType(database, environment.id, 'product'),
      await insertResourceType(database, environment.id, 'recipe'),
    ];
    const template = newId('urlTemplate');
    const dayOf = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
    const clicks = Array.from({ length: CLICKS }, (): LoggedClick => {
      // Some clicks are at the first instant of a day in some zone.
      const at = below(4) === 0 ? Math.floor((NOW - below(50 * DAY_MS)) / 900_000) * 900_000 : NOW - below(50 * DAY_MS);
      const item = below(3) === 0 ? { resource_type: one(types), item: `i${below(30)}` } : {};
      return loggedClick('item' in item ? template : one(links), at, {
        visitor: Number(dayOf.format(at).replaceAll('-', '')) * 100 + below(8),
        bot: below(4) === 0,
        platform: one(['ios', 'android', 'desktop', 'other']),
        country: one(['DE', 'FR', 'AT', null]),
        campaign: one(['spring', 'autumn', 'Łódź', null]),
        referrer_host: one([null, ...Array.from({ length: 14 }, (_, index) => `r${index}.example`)]),
        os: one(['iOS', 'Windows', null]),
        os_version: one(['17.5', null]),
        browser: one(['Safari', 'Chrome', null]),
        browser_version: one(['17', '126', null]),
        region: one(['DE-BE', null]),
        city: one(['Berlin', 'München', null]),
        source: one(['qr', null]),
        path: one(['p', 'ABCDEF0123456789ABCDEF0123456789', 'it\'s \\ a "path"\t', 'ü/ß']),
        user_agent: one(['agent 1', "agent '2'", null]),
        address_hash: one([Buffer.from('0123456789abcdef', 'hex'), null]),
        ...item,
      });
    });
    await logClicks(client, environment.number, clicks);
    await makeInstalls(environment.id, [
      { link: { id: links[0], campaign: 'spring' } },
      ...['product', 'recipe'].flatMap((resource_type) => ['i1', 'i2'].map((id) => ({ resource: { resource_type, id } }))),
    ]);
    return { environment, links, zone };
  }

  type World = Awaited<ReturnType<typeof makeWorld>>;
  const worlds: World[] = [];
  for (const zone of ZONES) worlds.push(await makeWorld(zone));
  await countLoggedClicks(own.url, NOW);
  await makePrefixes(database, NOW);
  await copyClicks(database, store);

  /** The answers of both stores, without the time at which they were made. */
  const both = async <Answer extends { readonly as_of?: string }>(ask: (store: ClickStore) => Promise<Answer>) => {
    const answers = await Promise.all([ask(clickHouse), ask(postgresClicks)]);
    return answers.map(({ as_of: _, ...answer }) => answer) as [unknown, unknown];
  };

  t.test('copying days from PostgreSQL adds only the missing clicks', async (t) => {
    const stored = async () => {
      const [row] = await store.clickHouse.rows('SELECT count() AS clicks, sum(cityHash64(*)) AS hash FROM clicks');
      return row;
    };
    const whole = await stored();
    await store.clickHouse.run('ALTER TABLE clicks DELETE WHERE cityHash64(id) % 3 = 0');
    const days = dayParts({ from: new Date(NOW - 52 * DAY_MS), to: new Date(NOW + DAY_MS) });
    const copyAll = async () => {
      let [clicks, copied] = [0, 0];
      for (const day of days) {
        const result = await clickHouse.copyDay?.(database, day);
        if (result === undefined || result === 'busy') throw new Error('nothing was copied');
        t.equal(result.missing, 0);
        clicks += result.clicks;
        copied += result.copied;
      }
      return { clicks, copied };
    };
    const { clicks, copied } = await copyAll();
    t.equal(clicks, CLICKS * ZONES.length);
    t.ok(copied > clicks / 4 && copied < clicks / 2, `${copied} of ${clicks}`);
    t.strictSame(await stored(), whole, 'the copied clicks equal the shipped ones');
    t.strictSame(await copyAll(), { clicks, copied: 0 });
    await client.query(`SELECT pg_advisory_lock(hashtextextended('copy of clicks', 0))`);
    t.equal(await clickHouse.copyDay?.(database, days[5] as (typeof days)[number]), 'busy');
    await client.query('SELECT pg_advisory_unlock_all()');
  });

  t.test('ClickHouse has every click once', async (t) => {
    t.same(await countStored(store), { rows: CLICKS * ZONES.length, ids: CLICKS * ZONES.length });
  });

  async function sameStatistics(t: Test, { environment, links }: World): Promise<void> {
    for (const range of ['1d', '7d', '30d'] as const)
      for (const interval of ['hour', 'day'] as const) {
        const [found, wanted] = await both((clickStore) =>
          environmentStats({ database, clickStore }, environment.id, { range, interval }, NOW),
        );
        t.strictSame(found, wanted, `the environment over ${range} by ${interval}`);
      }
    for (const range of ['7d', '30d'] as const) {
      const link = { id: links[0] as string, environment_id: environment.id };
      const [ofLink, wantedOfLink] = await both((clickStore) => linkStats({ database, clickStore }, link, range, NOW));
      t.strictSame(ofLink, wantedOfLink, `a link over ${range}`);
      const campaign = { id: newId('campaign'), key: 'Łódź', environment_id: environment.id };
      const [ofCampaign, wantedOfCampaign] = await both((clickStore) => campaignStats({ database, clickStore }, campaign, range, NOW));
      t.strictSame(ofCampaign, wantedOfCampaign, `a campaign over ${range}`);
      const [ofTypes, wantedOfTypes] = await both((clickStore) => resourceStats({ database, clickStore }, environment.id, range, NOW));
      t.strictSame(ofTypes, wantedOfTypes, `resource types over ${range}`);
      t.ok((ofTypes as ResourceStats).types.every(({ clicks, top_items }) => clicks > 1 && top_items.length > 1));
    }
  }

  for (const world of worlds) t.test(`both stores have the same statistics: ${world.zone}`, (t) => sameStatistics(t, world));

  t.test('both stores find the click that an event names', async (t) => {
    const [{ environment }, { environment: other }] = worlds as [(typeof worlds)[number], (typeof worlds)[number]];
    const { rows } = await client.query<{ id: string; kind: string }>(
      `(SELECT id, kind FROM clicks WHERE environment_number = $1 AND kind = 'link' AND campaign IS NOT NULL ORDER BY id LIMIT 3)
       UNION ALL (SELECT id, kind FROM clicks WHERE environment_number = $1 AND kind = 'link' AND campaign IS NULL ORDER BY id LIMIT 2)
       UNION ALL (SELECT id, kind FROM clicks WHERE environment_number = $1 AND kind = 'template' ORDER BY id LIMIT 2)`,
      [environment.number],
    );
    const clickIds = deriveClickIdKeys(TEST_SECRET_KEYS);
    const find = (clickStore: Pick<ClickStore, 'find'>, environmentId: string, click_id: string) =>
      conversionOf({ database, clickStore, nowMs: NOW, clickIds, wait: async () => {} }, environmentId, { install_id: null, click_id });
    // Without the earlier clicks that PostgreSQL holds.
    const noRows = { query: async (query: QueryOf) => (query.name === 'find_logged_click' ? NO_ROWS : database.query(query)) } as Queryable;
    const alone: Pick<ClickStore, 'find'> = { find: (_, wanted) => clickHouse.find(noRows, wanted) };
    const ids = rows.map(({ id }) => uuidToId('click', id));
    for (const [index, id] of ids.entries()) {
      const wanted = await find(postgresClicks, environment.id, id);
      t.equal(wanted.link_id !== null, rows[index]?.kind === 'link');
      t.equal(wanted.campaign !== null || index > 2, true);
      t.equal(wanted.resource_type !== null && wanted.item_id !== null, rows[index]?.kind === 'template');
      t.strictSame(await find(alone, environment.id, id), wanted);
    }
    const none = (click_id: string) => ({ click_id, link_id: null, campaign: null, resource_type: null, item_id: null });
    const [first] = ids as [string];
    t.strictSame(await find(alone, other.id, first), none(first), 'a click of another environment is not found');
    const unknown = newId('click');
    t.strictSame(await find(alone, environment.id, unknown), none(unknown));
  });

  const queries = ([first]: readonly string[]): readonly ClicksQuery[] => [
    {},
    ...(['hour', 'day', 'week', 'month'] as const).map((interval) => ({ interval, from: '2026-10-01', to: '2026-11-19' })),
    ...(['hour', 'day'] as const).map((interval) => ({ interval, country: 'DE' })),
    { compare: true, interval: 'day', platform: 'ios' },
    ...CLICK_DIMENSIONS.map((breakdown): ClicksQuery => ({ breakdown, limit: 5, from: '2026-10-10' })),
    ...(['unique', 'all'] as const).flatMap((measure) =>
      (['country', 'referrer_host', 'link', 'city'] as const).flatMap((breakdown): ClicksQuery[] => [
        { breakdown, measure, limit: 2, from: '2026-10-10' },
        { breakdown, measure, limit: 2, platform: 'ios' },
      ]),
    ),
    { country: '' },
    { link: first as string, browser: 'Chrome' },
    { link: '', breakdown: 'item' },
    { link: newId('link') },
    { resource_type: 'product', breakdown: 'item' },
    { resource_type: 'none' },
    { campaign: 'Łódź', city: 'München', source: 'link' },
    { source: 'qr' },
    { source: '' },
    { path: 'it\'s \\ a "path"\t' },
    { tag: 'none' },
    { tag: '' },
    { tag: 'Łódź', breakdown: 'tag' },
    { breakdown: 'tag', measure: 'all', limit: 1, interval: 'day' },
    { utm_source: '' },
    { item: 'i1', interval: 'day' },
  ];

  async function sameQueries(t: Test, { environment, links }: World): Promise<void> {
    for (const query of queries(links)) {
      const asked = { environmentId: environment.id, query, retentionDays: 90, nowMs: NOW };
      const [found, wanted] = await both((clickStore) => queryClicks({ database, clickStore }, asked));
      t.strictSame(found, wanted, JSON.stringify(query));
    }
    const filters = [{}, { link: links[0] as string }, { campaign: 'spring' }, { resource_type: 'product' }, { item: 'i1' }];
    for (const query of filters.flatMap((filter) => [filter, { ...filter, from: '2026-10-05' }])) {
      const asked = { environmentId: environment.id, query, keptDays: KEPT_DAYS, nowMs: NOW };
      const [found, wanted] = await both((clickStore) => queryConversions({ database, clickStore }, asked));
      t.strictSame(found, wanted, `conversions ${JSON.stringify(query)}`);
      t.ok((wanted as Conversions).totals.installs > 0);
      const { items } = wanted as Conversions;
      t.ok(items.length === 0 || items.some(({ clicks }) => clicks > 0));
    }
  }

  for (const world of worlds.slice(1, 3)) t.test(`both stores answer queries alike: ${world.zone}`, (t) => sameQueries(t, world));

  const sumDays = async () => {
    while (await clickHouse.sumDays?.(database, NOW));
    // The sums are read a minute after they were counted.
    await client.query(`UPDATE click_summed_days SET summed_at = summed_at - interval '2 minutes'`);
  };
  const summedDays = async (environmentNumber: number): Promise<readonly string[]> => {
    const { rows } = await client.query<{ day: string }>(
      `SELECT day::text FROM click_summed_days
       WHERE environment_number = $1 AND version IS NOT NULL AND summed_at < now() - interval '1 minute' ORDER BY day`,
      [environmentNumber],
    );
    return rows.map(({ day }) => day);
  };

  t.test('finished days with many clicks get sums, and answers stay the same', async (t) => {
    await sumDays();
    for (const { environment, zone } of worlds) {
      const days = await summedDays(environment.number);
      t.ok(days.length > 0 && days.length < 8, `${days.length} of 50 days: ${zone}`);
      t.ok((days.at(-1) ?? '') < '2026-11-20', 'today has no sums');
    }
    for (const world of worlds.slice(1, 3))
      await t.test(`both stores have the same statistics with sums: ${world.zone}`, (t) => sameStatistics(t, world));
    await t.test('both stores answer queries alike with sums', (t) => sameQueries(t, worlds[1] as World));
    t.equal(await clickHouse.sumDays?.(database, NOW), false, 'no day is summed twice');
  });

  t.test('answers are read from sums instead of clicks', async (t) => {
    const [{ environment }] = worlds as [World];
    const asked = {
      environmentId: environment.id,
      query: { breakdown: 'country', from: '2026-10-10' } as const,
      retentionDays: 90,
      nowMs: NOW,
    };
    const before = await queryClicks({ database, clickStore: clickHouse }, asked);
    await store.clickHouse.run('ALTER TABLE click_sums UPDATE clicks = clicks + 1000 WHERE 1');
    const { breakdown } = await queryClicks({ database, clickStore: clickHouse }, asked);
    const days = (await summedDays(environment.number)).filter((day) => day >= asked.query.from).length;
    for (const { value, all } of before.breakdown) {
      const more = (breakdown.find((group) => group.value === value)?.all ?? 0) - all;
      // Not every country has clicks on every day.
      t.ok(more % 1000 === 0 && more > 0 && more <= 1000 * days, `${value}: ${more}`);
    }
    await store.clickHouse.run('ALTER TABLE click_sums UPDATE clicks = clicks - 1000 WHERE 1');
  });

  t.test('late clicks have their day summed again, even if they arrive while it is being summed', async (t) => {
    const [world] = worlds as [World];
    const { number } = world.environment;
    const before = await summedDays(number);
    const lateDay = before.at(-1) as string;
    const storeLate = async () => {
      const late = loggedClick(world.links[0] as string, Date.parse(`${lateDay}T11:00:00Z`), { visitor: 7, country: 'DE', path: 'late' });
      // Stores as a shipper does: first the clicks, then the note of their batch.
      await logClicks(client, number, [late]);
      await countLoggedClicks(own.url, NOW);
      await forgetClicks(store);
      await copyClicks(database, store);
    };
    const due = () => client.query(`UPDATE click_summed_days SET due_at = now() - interval '1 second' WHERE summed_at IS NULL`);
    await storeLate();
    t.same(
      await summedDays(number),
      before.filter((day) => day !== lateDay),
    );
    await sameStatistics(t, world);
    t.equal(await clickHouse.sumDays?.(database, NOW), false, 'the day is not summed at once, because more late clicks may follow');
    await due();
    // The count has begun, and one kind of sums is done.
    for (let steps = 0; steps < 2; steps++) t.equal(await clickHouse.sumDays?.(database, NOW), true);
    await storeLate();
    await sumDays();
    t.notOk((await summedDays(number)).includes(lateDay), 'a sum that a late click made outdated is not read');
    await due();
    await sumDays();
    t.same(await summedDays(number), before);
    await sameStatistics(t, world);
    const [left] = await store.clickHouse.rows<{ versions: string }>(
      `SELECT uniqExact(version) AS versions FROM click_sums WHERE environment_number = {number:Int32} AND day = {lateDay:Date}`,
      { number, lateDay },
    );
    t.equal(Number(left?.versions), 1, 'outdated sums are deleted');
  });

  t.test('forgetting sums affects only the given days and environment', async (t) => {
    const [{ environment }, other] = worlds as [World, World];
    const [before, ofOther] = [await summedDays(environment.number), await summedDays(other.environment.number)];
    const [from, to] = [before[0] as string, before[0] as string];
    const noted = await client.query('SELECT FROM click_summed_days WHERE environment_number = $1 AND day BETWEEN $2 AND $3', [
      environment.number,
      from,
      to,
    ]);
    t.equal(await clickHouse.forgetSums?.(database, { from, to, environmentId: environment.id }), noted.rowCount);
    t.same(await summedDays(environment.number), before.slice(1));
    t.same(await summedDays(other.environment.number), ofOther);
  });

  t.test('a part of a batch that is stored later invalidates the sums of its day', async (t) => {
    const [, { environment }] = worlds as [World, World];
    const before = await summedDays(environment.number);
    const storePart = (day: string) =>
      client.query(
        `INSERT INTO click_log_batches (batch_id, shards, from_at, to_at) VALUES (77, '{0}', $1, $1)
         ON CONFLICT (batch_id) DO UPDATE SET from_at = least(click_log_batches.from_at, excluded.from_at)`,
        [`${day}T12:00:00Z`],
      );
    await storePart('2026-11-30');
    t.same(await summedDays(environment.number), before);
    const last = before.at(-1) as string;
    await storePart(last);
    t.same(
      await summedDays(environment.number),
      before.filter((day) => day !== last),
    );
  });

  t.test('after a change of time zone the sums are those of the new days', async (t) => {
    const [world] = worlds as [World];
    const zoned = (zone: string) =>
      client.query('UPDATE projects SET time_zone = $2 WHERE id = (SELECT project_id FROM environments WHERE id = $1)', [
        world.environment.id,
        zone,
      ]);
    const read = async () => {
      const asked = {
        environmentId: world.environment.id,
        query: { interval: 'day', from: '2026-11-01' } as const,
        retentionDays: 90,
        nowMs: NOW,
      };
      return (await queryClicks({ database, clickStore: clickHouse }, asked)).series;
    };
    const before = await read();
    await zoned('America/New_York');
    const moved = await read();
    t.notSame(
      moved.map(({ all }) => all),
      before.map(({ all }) => all),
    );
    await sumDays();
    t.same(await read(), moved, 'the sums are those of the days in the new time zone');
    await zoned(world.zone);
    t.same(await read(), before);
  });

  t.test('ClickHouse answers for days that are too large for PostgreSQL, which refuses them', async (t) => {
    const { environment } = worlds[1] as (typeof worlds)[number];
    const large = (clickStore: ClickStore): ClickStore => ({
      ...clickStore,
      reading: (snapshot, abort) => ({
        ...clickStore.reading(snapshot, abort),
        groupSizes: async () => [{ day: '2026-11-19', bytes: LOG_BYTES_MAX + 1 }],
      }),
    });
    const asked = { environmentId: environment.id, query: { country: 'DE', host: 'h' }, retentionDays: 90, nowMs: NOW };
    const { as_of: _, ...wanted } = await queryClicks({ database, clickStore: postgresClicks }, asked);
    const { as_of: __, ...found } = await queryClicks({ database, clickStore: large(clickHouse) }, asked);
    t.strictSame(found, wanted);
    t.ok(found.totals.all > 10);
    await t.rejects(queryClicks({ database, clickStore: large(postgresClicks) }, asked), {
      code: 'validation_failed',
      errors: [{ pointer: '/from', detail: /^must be after 2026-11-19/ }],
    });
    const conversions = { environmentId: environment.id, query: { from: '2026-10-05' }, keptDays: KEPT_DAYS, nowMs: NOW };
    t.match(await queryConversions({ database, clickStore: large(clickHouse) }, conversions), { totals: { clicks: Number } });
    await t.rejects(queryConversions({ database, clickStore: large(postgresClicks) }, conversions), { code: 'validation_failed' });
  });

  t.test('no transaction of PostgreSQL is open while ClickHouse counts, and an aborted query is not sent', async (t) => {
    const { environment } = worlds[0] as (typeof worlds)[number];
    const asked = { environmentId: environment.id, query: { breakdown: 'country' as const }, retentionDays: 90, nowMs: NOW };
    let open = -1;
    const watched: ClickStore = {
      ...clickHouse,
      reading: (snapshot, abort) => ({
        ...clickHouse.reading(snapshot, abort),
        groups: async (wanted) => {
          const { rows } = await client.query<{ open: number }>(
            `SELECT count(*)::integer AS open FROM pg_stat_activity WHERE application_name = 'conformance' AND state = 'idle in transaction'`,
          );
          open = rows[0]?.open ?? -1;
          return clickHouse.reading(snapshot, abort).groups(wanted);
        },
      }),
    };
    await queryClicks({ database, clickStore: watched }, asked);
    t.equal(open, 0);
    await t.rejects(queryClicks({ database, clickStore: clickHouse, abort: AbortSignal.abort() }, asked), {
      name: 'ClickHouseUnavailableError',
    });
  });

  const exported = async (clickStore: ClickStore, environmentNumber: number, after: Date | null = null): Promise<string> => {
    let text = '';
    const span = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-09T12:00:00Z') };
    await clickStore.export(database, {
      environmentNumber,
      span,
      format: 'ndjson',
      after: after === null ? null : { occurred_at: after, id: '80000000-0000-0000-0000-000000000000' },
      write: async (some) => {
        text += some;
      },
    });
    return text;
  };

  t.test('both stores export the same, from the beginning and resumed', async (t) => {
    const { number } = (worlds[1] as (typeof worlds)[number]).environment;
    for (const after of [null, new Date('2026-11-03T10:00:00Z')]) {
      const wanted = await exported(postgresClicks, number, after);
      t.ok(wanted.length > 10_000);
      t.match(wanted, '"resource_type":"product"');
      t.equal(await exported(clickHouse, number, after), wanted);
    }
  });

  t.test('both stores stream the same clicks in the same order', async (t) => {
    const { number } = (worlds[0] as (typeof worlds)[number]).environment;
    const { rows } = await client.query<{ batch_id: string }>('SELECT DISTINCT batch_id FROM clicks WHERE environment_number = $1', [
      number,
    ]);
    const batches = rows.map(({ batch_id }) => ({
      batch_id: BigInt(batch_id),
      from_at: new Date(NOW - 50 * DAY_MS),
      to_at: new Date(NOW),
    }));
    const wanted = await postgresClicks.streamed(database, { environmentNumber: number, batches, after: null, limit: 700 });
    t.equal(wanted.length, 700);
    t.strictSame(await clickHouse.streamed(database, { environmentNumber: number, batches, after: null, limit: 700 }), wanted);
    const after = wanted[300] as (typeof wanted)[number];
    t.strictSame(
      await clickHouse.streamed(database, { environmentNumber: number, batches, after, limit: 100 }),
      await postgresClicks.streamed(database, { environmentNumber: number, batches, after, limit: 100 }),
    );
  });

  t.test('both stores have the same clicks by people on links for each day', async (t) => {
    for (const { environment, links } of worlds) {
      const window = await readWindow(database, environment.id, { days: LINK_CLICKS_DAYS }, NOW);
      const uuids = [...links.slice(0, 2), newId('link')].map((id) => idToUuid('link', id) as string);
      const [found, wanted] = await Promise.all(
        [clickHouse, postgresClicks].map(async (clickStore) => {
          const days = await clickStore.reading(database).linkDays(window, uuids);
          return days.toSorted((a, b) => (`${a.subject_id} ${a.day}` < `${b.subject_id} ${b.day}` ? -1 : 1));
        }),
      );
      t.ok(wanted?.some(({ human }) => human > 1));
      t.strictSame(found, wanted);
    }
  });

  t.test('clicks by people on links add up to the figures of PostgreSQL', async (t) => {
    const { addUpLinks } = clickHouse;
    if (addUpLinks === null) throw new Error('nobody adds up the clicks of links');
    while (await addUpLinks(database, NOW));
    for (const { environment, links } of worlds.slice(0, 3)) {
      const { rows } = await client.query<{ link_id: string; human: string }>(
        'SELECT link_id, human FROM link_clicks WHERE environment_number = $1 ORDER BY link_id',
        [environment.number],
      );
      const wanted = await Promise.all(
        links.slice(0, 2).map(async (id) => {
          const source = { database, clickStore: postgresClicks };
          const { totals } = await linkStats(source, { id, environment_id: environment.id }, '30d', NOW);
          return { link_id: id, human: String(totals.human) };
        }),
      );
      t.same(
        rows,
        wanted.toSorted((a, b) => (a.link_id < b.link_id ? -1 : 1)),
      );
    }
    t.equal(await addUpLinks(database, NOW), false, 'the links are not added up again within ten minutes');
  });

  t.test('an audit finds clicks that are stored twice, and a click that is not copied yet is found in PostgreSQL', async (t) => {
    const span = { from: new Date(NOW - 3 * DAY_MS), to: new Date(NOW) };
    const doubledOf = async () => (await clickHouse.audit(database, span)).reduce((sum, { clicks, ids }) => sum + clicks - ids, 0);
    t.equal(await doubledOf(), 0);
    t.strictSame(await clickHouse.audit(database, span), await postgresClicks.audit(database, span));
    await store.clickHouse.run('INSERT INTO clicks SELECT * FROM clicks WHERE occurred_at >= {from:DateTime64(3)} LIMIT 3', {
      from: new Date(NOW - DAY_MS).toISOString().slice(0, -1),
    });
    t.equal(await doubledOf(), 3);
    await forgetClicks(store);
    const { rows } = await client.query<{ id: string; kind: string }>('SELECT id, kind FROM clicks WHERE environment_number = $1 LIMIT 1', [
      worlds[1]?.environment.number,
    ]);
    const wanted = { environmentId: worlds[1]?.environment.id ?? '', clickId: uuidToId('click', rows[0]?.id ?? '') };
    t.match(await clickHouse.find(database, wanted), { kind: rows[0]?.kind }, 'a click that is not copied yet is found in PostgreSQL');
    await copyClicks(database, store);
  });

  t.test('both stores reclassify the same clicks, and statistics follow', async (t) => {
    const { environment } = worlds[2] as (typeof worlds)[number];
    const { rows } = await client.query<{ user_agent_hash: string }>('SELECT user_agent_hash FROM user_agents WHERE user_agent = $1', [
      "agent '2'",
    ]);
    const wanted = (selector: Reclassification['selector']): Reclassification => ({
      span: { from: new Date('2026-11-15T00:00:00Z'), to: new Date('2026-11-19T06:00:00Z') },
      environmentNumber: environment.number,
      selector,
      botReason: 'acme_scanner',
      keptFrom: '2026-10-20',
    });
    for (const selector of [
      { by: 'user_agent' as const, hashes: rows.map(({ user_agent_hash }) => user_agent_hash) },
      { by: 'address' as const, hashes: [Buffer.from('0123456789abcdef', 'hex')] },
    ]) {
      const counted = await postgresClicks.countSelected(database, wanted(selector));
      t.ok(counted.length > 1);
      t.strictSame(await clickHouse.countSelected(database, wanted(selector)), counted);
      const marked = [];
      for await (const day of clickHouse.reclassify(database, wanted(selector))) if (day.clicks > 0) marked.push(day);
      t.strictSame(marked, counted);
      for await (const _ of postgresClicks.reclassify(database, wanted(selector)));
      t.strictSame(await clickHouse.countSelected(database, wanted(selector)), []);
    }
    t.notOk(
      (await summedDays(environment.number)).some((day) => day >= '2026-11-15'),
      'the sums of the days are invalidated',
    );
    const ask = { range: '30d', interval: 'day' } as const;
    const [found, inPostgres] = await both((clickStore) => environmentStats({ database, clickStore }, environment.id, ask, NOW));
    t.strictSame(found, inPostgres);
    const asked = { environmentId: environment.id, query: { breakdown: 'bot_reason' as const }, retentionDays: 90, nowMs: NOW };
    const [reasons, wantedReasons] = await both((clickStore) => queryClicks({ database, clickStore }, asked));
    t.strictSame(reasons, wantedReasons);
  });

  t.test('an erasure deletes the clicks and sums of its environment only', async (t) => {
    const { environment } = worlds[0] as (typeof worlds)[number];
    t.equal(await clickHouse.erase(database, environment.number), CLICKS + LATE_CLICKS);
    t.equal((await countStored(store)).rows, CLICKS * (ZONES.length - 1));
    t.equal(await clickHouse.erase(database, environment.number), 0);
    t.same(await summedDays(environment.number), []);
    const [left] = await store.clickHouse.rows<{ environments: string }>(
      'SELECT uniqExact(environment_number) AS environments FROM click_sums',
    );
    t.equal(Number(left?.environments), ZONES.length - 1);
  });

  t.test('days older than the retention are dropped', async (t) => {
    const [before] = await store.clickHouse.rows<{ days: string }>('SELECT uniqExact(toDate(occurred_at)) AS days FROM clicks');
    const age = Math.floor(Date.now() / DAY_MS) - Math.floor(NOW / DAY_MS);
    await clickHouse.dropOld(database, age + 10);
    const [after] = await store.clickHouse.rows<{ days: string }>('SELECT uniqExact(toDate(occurred_at)) AS days FROM clicks');
    t.ok(Number(before?.days) > 40);
    t.equal(Number(after?.days), 11);
    t.ok((await summedDays(worlds[1]?.environment.number ?? 0)).every((day) => day >= '2026-11-10'));
  });

  t.test('statistics are unavailable while ClickHouse is away', async (t) => {
    const away = new ClickHouse({ url: 'http://127.0.0.1:1', timeoutMs: 1_000, application: 'test' });
    t.teardown(() => away.close());
    const { environment } = worlds[0] as (typeof worlds)[number];
    const clickStore = clickHouseClicks(away);
    const failure = await environmentStats({ database, clickStore }, environment.id, { range: '7d', interval: 'day' }, NOW).catch(
      asRefusal,
    );
    t.match(failure, { code: 'service_unavailable' });
    t.match(await clickStore.health(), [{ part: 'clickhouse', ok: false, reason: /cannot be reached/ }]);
  });

  t.test('health fails if the table of clicks is missing', async (t) => {
    t.same(await clickHouse.health(), [{ part: 'clickhouse', ok: true, reason: '' }]);
    await store.clickHouse.run('RENAME TABLE clicks TO moved');
    t.match(await clickHouse.health(), [{ part: 'clickhouse', ok: false, reason: /clicks/ }]);
    await store.clickHouse.run('DROP TABLE moved');
  });
}
