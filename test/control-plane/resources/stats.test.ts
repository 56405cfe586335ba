import { randomInt } from 'node:crypto';
import t from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { resourceStats } from '../../../control-plane/resources/stats.js';
import { newId } from '../../../shared/base/ids.js';
import { countLoggedClicks, type LoggedClick, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { openPooledDatabase } from '../../support/open-database.js';
import { insertResourceType, insertTemplate } from '../../support/resource-type.js';

const { url, client, database } = await openPooledDatabase(t);
const source = { database, clickStore: postgresClicks };

interface Environment {
  readonly id: string;
  readonly number: number;
}

interface Item {
  readonly type: string;
  readonly template: string;
}

async function makeType(environment: Environment, key: string): Promise<Item> {
  const type = await insertResourceType(database, environment.id, key);
  const template = await insertTemplate(database, { environmentId: environment.id, resourceTypeId: type, pathPattern: `/${key}/{id}` });
  return { type, template };
}

function seen(of: Item, at: number | string, item: string, rest: Partial<LoggedClick> = {}): LoggedClick {
  return loggedClick(of.template, at, { resource_type: of.type, item, ...rest });
}

/** Stores and counts the clicks, in two halves. */
async function insertClicks(environment: Environment, clicks: readonly LoggedClick[], nowMs: number): Promise<void> {
  const half = Math.floor(clicks.length / 2);
  await logClicks(client, environment.number, clicks.slice(0, half));
  await countLoggedClicks(url, nowMs);
  await logClicks(client, environment.number, clicks.slice(half));
  await countLoggedClicks(url, nowMs);
}

async function insertFigures(type: string, at: string, figures: Readonly<Record<string, number>>): Promise<void> {
  const names = Object.keys(figures);
  await client.query(
    `INSERT INTO metadata_figures (resource_type_id, interval_start, ${names.join(', ')})
     VALUES ($1, $2, ${names.map((_, index) => `$${index + 3}`).join(', ')})`,
    [type, at, ...Object.values(figures)],
  );
}

const NO_PREVIEWS = {
  served: 0,
  from_memory: 0,
  from_database: 0,
  from_negative_cache: 0,
  stale: 0,
  fallback: 0,
  redirected: 0,
  cache_hit_rate: null,
};
const NO_CALLS = {
  calls: 0,
  ok: 0,
  missing: 0,
  errors: 0,
  timeouts: 0,
  invalid: 0,
  breaker_open: 0,
  throttled: 0,
  error_rate: null,
  avg_latency_ms: null,
  p95_bucket: null,
};

t.test('an environment without resource types has an empty list, and a type without clicks has zeros and nulls', async (t) => {
  const environment = await makeEnvironment(client, 'Asia/Kathmandu');
  const now = Date.parse('2026-11-20T18:14:59Z');
  const empty = { range: '7d', from: '2026-11-14', to: '2026-11-20', timezone: 'Asia/Kathmandu', types: [] };
  const { as_of, ...stats } = await resourceStats(source, environment.id, '7d', now);
  t.strictSame(stats, empty);
  t.ok(Date.now() - Date.parse(as_of) < 60_000);
  // 18:15 UTC is midnight in Nepal.
  t.match(await resourceStats(source, environment.id, '30d', now + 1000), { range: '30d', from: '2026-10-23', to: '2026-11-21' });
  await makeType(environment, 'product');
  t.strictSame((await resourceStats(source, environment.id, '7d', now)).types, [
    { resource_type: 'product', clicks: 0, top_items: [], previews: NO_PREVIEWS, metadata_api: NO_CALLS },
  ]);
});

t.test('only clicks by people on items count, by type and item', async (t) => {
  const environment = await makeEnvironment(client);
  const other = await makeEnvironment(client);
  const [product, recipe, archived, silent] = await Promise.all(
    ['product', 'recipe', 'archived', 'silent'].map((key) => makeType(environment, key)),
  );
  const foreign = await makeType(other, 'product');
  if (!product || !recipe || !archived || !silent) throw new Error('four types');
  await client.query(`UPDATE resource_types SET status = 'archived' WHERE id = ANY ($1)`, [[archived.type, silent.type]]);
  const second = await insertTemplate(database, {
    environmentId: environment.id,
    resourceTypeId: product.type,
    pathPattern: '/p/{id}',
    status: 'archived',
  });
  const now = Date.parse('2026-11-20T12:00:00Z');
  const at = '2026-11-18T10:00:00Z';
  await insertClicks(
    environment,
    [
      ...Array.from({ length: 12 }, (_, item) => Array.from({ length: item + 1 }, () => seen(product, at, `item ${item}`))).flat(),
      seen({ ...product, template: second }, at, 'item 0'),
      seen(product, at, 'Item 0'),
      seen(product, at, 'ü/?'),
      ...Array.from({ length: 500 }, () => seen(recipe, at, 'r', { bot: true })),
      seen(recipe, '2026-11-14T00:00:00Z', 'r'),
      seen(recipe, '2026-11-13T23:59:59.999Z', 'r'),
      seen(archived, at, 'a'),
      loggedClick(newId('link'), at),
    ],
    now,
  );
  await insertClicks(other, [seen(foreign, at, 'theirs'), seen(product, at, 'item 0')], now);
  const { types } = await resourceStats(source, environment.id, '7d', now);
  t.strictSame(
    types.map((type) => [type.resource_type, type.clicks]),
    [
      ['product', 78 + 3],
      ['archived', 1],
      ['recipe', 1],
    ],
  );
  t.strictSame(types[0]?.top_items, [...Array.from({ length: 10 }, (_, place) => ({ id: `item ${11 - place}`, clicks: 12 - place }))]);
  t.strictSame(types[2]?.top_items, [{ id: 'r', clicks: 1 }]);
  t.equal((await resourceStats(source, environment.id, '30d', now)).types.find((type) => type.resource_type === 'recipe')?.clicks, 2);
});

t.test('statistics of random clicks equal a separate count', async (t) => {
  const environment = await makeEnvironment(client);
  const types = await Promise.all(['a', 'b', 'c'].map((key) => makeType(environment, key)));
  const now = Date.parse('2026-11-20T12:00:00Z');
  const clicks = Array.from({ length: 2000 }, () =>
    seen(types[randomInt(3)] as Item, now - randomInt(6 * 86_400_000), `i${Math.floor(40 * Math.random() ** 3)}`, {
      bot: randomInt(4) === 0,
    }),
  );
  await insertClicks(environment, clicks, now);
  const stats = await resourceStats(source, environment.id, '7d', now);
  for (const [index, key] of ['a', 'b', 'c'].entries()) {
    const human = clicks.filter((click) => !click.bot && click.resource_type === types[index]?.type);
    const byItem = new Map<string, number>();
    for (const { item } of human) byItem.set(String(item), (byItem.get(String(item)) ?? 0) + 1);
    const top = [...byItem]
      .map(([id, count]) => ({ id, clicks: count }))
      .sort((x, y) => y.clicks - x.clicks || (x.id < y.id ? -1 : 1))
      .slice(0, 10);
    t.match(
      stats.types.find((type) => type.resource_type === key),
      { clicks: human.length, top_items: top },
    );
  }
  t.strictSame(
    stats.types.map((type) => type.clicks),
    stats.types.map((type) => type.clicks).toSorted((x, y) => y - x),
    'types with most clicks come first',
  );
});

/** Zones with clock changes. Some change at midnight, so that a day lacks its first hour or has it twice. */
const CHANGES: [string, string][] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Africa/Cairo', '2026-04-24'],
  ['America/Havana', '2026-11-01'],
  ['Asia/Kathmandu', '2026-05-05'],
];

for (const [zone, change] of CHANGES) {
  t.test(`${zone}, ${change}: clicks and figures count on their local day`, async (t) => {
    const environment = await makeEnvironment(client, zone);
    const product = await makeType(environment, 'product');
    const middle = Date.parse(`${change}T12:00:00Z`);
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
    const clicks: LoggedClick[] = [];
    for (let at = middle - 2 * 86_400_000; at < middle + 2 * 86_400_000; at += 15 * 60_000) {
      clicks.push(seen(product, at, format.format(at)));
      await insertFigures(product.type, new Date(at).toISOString(), { previews_served: 1 });
    }
    await insertClicks(environment, clicks, middle);
    // The range ends so that the change is on its last, a middle or its first day, or just before it.
    for (const daysLater of [0, 3, 6, 7])
      for (const hour of [0, 23]) {
        const now = middle + daysLater * 86_400_000 + (hour - 12) * 3_600_000;
        const stats = await resourceStats(source, environment.id, '7d', now);
        t.equal(stats.to, format.format(now));
        const expected = clicks.filter(({ at }) => format.format(at) >= stats.from && format.format(at) <= stats.to);
        const [type] = stats.types;
        t.equal(type?.clicks, expected.length, `clicks, asked ${new Date(now).toISOString()}`);
        t.equal(type?.previews.served, expected.length, 'figures');
        for (const { id, clicks: count } of type?.top_items ?? []) t.equal(count, expected.filter((click) => click.item === id).length, id);
      }
  });
}

t.test('figures are summed over intervals, and rates and the 95th percentile are computed from the sums', async (t) => {
  const environment = await makeEnvironment(client);
  const { type } = await makeType(environment, 'product');
  const now = Date.parse('2026-11-20T12:00:00Z');
  const half = {
    previews_served: 100,
    previews_from_memory: 60,
    previews_from_database: 10,
    previews_from_negative_cache: 5,
    previews_stale: 3,
    previews_fallback: 4,
    previews_redirected: 1,
    previews_called: 17,
    calls_ok: 12,
    calls_missing: 2,
    calls_error: 1,
    calls_timeout: 2,
    calls_invalid: 3,
    skipped_breaker_open: 6,
    skipped_throttled: 7,
    latency_ms_sum: 3001,
    latency_lt_100: 10,
    latency_lt_300: 9,
    latency_lt_1000: 1,
  };
  await insertFigures(type, '2026-11-20T11:45:00Z', half);
  await insertFigures(type, '2026-11-14T00:00:00Z', half);
  await insertFigures(type, '2026-11-13T23:45:00Z', { previews_served: 1_000_000 });
  const stats = await resourceStats(source, environment.id, '7d', now);
  t.strictSame(stats.types[0]?.previews, {
    served: 200,
    from_memory: 120,
    from_database: 20,
    from_negative_cache: 10,
    stale: 6,
    fallback: 8,
    redirected: 2,
    cache_hit_rate: 0.83,
  });
  t.strictSame(stats.types[0]?.metadata_api, {
    calls: 40,
    ok: 24,
    missing: 4,
    errors: 2,
    timeouts: 4,
    invalid: 6,
    breaker_open: 12,
    throttled: 14,
    error_rate: 0.15,
    avg_latency_ms: 150,
    p95_bucket: 'lt_300',
  });
});

t.test('an interval must begin at a quarter of an hour', async (t) => {
  const environment = await makeEnvironment(client);
  const { type } = await makeType(environment, 'product');
  await t.rejects(insertFigures(type, '2026-11-20T11:44:00Z', { calls_ok: 1 }), { code: '23514' });
});
