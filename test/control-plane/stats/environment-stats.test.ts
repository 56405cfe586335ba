import { randomInt } from 'node:crypto';
import t from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { campaignStats } from '../../../control-plane/stats/campaign-stats.js';
import { environmentStats } from '../../../control-plane/stats/environment-stats.js';
import { newId } from '../../../shared/base/ids.js';
import {
  countByHand,
  countLoggedClicks,
  type LoggedClick,
  logClicks,
  loggedClick,
  makeEnvironment,
  makePrefixes,
} from '../../support/click-log.js';
import { openPooledDatabase } from '../../support/open-database.js';
import { insertResourceType } from '../../support/resource-type.js';

const { url, client, database } = await openPooledDatabase(t);

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;

interface Environment {
  readonly id: string;
  readonly number: number;
}

async function makeLink(environment: Environment, path: string): Promise<string> {
  const id = newId('link');
  await client.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at) VALUES ($1, $2, $3, '/', now(), now())`,
    [id, environment.id, path],
  );
  return id;
}

/** Clicks of seven days on three links, one of which has clicks of two campaigns, and on items of two types. */
async function someClicks(environment: Environment) {
  const links = [await makeLink(environment, 'a'), await makeLink(environment, 'b'), newId('link')];
  const types = [
    await insertResourceType(database, environment.id, 'product'),
    await insertResourceType(database, environment.id, 'recipe'),
  ];
  const template = newId('urlTemplate');
  const clicks = Array.from({ length: 1200 }, (): LoggedClick => {
    const at = NOW - randomInt(7 * 24 * HOUR_MS - 12 * HOUR_MS);
    const rest = {
      visitor: Math.floor(at / 86_400_000) * 1000 + randomInt(60),
      bot: randomInt(4) === 0,
      platform: ['ios', 'android', 'desktop', 'other'][randomInt(4)] as string,
      country: randomInt(5) === 0 ? null : `${'ABCDEFGHIJKL'[Math.floor(12 * Math.random() ** 2)]}X`,
      referrer_host: randomInt(3) === 0 ? null : `r${Math.floor(20 * Math.random() ** 2)}.example`,
    };
    if (randomInt(3) === 0)
      return loggedClick(template, at, {
        ...rest,
        resource_type: types[randomInt(2)] as string,
        item: `i${Math.floor(30 * Math.random() ** 2)}`,
      });
    return loggedClick(links[randomInt(3)] as string, at, { ...rest, campaign: [null, 'spring', 'autumn'][randomInt(3)] as string | null });
  });
  await logClicks(client, environment.number, clicks.slice(0, 700));
  await countLoggedClicks(url, NOW);
  await makePrefixes(database, NOW);
  await logClicks(client, environment.number, clicks.slice(700));
  await countLoggedClicks(url, NOW);
  return { clicks, links, types, template };
}

t.test('every figure of an environment equals a separate count of its clicks', async (t) => {
  const environment = await makeEnvironment(client);
  const { clicks, links, types } = await someClicks(environment);
  const stats = await environmentStats({ database, clickStore: postgresClicks }, environment.id, { range: '7d', interval: 'day' }, NOW);
  t.match(stats, { range: '7d', interval: 'day', from: '2026-11-14', to: '2026-11-20', timezone: 'UTC' });
  t.strictSame(stats.totals, countByHand(clicks));
  t.strictSame(
    stats.series.map(({ start, date }) => [start, date]),
    [14, 15, 16, 17, 18, 19, 20].map((day) => [`2026-11-${day}T00:00:00.000Z`, `2026-11-${day}`]),
  );
  for (const { start, date, ...counts } of stats.series)
    t.strictSame(counts, countByHand(clicks.filter(({ at }) => new Date(at).toISOString().startsWith(date))), date);

  const check = (entries: readonly object[], of: (click: LoggedClick) => unknown, name: string, length: number) => {
    t.equal(entries.length, length, name);
    for (const entry of entries) {
      const { [name as never]: value, all, human, unique } = entry as Record<string, number>;
      t.strictSame({ all, human, unique }, countByHand(clicks.filter((click) => of(click) === value)), `${name} ${value}`);
    }
    const people = entries.map((entry) => (entry as { human: number }).human);
    t.strictSame(
      people,
      people.toSorted((a, b) => b - a),
      'entries with most clicks by people come first',
    );
  };
  check(stats.platforms, ({ platform }) => platform, 'platform', 4);
  check(stats.countries, ({ country }) => country, 'country', 10);
  check(stats.referrers, ({ referrer_host }) => referrer_host, 'referrer_host', 10);
  check(stats.campaigns, ({ campaign }) => campaign, 'campaign', 2);
  check(stats.top_links, ({ subject, resource_type }) => (resource_type === null ? subject : null), 'link', 3);
  t.strictSame(Object.fromEntries(stats.top_links.map(({ link, path }) => [link, path])), {
    [links[0] as string]: 'a',
    [links[1] as string]: 'b',
    [links[2] as string]: null,
  });
  const keyOf = ({ resource_type }: LoggedClick) => (resource_type === null ? null : resource_type === types[0] ? 'product' : 'recipe');
  check(stats.types, keyOf, 'resource_type', 2);
  t.equal(stats.top_items.length, 10);
  for (const { resource_type, id, ...counts } of stats.top_items)
    t.strictSame(
      counts,
      countByHand(clicks.filter((click) => keyOf(click) === resource_type && click.item === id)),
      `${resource_type} ${id}`,
    );
  const worst = stats.top_items.at(-1)?.human ?? 0;
  const better = new Set(clicks.filter(({ item, bot }) => item !== null && !bot).map((click) => `${click.resource_type} ${click.item}`));
  const sums = [...better].map((key) => clicks.filter((click) => `${click.resource_type} ${click.item}` === key && !click.bot).length);
  t.ok(sums.filter((sum) => sum > worst).length < 10, 'no omitted item has more clicks');
});

t.test('hours follow the project’s time zone up to now, and each has its own unique visitors', async (t) => {
  const environment = await makeEnvironment(client, 'Asia/Kathmandu');
  const link = newId('link');
  // It is 17:45 in Kathmandu. The visitor of 17:10 returns at 17:20, and was there at 16:30 before.
  await logClicks(client, environment.number, [
    loggedClick(link, '2026-11-19T18:15:00Z', { visitor: 1 }),
    loggedClick(link, '2026-11-20T10:45:00Z', { visitor: 2 }),
    loggedClick(link, '2026-11-20T11:25:00Z', { visitor: 2 }),
    loggedClick(link, '2026-11-20T11:35:00Z', { visitor: 2 }),
    loggedClick(link, '2026-11-19T18:14:59Z', { visitor: 3 }),
  ]);
  await countLoggedClicks(url, NOW);
  const { series, totals, from } = await environmentStats(
    { database, clickStore: postgresClicks },
    environment.id,
    { range: '1d', interval: 'hour' },
    NOW,
  );
  t.equal(from, '2026-11-20');
  t.equal(series.length, 18);
  t.match(series[0], { start: '2026-11-19T18:15:00.000Z', date: '2026-11-20', all: 1, unique: 1 });
  t.match(series[16], { start: '2026-11-20T10:15:00.000Z', all: 1, human: 1, unique: 1 });
  t.match(series[17], { start: '2026-11-20T11:15:00.000Z', all: 2, human: 2, unique: 1 });
  t.strictSame(totals, { all: 4, human: 4, unique: 2 }, 'a visitor in two hours counts once for the day');
});

/**
 * Days on which clocks change: the zone, a time late on that day, the number of its hours, and the starts of hours without sixty
 * minutes.
 */
for (const [zone, now, hours, odd] of [
  ['Europe/Berlin', '2026-10-25T22:30:00Z', 25, []],
  ['Europe/Berlin', '2026-03-29T21:30:00Z', 23, []],
  ['America/St_Johns', '2026-11-02T03:00:00Z', 25, []],
  ['Australia/Lord_Howe', '2026-04-05T13:00:00Z', 25, ['2026-04-04T15:00:00.000Z']],
  ['Australia/Lord_Howe', '2026-10-04T12:30:00Z', 24, ['2026-10-03T15:30:00.000Z']],
] as const)
  t.test(`${zone} on the day of ${now}: every click counts in exactly one hour`, async (t) => {
    const environment = await makeEnvironment(client, zone);
    const link = newId('link');
    const end = Date.parse(now);
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(end);
    const clicks: LoggedClick[] = [];
    for (let at = end - 27 * HOUR_MS; at <= end; at += 900_000) clicks.push(loggedClick(link, at, { visitor: at }));
    await logClicks(client, environment.number, clicks.slice(0, 50));
    await countLoggedClicks(url, end);
    await logClicks(client, environment.number, clicks.slice(50));
    await countLoggedClicks(url, end);
    const { series, totals } = await environmentStats(
      { database, clickStore: postgresClicks },
      environment.id,
      { range: '1d', interval: 'hour' },
      end,
    );
    const expected = clicks.filter(({ at }) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at) === day);
    t.equal(totals.all, expected.length);
    t.equal(series.length, hours);
    for (const [index, { start, all }] of series.entries()) {
      const next = series[index + 1]?.start ?? new Date(end + 1).toISOString();
      t.equal(all, expected.filter(({ at }) => at >= Date.parse(start) && at < Date.parse(next)).length, start);
    }
    t.strictSame(
      series.slice(0, -1).flatMap(({ start, all }) => (all === 4 ? [] : [start])),
      odd,
      'only hours at a clock change do not have sixty minutes',
    );
  });

t.test('a campaign has the clicks that were stored with it', async (t) => {
  const environment = await makeEnvironment(client);
  const { clicks } = await someClicks(environment);
  const campaign = { id: newId('campaign'), key: 'spring', environment_id: environment.id };
  const stats = await campaignStats({ database, clickStore: postgresClicks }, campaign, '7d', NOW);
  const ofCampaign = clicks.filter((click) => click.campaign === 'spring');
  t.match(stats, { campaign: campaign.id, key: 'spring', range: '7d', from: '2026-11-14', to: '2026-11-20', timezone: 'UTC' });
  t.strictSame(stats.totals, countByHand(ofCampaign));
  for (const { date, ...counts } of stats.series)
    t.strictSame(counts, countByHand(ofCampaign.filter(({ at }) => new Date(at).toISOString().startsWith(date))), date);
  for (const { platform, ...counts } of stats.platforms)
    t.strictSame(counts, countByHand(ofCampaign.filter((click) => click.platform === platform)));
  for (const { country, ...counts } of stats.countries)
    t.strictSame(counts, countByHand(ofCampaign.filter((click) => click.country === country)));
  for (const { referrer_host, ...counts } of stats.referrers)
    t.strictSame(counts, countByHand(ofCampaign.filter((click) => click.referrer_host === referrer_host)));
  t.equal(stats.top_links.length, 3);
  for (const { link, path, ...counts } of stats.top_links)
    t.strictSame(counts, countByHand(ofCampaign.filter((click) => click.subject === link)), `${link} ${path}`);
});

t.test('an environment without clicks has zeros for every day, and empty lists', async (t) => {
  const environment = await makeEnvironment(client, 'Europe/Berlin');
  const stats = await environmentStats({ database, clickStore: postgresClicks }, environment.id, { range: '30d', interval: 'day' }, NOW);
  t.equal(stats.series.length, 30);
  t.match(
    stats.series[0],
    { start: '2026-10-21T22:00:00.000Z', date: '2026-10-22', all: 0 },
    'the first day begins at midnight before the clock change',
  );
  t.match(stats.series[29], { start: '2026-11-19T23:00:00.000Z', date: '2026-11-20' });
  t.match(stats, {
    totals: { all: 0 },
    platforms: [],
    countries: [],
    referrers: [],
    campaigns: [],
    types: [],
    top_links: [],
    top_items: [],
  });
});
