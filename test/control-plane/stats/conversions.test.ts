import { randomInt } from 'node:crypto';
import t from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { queryConversions } from '../../../control-plane/stats/conversions.js';
import { MATCH_TYPES } from '../../../shared/attribution/outcome.js';
import { newId } from '../../../shared/base/ids.js';
import type { ConversionsQuery } from '../../../shared/contract/schemas/conversions.js';
import { countLoggedClicks, type LoggedClick, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { openPooledDatabase } from '../../support/open-database.js';
import { insertResourceType } from '../../support/resource-type.js';

const { url, client, database } = await openPooledDatabase(t);

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });
const one = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;
const links = [newId('link'), newId('link'), newId('link')];
const template = newId('urlTemplate');
const environment = await makeEnvironment(client, 'Europe/Berlin');
const other = await makeEnvironment(client, 'Europe/Berlin');
const KEPT = { clicks: 90, events: 90, installs: 90 };
const ask = (query: ConversionsQuery, environmentId = environment.id, keptDays = KEPT) =>
  queryConversions({ database, clickStore: postgresClicks }, { environmentId, query, keptDays, nowMs: NOW });

interface Done {
  readonly at: number;
  readonly what: 'install' | 'open' | 'event';
  readonly link: string | null;
  readonly campaign: string | null;
  /** The item, with its type given by its key. */
  readonly item: TypedItem | null;
  readonly match_type: string | null;
  readonly name: string;
  readonly currency: string | null;
  readonly cents: number;
}

interface TypedItem {
  readonly type: string;
  readonly item: string;
}

const types = new Map([
  ['product', await insertResourceType(database, environment.id, 'product')],
  ['shop', await insertResourceType(database, environment.id, 'shop')],
]);
// The two types share some item ids.
const items: readonly TypedItem[] = [...types.keys()].flatMap((type) => ['1', '2', type].map((item) => ({ type, item })));

/** A random subject of a click: an unknown one, a link, or an item. */
function subjectOf(kind: 'none' | 'link' | 'item'): Pick<Done, 'link' | 'campaign' | 'item'> {
  if (kind === 'none') return { link: null, campaign: null, item: null };
  return kind === 'item'
    ? { link: null, campaign: null, item: one(items) }
    : { link: one([...links, null]), campaign: one(['spring', 'autumn', null]), item: null };
}

const done = Array.from({ length: 3000 }, (): Done => {
  const kind = one(['none', 'link', 'link', 'item', 'item'] as const);
  return {
    ...subjectOf(kind),
    at: NOW - randomInt(40 * DAY_MS),
    what: one(['install', 'open', 'event']),
    match_type: kind === 'none' ? null : one(MATCH_TYPES),
    name: one(['buy', 'sign up']),
    currency: one(['EUR', 'JPY']),
    cents: randomInt(10_000),
  };
});
const clicks = Array.from({ length: 2000 }, (): LoggedClick => {
  const at = NOW - randomInt(40 * DAY_MS);
  const seen = { bot: randomInt(3) === 0, visitor: randomInt(1000) };
  if (randomInt(2) === 0) return loggedClick(one(links), at, { ...seen, campaign: one(['spring', 'autumn', null]) });
  const { type, item } = one(items);
  return loggedClick(template, at, { ...seen, resource_type: types.get(type) as string, item });
});

async function store({ id, number }: { id: string; number: number }): Promise<void> {
  const rows = (what: Done['what']) => done.filter((each) => each.what === what);
  const at = (each: Done) => new Date(each.at).toISOString();
  await client.query(`SELECT ensure_day_partition(parent, day::date) FROM unnest(ARRAY['tracked_events', 'app_opens']) AS parent,
    generate_series('2026-10-01'::date, '2026-11-21'::date, interval '1 day') AS day`);
  for (const [index, each] of rows('install').entries())
    await client.query(
      `INSERT INTO installs (environment_id, install_id, opened_at, platform, attribution, match_type, reason, answer)
       VALUES ($1, $2, $3, 'ios', $4, $5, 'matched', $6)`,
      [
        id,
        `i${index}`,
        at(each),
        each.match_type === null ? 'organic' : 'attributed',
        each.match_type,
        JSON.stringify({
          link: each.link === null && each.campaign === null ? null : { id: each.link, campaign: each.campaign },
          resource: each.item === null ? null : { resource_type: each.item.type, id: each.item.item, template_id: template },
        }),
      ],
    );
  for (const each of rows('open'))
    await client.query(
      `INSERT INTO app_opens (id, created_at, environment_id, install_id, link_id, campaign, resource_type, item_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [newId('event'), at(each), id, 'i', each.link, each.campaign, each.item?.type, each.item?.item],
    );
  // Stored up to two days after they happened, as a nightly job would do.
  for (const each of rows('event'))
    await client.query(
      `INSERT INTO tracked_events (id, created_at, environment_id, source, name, value, currency, occurred_at, link_id, campaign, resource_type, item_id)
       VALUES ($1, least($2::timestamptz + interval '2 days', '2026-11-20T12:00:00Z'), $3, 'server', $4, $5, $6, $2, $7, $8, $9, $10)`,
      [
        newId('event'),
        at(each),
        id,
        each.name,
        each.cents / 100,
        each.currency,
        each.link,
        each.campaign,
        each.item?.type,
        each.item?.item,
      ],
    );
  await logClicks(client, number, clicks);
}
await store(environment);
await store(other);
await client.query(
  `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at) VALUES ($1, $2, 'first', '/', now(), now())`,
  [links[0], environment.id],
);
await countLoggedClicks(url, NOW);

/** The link, campaign and item of a conversion or a click. */
type Subject = Pick<Done, 'link' | 'campaign' | 'item'>;

function clickedOn(click: LoggedClick): Subject {
  const type = [...types].find(([, id]) => id === click.resource_type)?.[0];
  return type === undefined
    ? { link: click.subject, campaign: click.campaign, item: null }
    : { link: null, campaign: null, item: { type, item: click.item as string } };
}

/** Computes the same figures in another way. */
function byHand(from: string, to: string, lets: (each: Subject) => boolean) {
  const within = (at: number) => berlin.format(at) >= from && berlin.format(at) <= to;
  const through = done.filter((each) => within(each.at) && lets(each));
  const reached = (some: readonly Done[]) => {
    const events = some.filter(({ what }) => what === 'event');
    return {
      installs: some.filter(({ what, match_type }) => what === 'install' && match_type !== null).length,
      opens: some.filter(({ what }) => what === 'open').length,
      events: events.length,
      values: [...new Set(events.map(({ currency }) => currency))].toSorted().map((currency) => ({
        currency,
        sum: events.reduce((sum, each) => (each.currency === currency ? sum + each.cents : sum), 0) / 100,
      })),
    };
  };
  const people = clicks.flatMap((click) => (within(click.at) && !click.bot && lets(clickedOn(click)) ? [clickedOn(click)] : []));
  return { through, reached, people };
}

const FILTERS: readonly Pick<ConversionsQuery, 'link' | 'campaign' | 'resource_type' | 'item'>[] = [
  {},
  { link: links[0] as string },
  { campaign: 'spring' },
  { link: links[1] as string, campaign: 'autumn' },
  { link: newId('link') },
  { resource_type: 'product' },
  { resource_type: 'shop', item: '1' },
  { item: '1' },
  { item: 'product', resource_type: 'shop' },
  { resource_type: 'none' },
  { campaign: 'spring', item: '1' },
];

t.test('conversions equal a separate count, from sums and from the log', async (t) => {
  for (const [from, to] of [
    ['2026-11-01', '2026-11-19'],
    ['2026-10-12', '2026-11-15'],
  ] as const)
    for (const filter of FILTERS) {
      const lets = ({ link, campaign, item }: Subject) =>
        (filter.link === undefined || link === filter.link) &&
        (filter.campaign === undefined || campaign === filter.campaign) &&
        (filter.resource_type === undefined || item?.type === filter.resource_type) &&
        (filter.item === undefined || item?.item === filter.item);
      const { through, reached, people } = byHand(from, to, lets);
      const answer = await ask({ ...filter, from, to });
      const organic = through.filter(({ what, match_type }) => what === 'install' && match_type === null).length;
      t.same(answer.totals, { clicks: people.length, ...reached(through), organic_installs: organic }, `${from} ${JSON.stringify(filter)}`);
      t.same(
        answer.match_types,
        MATCH_TYPES.map((type) => ({
          match_type: type,
          installs: through.filter((each) => each.what === 'install' && each.match_type === type).length,
        })),
      );
      const led = through.filter(({ what, match_type }) => what !== 'install' || match_type !== null);
      for (const { link, path, clicks, ...rest } of answer.links) {
        t.same(rest, reached(led.filter((each) => each.link === link)), `link ${link}`);
        t.equal(clicks, link === null ? null : people.filter((click) => click.link === link).length);
        t.equal(path, link === links[0] ? 'first' : null);
      }
      for (const { campaign, clicks, ...rest } of answer.campaigns) {
        t.same(rest, reached(led.filter((each) => each.campaign === campaign)), `campaign ${campaign}`);
        t.equal(clicks, campaign === null ? null : people.filter((click) => click.campaign === campaign).length);
      }
      const ofItems = filter.resource_type !== undefined || filter.item !== undefined;
      t.same(new Set(answer.links.map(({ link }) => link)), new Set(ofItems ? [] : led.map(({ link }) => link)));
      t.same(new Set(answer.campaigns.map(({ campaign }) => campaign)), new Set(ofItems ? [] : led.map(({ campaign }) => campaign)));
      for (const { resource_type, clicks, ...rest } of answer.resource_types) {
        t.same(rest, reached(led.filter(({ item }) => item?.type === resource_type)), `type ${resource_type}`);
        t.equal(clicks, people.filter(({ item }) => item?.type === resource_type).length);
      }
      t.same(new Set(answer.resource_types.map((row) => row.resource_type)), new Set(led.flatMap(({ item }) => item?.type ?? [])));
      for (const { resource_type, item, clicks, ...rest } of answer.items) {
        const isIt = (each: Subject) => each.item?.type === resource_type && each.item.item === item;
        t.same(rest, reached(led.filter(isIt)), `item ${item} of ${resource_type}`);
        t.equal(clicks, people.filter(isIt).length);
      }
      const name = ({ type, item }: TypedItem) => `${type} ${item}`;
      t.same(
        answer.items.map(({ resource_type, item }) => name({ type: resource_type, item })).toSorted(),
        [...new Set(led.flatMap(({ item }) => (item === null ? [] : [name(item)])))].toSorted(),
      );
      for (const { name, count, values } of answer.events) {
        const { events, values: expected } = reached(through.filter((each) => each.name === name));
        t.same([count, values], [events, expected], name);
      }
    }
});

t.test('lists have at most the requested entries, with most installations first', async (t) => {
  const { links: all } = await ask({ from: '2026-11-01', to: '2026-11-19' });
  const { links: two, events, items } = await ask({ from: '2026-11-01', to: '2026-11-19', limit: 2 });
  t.equal(two.length, 2);
  t.equal(events.length, 2);
  t.equal(items.length, 2);
  t.same(two, all.slice(0, 2));
  t.same(
    all.map(({ installs }) => installs),
    all.map(({ installs }) => installs).toSorted((a, b) => b - a),
  );
});

t.test('sums of values have all digits that a JSON number can have, whatever is added in whichever order', async (t) => {
  const values: Readonly<Record<string, readonly [values: readonly number[], sum: number]>> = {
    VND: [[1234567890123456], 1234567890123456],
    EUR: [[Number.MAX_SAFE_INTEGER], Number.MAX_SAFE_INTEGER],
    SEK: [[99_999_999_999_999.98], 99_999_999_999_999.98],
    USD: [[3.5, 1e17, -1e17], 3.5],
    GBP: [[1e17, -1e17, 3.5], 3.5],
    CHF: [[49.99, 1e300, -1e300], 49.99],
    NOK: [Array.from({ length: 1000 }, () => 999_999.01), 999_999_010],
    JPY: [[0.1, 0.2, 1_000_000.7], 1_000_001],
  };
  const { id } = await makeEnvironment(client, 'UTC');
  for (const [currency, [all]] of Object.entries(values))
    await client.query(
      `INSERT INTO tracked_events (id, created_at, environment_id, source, name, value, currency, occurred_at)
       SELECT 'evt_' || $3 || place, '2026-11-19T12:00:00Z', $1, 'server', 'sold', value, $3, '2026-11-19T12:00:00Z'
       FROM unnest($2::float8[]) WITH ORDINALITY AS given (value, place)`,
      [id, all, currency],
    );
  const { totals } = await ask({ from: '2026-11-19', to: '2026-11-19' }, id);
  for (const [currency, [, sum]] of Object.entries(values))
    t.equal(totals.values.find((each) => each.currency === currency)?.sum, sum, currency);
});

t.test('days in the future and days that are no longer kept are refused', async (t) => {
  await t.rejects(ask({ from: '2026-11-21' }), { errors: [{ pointer: '/from', code: 'invalid_range' }] });
  await t.rejects(ask({ from: '2026-01-01' }), { errors: [{ pointer: '/from', code: 'invalid_range' }] });
  t.match(await ask({}), { from: '2026-10-22', to: '2026-11-20', timezone: 'Europe/Berlin' });
  // The day of 15 November in Berlin begins on the 14th in UTC, of which nothing is kept.
  t.match(await ask({}, environment.id, { ...KEPT, clicks: 5 }), { from: '2026-11-16', to: '2026-11-20' });
});

t.test('a day is refused if any kind of its data is no longer kept in full', async (t) => {
  const refused = (keptDays: Partial<typeof KEPT>, from: string, detail: RegExp) =>
    t.rejects(ask({ from }, environment.id, { ...KEPT, ...keptDays }), { errors: [{ pointer: '/from', code: 'invalid_range', detail }] });
  // 11 November in Berlin begins on the 10th in UTC.
  await refused({ events: 10 }, '2026-11-10', /before 2026-11-11: opens and events are kept for 10 days/);
  await refused({ installs: 10 }, '2026-11-10', /before 2026-11-11: installations are kept for 10 days/);
  await refused({ clicks: 10 }, '2026-11-10', /before 2026-11-11: clicks are kept for 10 days/);
  t.match(await ask({ from: '2026-11-11' }, environment.id, { clicks: 10, events: 10, installs: 10 }), { from: '2026-11-11' });
});
