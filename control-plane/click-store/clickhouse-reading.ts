import type { LinkDay } from '../click-figures/daily-link-clicks.js';
import { BREAKDOWN_DIMENSIONS, type Dimension, NO_SUBJECT } from '../click-figures/dimensions.js';
import {
  type CountedGroup,
  type Grouping,
  type GroupKey,
  type GroupsWanted,
  itemKey,
  type LogRange,
  readLogRange,
} from '../click-figures/log-query.js';
import type { FigureScope } from '../click-figures/reading.js';
import type { FigureSum } from '../click-figures/sums.js';
import type { TopEntry } from '../click-figures/top-values.js';
import type { StatsWindow } from '../click-figures/window.js';
import type { Queryable } from '../db/database.js';
import type { ClickReading } from './click-store.js';
import {
  type ClickRows,
  conditionSql,
  FIELDS,
  type GroupsSelected,
  rangeSql,
  type SelectedGroup,
  selectGroups,
  taggedClicks,
  uuidOf,
  Values,
} from './clickhouse-sql.js';
import { type TagBounds, TagReader } from './clickhouse-tags.js';

/** A shipper inserts once a second. */
const STORED_WITHIN_MS = 2_000;
/** What a click of an environment costs to read, as `LOG_BYTES_MAX` counts: of exports, 36 million in one call. */
const CLICK_BYTES = 110;
const NOTHING = `''`;

/** What a dimension of the figures is of, as expressions over the columns. */
const DIMENSIONS: Readonly<Record<Exclude<Dimension, 'hour'>, { subject: string; value: string; where: string }>> = {
  total: { subject: NOTHING, value: NOTHING, where: 'true' },
  platform: { subject: NOTHING, value: 'platform', where: 'true' },
  country: { subject: NOTHING, value: 'country', where: 'true' },
  referrer: { subject: NOTHING, value: 'referrer_host', where: 'true' },
  campaign: { subject: NOTHING, value: 'campaign', where: `campaign <> ''` },
  link: { subject: 'lower(hex(subject_id))', value: NOTHING, where: `kind = 'link'` },
  type: { subject: 'lower(hex(resource_type_id))', value: NOTHING, where: `kind = 'template'` },
  item: { subject: 'lower(hex(resource_type_id))', value: 'item_id', where: `kind = 'template'` },
  campaign_link: { subject: 'lower(hex(subject_id))', value: NOTHING, where: `kind = 'link' AND campaign <> ''` },
};

/** The clicks of ClickHouse, counted when they are asked for. `snapshot` knows when the days of projects begin. */
export function clickHouseReading(clickHouse: ClickRows, snapshot: Queryable, tagBounds?: TagBounds): ClickReading {
  const tags = new TagReader(snapshot, tagBounds);
  return {
    keepsSums: false,
    takesAnySize: true,
    storedWithinMs: STORED_WITHIN_MS,
    asOf: async () => new Date(Date.now() - STORED_WITHIN_MS).toISOString(),
    sums: async ({ scope, daily, total, top, measure }) => {
      const rows = await openScope(clickHouse, snapshot, scope);
      const series = await Promise.all(
        (await readSeries(snapshot, scope, daily)).map(({ dimension, starts }) => byTime(rows, dimension, starts)),
      );
      const sums = await Promise.all(
        total.map(async (dimension) => (await groupsOf(rows, dimension, top, { measure })).map((group) => sumOf(dimension, group))),
      );
      return [...series, ...sums].flat();
    },
    // It keeps none.
    hasTooManySums: async () => false,
    dayGroups: async () => new Map(),
    breakdowns: async (scope, top, dimensions = BREAKDOWN_DIMENSIONS) => {
      const rows = await openScope(clickHouse, snapshot, scope);
      const breakdowns = dimensions.map(async (dimension) =>
        (await groupsOf(rows, dimension, top)).map(({ subject: _, ...group }) => ({ dimension, ...group })),
      );
      return (await Promise.all(breakdowns)).flat();
    },
    topValues: async ({ scope, lists, top }) => {
      const rows = await openScope(clickHouse, snapshot, scope);
      const entries = lists.map(async (dimension) =>
        (await groupsOf(rows, dimension, top, { ofPeople: true })).map((group): TopEntry => ({ ...sumOf(dimension, group), dimension })),
      );
      return (await Promise.all(entries)).flat();
    },
    linkDays: (window, links) => readLinkDays(clickHouse, snapshot, window, links),
    peopleSums: async () => null,
    async groups({ groupings, ...among }) {
      const counted: (readonly CountedGroup[])[] = [];
      for (const grouping of groupings) counted.push(await countGroups(clickHouse, tags, { ...among, ...grouping }));
      return counted;
    },
    sizes: (range) => readSizes(clickHouse, range),
  };
}

/** The rows of a scope: what every statement on them begins with. */
interface ScopeRows {
  readonly clickHouse: ClickRows;
  readonly scope: FigureScope;
  readonly range: LogRange;
}

async function openScope(clickHouse: ClickRows, snapshot: Queryable, scope: FigureScope): Promise<ScopeRows> {
  return { clickHouse, scope, range: await readLogRange(snapshot, scope.window) };
}

function scopeSql({ scope: { link, campaign }, range }: ScopeRows, values: Values): string {
  return [
    rangeSql(range, values),
    ...(link === undefined ? [] : [conditionSql({ field: 'link', value: link }, values)]),
    ...(campaign === undefined ? [] : [conditionSql({ field: 'campaign', value: campaign }, values)]),
  ].join(' AND ');
}

/** Groups of a dimension over all days. */
function groupsOf(
  rows: ScopeRows,
  dimension: Dimension,
  top: number,
  chosen: Pick<GroupsSelected, 'measure' | 'ofPeople'> = {},
): Promise<readonly SelectedGroup[]> {
  const { subject, value, where } = DIMENSIONS[dimension as Exclude<Dimension, 'hour'>];
  const values = new Values();
  const conditions = [scopeSql(rows, values), where];
  const limit = top === Number.MAX_SAFE_INTEGER ? null : top;
  return selectGroups(rows.clickHouse, { subject, value, where: conditions, limit, perSubject: dimension === 'item', ...chosen }, values);
}

/** The clicks of each day or hour of the scope. */
async function byTime(rows: ScopeRows, dimension: Dimension, starts: readonly Start[]): Promise<readonly FigureSum[]> {
  const { link, campaign } = rows.scope;
  const values = new Values();
  const where = [scopeSql(rows, values), dimension === 'hour' ? 'true' : DIMENSIONS[dimension].where];
  const value = startSql(starts, values);
  const groups = await selectGroups(rows.clickHouse, { subject: NOTHING, value, where, limit: null }, values);
  const dates = datesOf(starts);
  return groups.map(({ value: start, subject: _, ...counts }) => ({
    dimension,
    day: dates.get(start) ?? null,
    subject_id: link ?? NO_SUBJECT,
    campaign: campaign ?? '',
    value: dimension === 'hour' ? String(Number(start) / 1000) : '',
    ...counts,
  }));
}

async function readLinkDays(
  clickHouse: ClickRows,
  snapshot: Queryable,
  window: StatsWindow,
  links: readonly string[],
): Promise<readonly LinkDay[]> {
  const range = await readLogRange(snapshot, window);
  const starts = await readStarts(snapshot, window, false);
  const values = new Values();
  const where = [rangeSql(range, values), conditionSql({ field: 'link', among: links }, values)];
  const value = startSql(starts, values);
  const groups = await selectGroups(clickHouse, { subject: DIMENSIONS.link.subject, value, where, limit: null, ofPeople: true }, values);
  const dates = datesOf(starts);
  return groups.map(({ subject, value: start, human }) => ({ subject_id: subject, day: dates.get(start) as string, human }));
}

function sumOf(dimension: Dimension, { subject, value, ...counts }: SelectedGroup): FigureSum {
  const isCampaign = dimension === 'campaign';
  return {
    dimension,
    day: null,
    subject_id: subject === '' ? NO_SUBJECT : subject,
    campaign: isCampaign ? value : '',
    value: isCampaign ? '' : value,
    ...counts,
  };
}

/** The last of the instants that is not after the click, in milliseconds. */
function startSql(starts: readonly { readonly start: Date }[], values: Values): string {
  const startsMs = starts.map(({ start }) => start.getTime());
  return `roundDown(toUnixTimestamp64Milli(occurred_at), ${values.add('Array(Int64)', startsMs)})`;
}

/** Days by the instants that `startSql` finds. */
function datesOf(starts: readonly Start[]): ReadonlyMap<string, string> {
  return new Map(starts.map(({ start, date }) => [String(start.getTime()), date]));
}

interface Start {
  readonly start: Date;
  readonly date: string;
}

interface Series {
  readonly dimension: Dimension;
  readonly starts: readonly Start[];
}

/** One after the other: they share a connection. */
async function readSeries(snapshot: Queryable, scope: FigureScope, daily: readonly Dimension[]): Promise<readonly Series[]> {
  const series: Series[] = [];
  for (const dimension of daily) series.push({ dimension, starts: await readStarts(snapshot, scope.window, dimension === 'hour') });
  return series;
}

/** When the days of the scope begin, or their hours, with those that are still to come. */
async function readStarts(snapshot: Queryable, window: StatsWindow, hours: boolean): Promise<readonly Start[]> {
  const { rows } = await snapshot.query<Start>({
    name: 'read_starts',
    text: `
      SELECT min(slot_at) AS start, day::text AS date FROM local_slots($1, $2, $3)
      WHERE day BETWEEN $4::date AND $5::date
      GROUP BY day, CASE WHEN $6::boolean THEN hour_at END
      ORDER BY start`,
    values: [window.from_at, window.to_at, window.time_zone, window.from, window.to, hours],
  });
  return rows;
}

async function countGroups(
  clickHouse: ClickRows,
  tags: TagReader,
  { range, conditions, key, limit, measure }: Omit<GroupsWanted, 'groupings'> & Grouping,
): Promise<readonly CountedGroup[]> {
  const values = new Values();
  const resolved = await tags.resolved(conditions);
  const where = [rangeSql(range, values), ...resolved.map((condition) => conditionSql(condition, values))];
  const readClicked = async (most: number) => {
    const links = await countGroups(clickHouse, tags, { range, conditions, key: { field: 'link' }, limit: most });
    return links.flatMap(({ value }) => value ?? []);
  };
  const starts = typeof key === 'object' && 'starts' in key ? key.starts.map((start) => ({ start: new Date(start) })) : null;
  const tagged = typeof key === 'object' && 'tagsOf' in key ? taggedClicks(await tags.tagsOf(key, readClicked), values) : null;
  const ofType = key === 'item of type';
  const value = keySql(key, starts ?? [], values);
  const isId = typeof key === 'object' && 'field' in key && (key.field === 'link' || key.field === 'resource_type');
  const selected = {
    subject: ofType ? FIELDS.resource_type : NOTHING,
    value,
    from: tagged?.sql ?? 'clicks',
    where,
    limit: limit === Number.MAX_SAFE_INTEGER ? null : limit,
    measure,
    noneLast: true,
  };
  const groups = await selectGroups(clickHouse, selected, values);
  return groups.map(({ subject, value: found, ...counts }) => {
    if (ofType) return { value: subject === '' ? null : itemKey({ type: subject, item: found }), ...counts };
    if (starts !== null) return { value: String(starts.findIndex(({ start }) => start.getTime() === Number(found)) + 1), ...counts };
    if (found === '' && key !== 'nothing') return { value: null, ...counts };
    return { value: isId ? uuidOf(found) : (tagged?.nameOf(found) ?? found), ...counts };
  });
}

/** What tells the groups apart; of an item of a type what its type does not. */
function keySql(key: GroupKey, starts: readonly { readonly start: Date }[], values: Values): string {
  if (key === 'nothing') return NOTHING;
  if (key === 'item of type') return FIELDS.item;
  if ('field' in key) return FIELDS[key.field];
  return 'tagsOf' in key ? 'tag' : startSql(starts, values);
}

/** Of the environment's own clicks: those of others lie elsewhere, and are not read. */
async function readSizes(clickHouse: ClickRows, range: LogRange): Promise<readonly { day: string; bytes: number }[]> {
  const values = new Values();
  const rows = await clickHouse.rows<{ day: string; clicks: string }>(
    `SELECT toString(toDate(occurred_at)) AS day, count() AS clicks FROM clicks WHERE ${rangeSql(range, values)} GROUP BY day ORDER BY day DESC`,
    values.values,
  );
  return rows.map(({ day, clicks }) => ({ day, bytes: Number(clicks) * CLICK_BYTES }));
}
