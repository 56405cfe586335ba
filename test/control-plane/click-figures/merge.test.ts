import t from 'tap';
import { figureDays } from '../../../control-plane/click-figures/days.js';
import { DIMENSION_NAMES, type Dimension, NO_SUBJECT } from '../../../control-plane/click-figures/dimensions.js';
import { mergeClickBatches, waitingBatches } from '../../../control-plane/click-figures/merge.js';
import { recountDay } from '../../../control-plane/click-figures/recount.js';
import { type FigureSum, readSums } from '../../../control-plane/click-figures/sums.js';
import { readTail } from '../../../control-plane/click-figures/tail.js';
import { readInSnapshot } from '../../../control-plane/click-figures/transaction.js';
import { readStatsWindow } from '../../../control-plane/click-figures/window.js';
import { createPool, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { idToUuid, newId } from '../../../shared/base/ids.js';
import { CLICK_TAIL_CLICKS_MAX } from '../../../shared/base/limits.js';
import { connect, countByHand, killWaiting, type LoggedClick, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import fc from '../../support/properties.js';

const own = await createDatabase();
const client = await connect(own.url);
const pool = createPool(own.url, 4, 'figures-test', () => {});
const database = databaseOf(pool);
t.teardown(async () => {
  await client.end();
  await pool.end();
  await own.drop();
});

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const days = figureDays(NOW, 400);

interface Environment {
  readonly id: string;
  readonly number: number;
}

/** Every figure of the range, by a text that tells dimension, day and group. */
async function readAll(
  environment: Environment,
  nowMs = NOW,
): Promise<ReadonlyMap<string, { all: number; human: number; unique: number }>> {
  const sums = await readInSnapshot(database, async (snapshot) => {
    const window = await readStatsWindow(snapshot, environment.id, 30, nowMs);
    return readSums(snapshot, await readTail(snapshot, nowMs), { scope: { window }, daily: DIMENSION_NAMES, total: [], top: 0 });
  });
  return new Map(sums.map((sum) => [keyOf(sum), { all: sum.all, human: sum.human, unique: sum.unique }]));
}

function keyOf({ dimension, day, subject_id, campaign, value }: Omit<FigureSum, 'all' | 'human' | 'unique'>): string {
  return [dimension, day, subject_id, campaign, value].join('|');
}

/** What the log of clicks comes to, counted in the obvious way. */
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

function keysByHand(click: LoggedClick, hourMs: number): [Dimension, string, string, string][] {
  const country = click.country ?? '';
  const referrer = click.referrer_host ?? '';
  const campaign = click.campaign ?? '';
  const keys: [Dimension, string, string, string][] = [
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

/** Clicks of the last six days, some of them by visitors who come again in every way there is. */
const anyClick = fc
  .record({
    ago: fc.integer({ min: 0, max: 6 * 96 }),
    link: fc.constantFrom(...links, null),
    visitor: fc.integer({ min: 1, max: 5 }),
    bot: fc.boolean(),
    platform: fc.constantFrom('ios', 'android'),
    country: fc.constantFrom('DE', 'FR', null),
    referrer_host: fc.constantFrom('a.example', null),
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

t.test('however clicks are shipped and counted, and however late, every figure is what the log comes to', async (t) => {
  const batches = fc.array(fc.tuple(fc.array(anyClick, { maxLength: 12 }), fc.boolean()), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ZONES), batches, async (zone, steps) => {
      const environment = await makeEnvironment(client, zone);
      for (const [clicks, counted] of steps) {
        await logClicks(client, environment.number, clicks);
        if (counted) while ((await mergeClickBatches(database, days)).batches > 0);
      }
      const expected = figuresByHand(
        steps.flatMap(([clicks]) => clicks),
        zone,
      );
      t.strictSame(sorted(await readAll(environment)), sorted(expected), 'before all is counted');
      while ((await mergeClickBatches(database, days)).batches > 0);
      t.strictSame(await waitingBatches(database), []);
      t.strictSame(sorted(await readAll(environment)), sorted(expected), 'and after');
      for (const day of new Set([...expected.keys()].map((key) => key.split('|')[1] as string)))
        t.equal((await recount(environment, zone, day)).changed, 0, `${day} counted anew is as it was`);
      t.strictSame(sorted(await readAll(environment)), sorted(expected), 'and counted anew from the log');
    }),
    { numRuns: 12 },
  );
});

function recount(environment: Environment, time_zone: string, day: string) {
  return database.transaction((transaction) =>
    recountDay(transaction, { environment_numbers: [environment.number], time_zone, day }, days.openFrom),
  );
}

function sorted(figures: ReadonlyMap<string, unknown>): readonly unknown[] {
  return [...figures].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

t.test('clicks of several environments in one batch count each for its own', async (t) => {
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
  await client.query('DELETE FROM click_batches WHERE batch_id < (SELECT max(batch_id) FROM click_batches)');
  t.equal((await mergeClickBatches(database, days)).batches, 1);
  for (const [index, environment] of environments.entries())
    t.equal(
      [...(await readAll(environment)).values()].every(({ all }) => all === index + 1),
      true,
    );
});

t.test('servers that count at the same time count each batch once', async (t) => {
  const environment = await makeEnvironment(client);
  for (let batch = 0; batch < 20; batch++)
    await logClicks(client, environment.number, [loggedClick(links[0], NOW - 1000, { visitor: batch })]);
  const others = Array.from({ length: 4 }, async () => {
    for (let attempt = 0; attempt < 10; attempt++) await mergeClickBatches(database, days);
  });
  await Promise.all(others);
  t.strictSame(await waitingBatches(database), []);
  const figures = await readAll(environment);
  t.strictSame(figures.get(`total|2026-11-20|${NO_SUBJECT}||`), { all: 20, human: 20, unique: 20 });
});

t.test('a server that dies while it counts has counted nothing', async (t) => {
  const environment = await makeEnvironment(client);
  await logClicks(client, environment.number, [loggedClick(links[0], NOW - 1000)]);
  await mergeClickBatches(database, days);
  await logClicks(client, environment.number, [loggedClick(links[0], NOW - 500)]);
  // The last of its statements waits for this row, and is killed there.
  await client.query("INSERT INTO click_top_windows (environment_number, from_day, until_day) VALUES ($1, '2026-11-01', '2026-11-20')", [
    environment.number,
  ]);
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM click_top_windows WHERE environment_number = $1 FOR UPDATE', [environment.number]);
  const dying = mergeClickBatches(database, days);
  const killed = t.rejects(dying);
  await killWaiting(database, 'click_top_windows');
  await killed;
  await client.query('ROLLBACK');
  t.equal((await waitingBatches(database)).length, 1);
  const expected = { all: 2, human: 2, unique: 1 };
  t.strictSame((await readAll(environment)).get(`total|2026-11-20|${NO_SUBJECT}||`), expected, 'it is read from the log');
  await mergeClickBatches(database, days);
  t.strictSame((await readAll(environment)).get(`total|2026-11-20|${NO_SUBJECT}||`), expected, 'and then counted');
});

t.test('figures older than any range are not kept, and clicks of environments that are gone count for none', async (t) => {
  const environment = await makeEnvironment(client);
  await logClicks(client, environment.number, [loggedClick(links[0], NOW - 40 * DAY_MS)]);
  await logClicks(client, 999_999, [loggedClick(links[0], NOW)]);
  t.equal((await mergeClickBatches(database, days)).batches, 2);
  t.equal(
    (await client.query('SELECT 1 FROM click_figures WHERE environment_number = ANY ($1)', [[environment.number, 999_999]])).rowCount,
    0,
  );
});

t.test('a tail too long to be read is refused, for callers to come back', async (t) => {
  await client.query('INSERT INTO click_batches (clicks, from_at, to_at) VALUES ($1, now(), now())', [CLICK_TAIL_CLICKS_MAX + 1]);
  await t.rejects(
    readInSnapshot(database, (snapshot) => readTail(snapshot, NOW)),
    { code: 'service_unavailable', headers: { 'retry-after': '1' } },
  );
  await client.query('DELETE FROM click_batches');
});
