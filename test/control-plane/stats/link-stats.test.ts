import { randomInt } from 'node:crypto';
import t from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { linkStats, linkStatsOf } from '../../../control-plane/stats/link-stats.js';
import { newId } from '../../../shared/base/ids.js';
import { countByHand, countLoggedClicks, type LoggedClick, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { openPooledDatabase } from '../../support/open-database.js';

const { url, client, database } = await openPooledDatabase(t);

/** Stores and counts the clicks, in two halves. */
async function insertClicks(linkId: string, environmentNumber: number, clicks: readonly LoggedClick[], nowMs: number): Promise<void> {
  const half = Math.floor(clicks.length / 2);
  await logClicks(
    client,
    environmentNumber,
    clicks.slice(0, half).map((click) => ({ ...click, subject: linkId })),
  );
  await countLoggedClicks(url, nowMs);
  await logClicks(
    client,
    environmentNumber,
    clicks.slice(half).map((click) => ({ ...click, subject: linkId })),
  );
  await countLoggedClicks(url, nowMs);
}

const seen = (at: number | string, rest: Partial<LoggedClick> = {}) => loggedClick('', at, rest);

t.test('a link without clicks has zeros for every day of the range', async (t) => {
  const environment = await makeEnvironment(client, 'Europe/Berlin');
  const link = { id: newId('link'), environment_id: environment.id };
  const stats = await linkStats({ database, clickStore: postgresClicks }, link, '7d', Date.parse('2026-11-20T12:00:00Z'));
  t.same(stats, {
    link: link.id,
    range: '7d',
    from: '2026-11-14',
    to: '2026-11-20',
    timezone: 'Europe/Berlin',
    as_of: stats.as_of,
    totals: { all: 0, human: 0, unique: 0 },
    series: [14, 15, 16, 17, 18, 19, 20].map((day) => ({ date: `2026-11-${day}`, all: 0, human: 0, unique: 0 })),
    platforms: [],
    countries: [],
    referrers: [],
    imported: { clicks: 0, by_source: [] },
  });
  const month = await linkStats({ database, clickStore: postgresClicks }, link, '30d', Date.parse('2026-03-15T12:00:00Z'));
  t.match(month, { range: '30d', from: '2026-02-14', to: '2026-03-15' });
  t.equal(month.series.length, 30);
});

t.test('clicks of a link are counted as all, human and unique, by day, platform, country and referrer', async (t) => {
  const environment = await makeEnvironment(client);
  const link = { id: newId('link'), environment_id: environment.id };
  const now = Date.parse('2026-11-20T12:00:00Z');
  const countries = ['DE', 'FR', null, 'AT', 'CH', 'IT', 'ES', 'PT', 'NL', 'BE', 'DK', 'SE', 'NO'];
  const clicks = Array.from({ length: 1500 }, () => {
    const at = now - randomInt(7 * 86_400_000 - 12 * 3_600_000);
    return seen(at, {
      // A visitor's hash belongs to one day.
      visitor: Math.floor(at / 86_400_000) * 1000 + randomInt(100),
      bot: randomInt(4) === 0,
      platform: ['ios', 'android', 'desktop', 'other'][randomInt(4)] as string,
      country: countries[Math.floor(countries.length * Math.random() ** 2)] as string | null,
      referrer_host: randomInt(3) === 0 ? null : `r${randomInt(20)}.example`,
    });
  });
  await insertClicks(link.id, environment.number, clicks, now);
  const stats = await linkStats({ database, clickStore: postgresClicks }, link, '7d', now);
  t.same(stats.totals, countByHand(clicks));
  for (const { date, ...counts } of stats.series)
    t.same(counts, countByHand(clicks.filter((click) => new Date(click.at).toISOString().startsWith(date))), date);
  t.equal(stats.platforms.length, 4);
  for (const { platform, ...counts } of stats.platforms)
    t.same(counts, countByHand(clicks.filter((click) => click.platform === platform)), platform);
  t.equal(stats.countries.length, 10);
  for (const { country, ...counts } of stats.countries)
    t.same(counts, countByHand(clicks.filter((click) => click.country === country)), String(country));
  t.equal(stats.referrers.length, 10);
  for (const { referrer_host, ...counts } of stats.referrers)
    t.same(counts, countByHand(clicks.filter((click) => click.referrer_host === referrer_host)), String(referrer_host));
  for (const list of [stats.platforms, stats.countries, stats.referrers])
    t.same(
      list.map((entry) => entry.human),
      list.map((entry) => entry.human).toSorted((a, b) => b - a),
      'entries with most clicks by people come first',
    );
});

/** Zones with clock changes. Some change at midnight, so that a day lacks its first hour or has it twice. */
const CHANGES: [string, string][] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/Los_Angeles', '2026-03-08'],
  ['America/Los_Angeles', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Africa/Cairo', '2026-04-24'],
  ['America/Havana', '2026-03-08'],
  ['America/Havana', '2026-11-01'],
  ['Asia/Beirut', '2026-10-25'],
  ['Asia/Kathmandu', '2026-05-05'],
  ['Pacific/Kiritimati', '2026-05-05'],
];

for (const [zone, change] of CHANGES) {
  t.test(`${zone}, ${change}: every click counts on its local day, wherever in the range the clock change is`, async (t) => {
    const environment = await makeEnvironment(client, zone);
    const link = { id: newId('link'), environment_id: environment.id };
    const middle = Date.parse(`${change}T12:00:00Z`);
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
    const clicks: LoggedClick[] = [];
    for (let at = middle - 2 * 86_400_000; at < middle + 2 * 86_400_000; at += 10 * 60_000) clicks.push(seen(at, { visitor: at / 60_000 }));
    await insertClicks(link.id, environment.number, clicks, middle);
    // The range ends so that the change is on its last, a middle or its first day, or just before it. Each is asked for at two
    // times of day.
    for (const daysLater of [0, 1, 6, 7])
      for (const hour of [0, 23]) {
        const now = middle + daysLater * 86_400_000 + (hour - 12) * 3_600_000;
        const stats = await linkStats({ database, clickStore: postgresClicks }, link, '7d', now);
        if (stats.to !== format.format(now)) t.fail(`today is ${format.format(now)}, not ${stats.to}`);
        const expected = stats.series.map(({ date }) => clicks.filter((click) => format.format(click.at) === date).length);
        t.same(
          stats.series.map((day) => day.all),
          expected,
          `asked ${new Date(now).toISOString()}`,
        );
        t.equal(
          stats.totals.all,
          expected.reduce((sum, count) => sum + count, 0),
        );
      }
  });
}

t.test('clicks of other links, of other environments and outside the range do not count', async (t) => {
  const environment = await makeEnvironment(client);
  const other = await makeEnvironment(client);
  const link = { id: newId('link'), environment_id: environment.id };
  const now = Date.parse('2026-11-20T12:00:00Z');
  await insertClicks(
    link.id,
    environment.number,
    [seen('2026-11-13T23:59:59.999Z'), seen('2026-11-14T00:00:00Z'), seen('2026-11-20T11:00:00Z')],
    now,
  );
  await insertClicks(newId('link'), environment.number, [seen(now)], now);
  await insertClicks(link.id, other.number, [seen(now)], now);
  t.match((await linkStats({ database, clickStore: postgresClicks }, link, '7d', now)).totals, { all: 2 });
});

t.test('the answer does not depend on the order of the rows', async (t) => {
  const window = {
    environment_number: 1,
    time_zone: 'UTC',
    from: '2026-02-27',
    to: '2026-03-02',
    from_at: new Date(0),
    to_at: new Date(0),
  };
  const sum = { subject_id: '', campaign: '', value: '' };
  const stats = linkStatsOf(
    { linkId: 'lnk_x', range: '7d', window, asOf: '2026-03-02T12:00:00.000Z', imported: [] },
    [
      { ...sum, dimension: 'link', day: '2026-03-01', all: 3, human: 2, unique: 1 },
      { ...sum, dimension: 'link', day: '2026-02-28', all: 2, human: 2, unique: 2 },
    ],
    [{ dimension: 'country', value: '', all: 3, human: 2, unique: 1 }],
  );
  t.same(
    stats.series.map((day) => [day.date, day.all]),
    [
      ['2026-02-27', 0],
      ['2026-02-28', 2],
      ['2026-03-01', 3],
      ['2026-03-02', 0],
    ],
  );
  t.same(stats.totals, { all: 5, human: 4, unique: 3 }, 'the total is the sum of the days');
  t.same(stats.countries, [{ country: null, all: 3, human: 2, unique: 1 }]);
});
