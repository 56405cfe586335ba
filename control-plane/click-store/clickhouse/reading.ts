import type { Clock } from '../../../shared/base/clock.js';
import {
  type CountedGroup,
  type Grouping,
  type GroupKey,
  itemKey,
  type LogRange,
  type RangeGroupsWanted,
  readLogRange,
} from '../../click-figures/click-groups.js';
import { BREAKDOWN_DIMENSIONS, type Dimension, NO_SUBJECT } from '../../click-figures/dimensions.js';
import type { LinkDay } from '../../click-figures/reading/link-days.js';
import type { FigureScope } from '../../click-figures/reading/selected-figures.js';
import type { FigureSum } from '../../click-figures/reading/sums.js';
import type { TopEntry } from '../../click-figures/reading/top-values.js';
import type { Queryable } from '../../db/database.js';
import { type Period, readPeriods } from '../../local-days/periods.js';
import type { StatsWindow } from '../../local-days/window.js';
import type { ClickReading } from '../click-store.js';
import { FIGURES, sumsByTime, sumsOfFigures, sumsOfGroups } from './click-sums.js';
import {
  type ClickRows,
  conditionSql,
  type DaysSummed,
  FIELDS,
  type GroupsSelected,
  rangeSql,
  type SelectedGroup,
  type SumsRead,
  selectGroups,
  startSql,
  taggedClicks,
  uuidOf,
  Values,
} from './sql.js';
import { type SummedDay, SummedDays } from './summed-days.js';
import { type TagBounds, TagReader } from './tags.js';

/** A shipper inserts once a second. */
const STORED_WITHIN_MS = 2_000;
/** Bytes to count for reading a click, in terms of `LOG_BYTES_MAX`, which allows an export 36 million clicks in one call. */
const CLICK_BYTES = 110;
const NOTHING = `''`;

/** What the results of one call are read from. */
interface Source {
  readonly clickHouse: ClickRows;
  /** PostgreSQL, which computes when the days of projects begin. */
  readonly snapshot: Queryable;
  readonly summedDays: SummedDays;
  readonly tags: TagReader;
}

interface ReadingOptions {
  readonly clock: Clock;
  readonly tagBounds?: TagBounds | undefined;
}

/** Counts the clicks in ClickHouse on every call. For past days it reads their sums instead, if these have what is wanted. */
export function clickHouseReading(clickHouse: ClickRows, snapshot: Queryable, { clock, tagBounds }: ReadingOptions): ClickReading {
  const source: Source = { clickHouse, snapshot, summedDays: new SummedDays(snapshot), tags: new TagReader(snapshot, tagBounds) };
  const sizesOf = async (window: StatsWindow) => readSizes(clickHouse, await readLogRange(snapshot, window));
  return {
    figures: null,
    takesAnySize: true,
    storedWithinMs: STORED_WITHIN_MS,
    asOf: async () => new Date(clock() - STORED_WITHIN_MS).toISOString(),
    sums: async ({ scope, daily, total, top, measure }) => {
      const rows = await openScope(source, scope);
      const series = await Promise.all(
        (await readSeries(snapshot, scope, daily)).map(({ dimension, starts }) => byTime(rows, dimension, starts)),
      );
      const sums = await Promise.all(
        total.map(async (dimension) => (await groupsOf(rows, dimension, top, { measure })).map((group) => sumOf(dimension, group))),
      );
      return [...series, ...sums].flat();
    },
    breakdowns: async (scope, top, dimensions = BREAKDOWN_DIMENSIONS) => {
      const rows = await openScope(source, scope);
      const breakdowns = dimensions.map(async (dimension) =>
        (await groupsOf(rows, dimension, top)).map(({ subject: _, ...group }) => ({ dimension, ...group })),
      );
      return (await Promise.all(breakdowns)).flat();
    },
    topValues: async ({ scope, lists, top }) => {
      const rows = await openScope(source, scope);
      const entries = lists.map(async (dimension) =>
        (await groupsOf(rows, dimension, top, { ofPeople: true })).map((group): TopEntry => ({ ...sumOf(dimension, group), dimension })),
      );
      return (await Promise.all(entries)).flat();
    },
    linkDays: (window, links) => readLinkDays(clickHouse, snapshot, window, links),
    peopleSums: async () => null,
    async groups({ window, conditions, groupings }) {
      const range = await readLogRange(snapshot, window);
      const counted: (readonly CountedGroup[])[] = [];
      for (const grouping of groupings) counted.push(await countGroups(source, { range, conditions, ...grouping }));
      return counted;
    },
    sizes: sizesOf,
    groupSizes: sizesOf,
  };
}

/** What every statement on a scope needs. */
interface ScopeRows {
  readonly clickHouse: ClickRows;
  readonly scope: FigureScope;
  readonly range: LogRange;
  /** Days of the range that have sums. */
  readonly summedDays: readonly SummedDay[];
}

async function openScope({ clickHouse, snapshot, summedDays }: Source, scope: FigureScope): Promise<ScopeRows> {
  const range = await readLogRange(snapshot, scope.window);
  return { clickHouse, scope, range, summedDays: await summedDays.within(range) };
}

/** Returns null if all clicks have to be read. */
function daysSummed(sums: SumsRead | null, days: readonly SummedDay[]): DaysSummed | null {
  return sums === null || days.length === 0 ? null : { sums, days };
}

function scopeSql({ link, campaign }: FigureScope, values: Values): readonly string[] {
  return [
    ...(link === undefined ? [] : [conditionSql({ field: 'link', value: link }, values)]),
    ...(campaign === undefined ? [] : [conditionSql({ field: 'campaign', value: campaign }, values)]),
  ];
}

/** Counts the groups of a dimension over all days. */
function groupsOf(
  { clickHouse, scope, range, summedDays }: ScopeRows,
  dimension: Dimension,
  top: number,
  chosen: Pick<GroupsSelected, 'measure' | 'ofPeople'> = {},
): Promise<readonly SelectedGroup[]> {
  const ofFigures = dimension as Exclude<Dimension, 'hour'>;
  const { subject, value, where } = FIGURES[ofFigures];
  const values = new Values();
  const selected = {
    range,
    summed: daysSummed(sumsOfFigures(scope, ofFigures), summedDays),
    subject,
    value,
    where: [...scopeSql(scope, values), where],
    limit: top === Number.MAX_SAFE_INTEGER ? null : top,
    perSubject: dimension === 'item',
    ...chosen,
  };
  return selectGroups(clickHouse, selected, values);
}

/** Counts the clicks of each day or hour of the scope. */
async function byTime(
  { clickHouse, scope, range, summedDays }: ScopeRows,
  dimension: Dimension,
  starts: readonly Period[],
): Promise<readonly FigureSum[]> {
  const { link, campaign } = scope;
  const summed = daysSummed(sumsByTime(scope, dimension), summedDays);
  const values = new Values();
  const where = [...scopeSql(scope, values), dimension === 'hour' ? 'true' : FIGURES[dimension].where];
  const value = startSql(starts, values);
  const groups = await selectGroups(clickHouse, { range, summed, subject: NOTHING, value, where, limit: null }, values);
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
  const starts = await readPeriods(snapshot, window, 'day');
  const values = new Values();
  const where = [conditionSql({ field: 'link', among: links }, values)];
  const value = startSql(starts, values);
  const groups = await selectGroups(
    clickHouse,
    { range, subject: FIGURES.link.subject, value, where, limit: null, ofPeople: true },
    values,
  );
  const dates = datesOf(starts);
  return groups.map(({ subject, value: start, human }) => ({ subject_id: subject, day: dates.get(start) as string, human }));
}

/** Days by the values of `startSql`. */
function datesOf(starts: readonly Period[]): ReadonlyMap<string, string> {
  return new Map(starts.map(({ start, date }) => [String(start.getTime()), date]));
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

interface Series {
  readonly dimension: Dimension;
  readonly starts: readonly Period[];
}

/** Reads the series one after the other, because they share a connection. */
async function readSeries(snapshot: Queryable, scope: FigureScope, daily: readonly Dimension[]): Promise<readonly Series[]> {
  const series: Series[] = [];
  for (const dimension of daily)
    series.push({ dimension, starts: await readPeriods(snapshot, scope.window, dimension === 'hour' ? 'hour' : 'day') });
  return series;
}

async function countGroups(
  source: Source,
  { range, conditions, key, limit, measure }: Omit<RangeGroupsWanted, 'groupings'> & Grouping,
): Promise<readonly CountedGroup[]> {
  const { clickHouse, tags } = source;
  const values = new Values();
  const resolved = await tags.resolved(conditions);
  const readClicked = async (most: number) => {
    const links = await countGroups(source, { range, conditions, key: { field: 'link' }, limit: most });
    return links.flatMap(({ value }) => value ?? []);
  };
  const starts = typeof key === 'object' && 'starts' in key ? key.starts.map((start) => ({ start: new Date(start) })) : null;
  const days = await source.summedDays.within(range);
  const byHour = starts?.some(({ start: at }) => days.some(({ from, to }) => from < at && at < to)) ?? false;
  const tagged = typeof key === 'object' && 'tagsOf' in key ? taggedClicks(await tags.tagsOf(key, readClicked), values) : null;
  const ofType = key === 'item of type';
  const value = keySql(key, starts ?? [], values);
  const isId = typeof key === 'object' && 'field' in key && (key.field === 'link' || key.field === 'resource_type');
  const selected = {
    range,
    summed: daysSummed(sumsOfGroups(conditions, key, byHour), days),
    subject: ofType ? FIELDS.resource_type : NOTHING,
    value,
    from: tagged?.sql ?? 'clicks',
    where: resolved.map((condition) => conditionSql(condition, values)),
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

/** The expression by which clicks are grouped. For an item of a type it has only the item. */
function keySql(key: GroupKey, starts: readonly { readonly start: Date }[], values: Values): string {
  if (key === 'nothing') return NOTHING;
  if (key === 'item of type') return FIELDS.item;
  if ('field' in key) return FIELDS[key.field];
  return 'tagsOf' in key ? 'tag' : startSql(starts, values);
}

/** Returns the sizes of the environment's own clicks. Those of other environments are stored apart, and are not read. */
async function readSizes(clickHouse: ClickRows, range: LogRange): Promise<readonly { day: string; bytes: number }[]> {
  const values = new Values();
  const rows = await clickHouse.rows<{ day: string; clicks: string }>(
    `SELECT toString(toDate(occurred_at)) AS day, count() AS clicks FROM clicks WHERE ${rangeSql(range, values)} GROUP BY day ORDER BY day DESC`,
    values.values,
  );
  return rows.map(({ day, clicks }) => ({ day, bytes: Number(clicks) * CLICK_BYTES }));
}
