import { dayBefore } from '../../shared/base/day-ranges.js';
import { groupBy } from '../../shared/base/group-by.js';
import {
  BREAKDOWN_LIMIT_DEFAULT,
  type ClickDimension,
  type ClickInterval,
  type ClicksAnswer,
  type ClicksQuery,
} from '../../shared/contract/schemas/clicks-query.js';
import { type ClickCondition, type CountedGroup, type Grouping, type GroupKey, typedItem } from '../click-figures/click-groups.js';
import { addCounts, type ClickCounts, countsOf, NO_CLICKS } from '../click-figures/counts.js';
import { hasFigures } from '../click-figures/kept-days.js';
import type { FigureScope } from '../click-figures/reading/selected-figures.js';
import type { FieldValue } from '../click-figures/reading/value-days.js';
import type { Queryable } from '../db/database.js';
import { readPeriods } from '../local-days/periods.js';
import { daysOf, readWindow, type StatsWindow, shownDays } from '../local-days/window.js';
import { readClickFilters, shownValue } from './click-filters.js';
import { checkLogSize, countInTime } from './log-bounds.js';
import { readLinkPaths, readTypeKeys } from './names.js';
import { checkDaysBefore, readWindowAsked } from './query-days.js';
import { seriesOf } from './series.js';
import { asOfLog, readStatistics, type StatsReading, type StatsSource } from './source.js';
import { summedGroups } from './summed-groups.js';

export const CLICKS_DAYS_DEFAULT = 7;

interface Asked {
  readonly environmentId: string;
  readonly query: ClicksQuery;
  /** CLICK_RETENTION_DAYS. */
  readonly retentionDays: number;
  readonly nowMs: number;
}

/** Counts the clicks of the environment that match the filters of the query. */
export function queryClicks(source: StatsSource, asked: Asked): Promise<ClicksAnswer> {
  const { environmentId, query, nowMs } = asked;
  return readStatistics(source, async (snapshot, clicks) => {
    const window = await readWindowAsked(snapshot, environmentId, CLICKS_DAYS_DEFAULT, asked);
    const from: StatsReading = { snapshot, clicks };
    const filters = await readClickFilters(snapshot, environmentId, query);
    const subject = summedSubject(filters, query);
    const { breakdown, limit = BREAKDOWN_LIMIT_DEFAULT, measure = 'human' } = query;
    const rest = { limit, measure, query, nowMs };
    const groups =
      breakdown !== undefined && subject !== null && hasFigures(window.from, nowMs)
        ? await summedGroups(from, { scope: { window, ...subject }, field: breakdown, key: keyOf(environmentId, breakdown), ...rest })
        : null;
    const inSums = breakdown === undefined || groups !== null ? subject : null;
    const value = breakdown !== undefined || inSums !== null || query.interval === 'hour' ? null : onlyValue(filters);
    const before = query.compare === true ? await readWindow(snapshot, environmentId, daysBefore(window), nowMs) : null;
    if (before !== null) checkDaysBefore(before, asked);
    const isCounted = clicks.figures !== null || inSums !== null;
    const conditions: readonly ClickCondition[] = clicks.figures === null ? filters : [...filters, 'counted'];
    const basisOf = async (part: StatsWindow): Promise<CountBasis> => {
      if (!hasFigures(part.from, nowMs)) return { conditions };
      if (inSums !== null) return { scope: { window: part, ...inSums } };
      const days = value === null ? null : ((await clicks.figures?.valueDays(part, value)) ?? null);
      return days === null ? { conditions } : { days };
    };
    const basis = await basisOf(window);
    const basisBefore = before === null ? null : await basisOf(before);
    const readings = [
      { window, groupings: 'conditions' in basis ? groupingsOf(query) : 0 },
      ...(before === null || basisBefore === null ? [] : [{ window: before, groupings: 'conditions' in basisBefore ? 1 : 0 }]),
    ];
    if (!clicks.takesAnySize) await checkLogSize((days) => clicks.groupSizes(days, nowMs), readings, query);
    const inRows: Grouping | null =
      breakdown === undefined || groups !== null ? null : { key: keyOf(environmentId, breakdown), limit, measure };
    const counts = await countWindow(from, window, { basis, query, interval: query.interval, grouping: inRows, nowMs });
    const previous =
      before === null || basisBefore === null
        ? null
        : await countWindow(from, before, { basis: basisBefore, query, compared: true, interval: undefined, grouping: null, nowMs });
    return {
      ...shownDays(window),
      as_of: isCounted ? await clicks.asOf(window) : asOfLog(clicks, nowMs),
      totals: counts.totals,
      previous: before === null || previous === null ? null : { from: before.from, to: before.to, totals: previous.totals },
      series: query.interval === undefined ? [] : joined(counts.series, query.interval),
      breakdown: breakdown === undefined ? [] : await shownGroups(snapshot, environmentId, breakdown, groups ?? counts.groups),
    };
  });
}

/** What the clicks of a window are counted from: sums of the environment, a link or a campaign; sums of days by the value; or clicks that meet the conditions. */
type CountBasis =
  | { readonly scope: FigureScope }
  | { readonly days: ReadonlyMap<string, ClickCounts> }
  | { readonly conditions: readonly ClickCondition[] };

interface CountWanted {
  readonly basis: CountBasis;
  readonly query: ClicksQuery;
  /** Whether the window is only compared with that of the query. */
  readonly compared?: boolean;
  readonly interval: ClickInterval | undefined;
  readonly grouping: Grouping | null;
  readonly nowMs: number;
}

function countWindow(from: StatsReading, window: StatsWindow, wanted: CountWanted): Promise<WindowCounts> {
  const { basis, query, compared = false, interval, nowMs } = wanted;
  if ('scope' in basis) return countsOfSums(from, basis.scope, interval, nowMs);
  if ('days' in basis) return countsOfDays(from, window, basis.days, { interval, nowMs });
  return countInTime(window, { query, compared }, () => countsOfClicks(from, window, { ...wanted, ...basis }));
}

/** The value that the conditions ask for, if they ask for nothing else. */
function onlyValue(conditions: readonly ClickCondition[]): FieldValue | null {
  const [only] = conditions;
  return conditions.length === 1 && typeof only === 'object' && 'value' in only ? only : null;
}

/**
 * Returns whose sums answer the query: the environment's, or those of one link or campaign, which do not exist by hour. Null if no sums
 * answer it.
 */
function summedSubject(conditions: readonly ClickCondition[], { interval }: ClicksQuery): Omit<FigureScope, 'window'> | null {
  if (conditions.length === 0) return {};
  const [only] = conditions;
  if (conditions.length > 1 || interval === 'hour' || typeof only !== 'object' || !('value' in only) || only.value === null) return null;
  if (only.field === 'link') return { link: only.value };
  return only.field === 'campaign' ? { campaign: only.value } : null;
}

/** The same number of days as the window has, immediately before it. */
function daysBefore(window: StatsWindow) {
  const days = daysOf(window).length;
  return { to: dayBefore(Date.parse(window.from), 1), days };
}

/** The number of groupings of the clicks that the query needs. A comparison needs one. */
function groupingsOf({ interval, breakdown }: ClicksQuery): number {
  return (interval === undefined ? 0 : 1) + (breakdown === undefined ? 0 : 1) + (interval === undefined || interval === 'hour' ? 1 : 0);
}

interface WindowCounts {
  readonly totals: ClickCounts;
  /** By hour or by day; empty if no interval is given. */
  readonly series: ReturnType<typeof seriesOf>;
  /** The groups of the grouping wanted. */
  readonly groups: readonly CountedGroup[];
}

async function countsOfSums(
  from: StatsReading,
  scope: FigureScope,
  interval: ClickInterval | undefined,
  nowMs: number,
): Promise<WindowCounts> {
  const hourly = interval === 'hour';
  const whole = scope.link !== undefined ? 'link' : scope.campaign !== undefined ? 'campaign' : 'total';
  const sums = await from.clicks.sums({ scope, daily: hourly ? [whole, 'hour'] : [whole], total: [], top: 0 });
  const days = sums.filter(({ dimension }) => dimension === whole);
  if (!hourly) return countsOfDays(from, scope.window, new Map(days.map((sum) => [sum.day as string, sum])), { interval, nowMs });
  const periods = await readPeriods(from.snapshot, scope.window, 'hour', new Date(nowMs));
  const hours = sums.filter(({ dimension }) => dimension === 'hour');
  return { totals: addCounts(days), series: seriesOf(periods, hours), groups: [] };
}

/** `days` has the clicks of each day; a day without clicks may be left out. */
async function countsOfDays(
  { snapshot }: StatsReading,
  window: StatsWindow,
  days: ReadonlyMap<string, ClickCounts>,
  { interval, nowMs }: Pick<CountWanted, 'interval' | 'nowMs'>,
): Promise<WindowCounts> {
  const totals = addCounts([...days.values()]);
  if (interval === undefined) return { totals, series: [], groups: [] };
  const periods = await readPeriods(snapshot, window, 'day', new Date(nowMs));
  const series = periods.map(({ start, date }) => ({ start: start.toISOString(), date, ...countsOf(days.get(date) ?? NO_CLICKS) }));
  return { totals, series, groups: [] };
}

const WHOLE: Grouping = { key: 'nothing', limit: 1 };

async function countsOfClicks(
  { snapshot, clicks }: StatsReading,
  window: StatsWindow,
  { conditions, interval, grouping, nowMs }: Omit<CountWanted, 'basis'> & Extract<CountBasis, { readonly conditions: unknown }>,
): Promise<WindowCounts> {
  const periods = interval === undefined ? [] : await readPeriods(snapshot, window, interval === 'hour' ? 'hour' : 'day', new Date(nowMs));
  const byPeriod: Grouping = { key: { starts: periods.map(({ start }) => start.toISOString()) }, limit: Number.MAX_SAFE_INTEGER };
  // A visitor who clicks in two hours of a day counts once, and one who clicks on two days counts twice.
  const areDays = interval !== undefined && interval !== 'hour';
  const groupings = [areDays ? null : WHOLE, interval === undefined ? null : byPeriod, grouping].filter((each) => each !== null);
  const counted = await clicks.groups({ window, nowMs, conditions, groupings });
  const groupsOf = (each: Grouping) => counted[groupings.indexOf(each)] ?? [];
  const found = new Map(groupsOf(byPeriod).map((group) => [Number(group.value) - 1, group]));
  const series = periods.map(({ start, date }, place) => ({
    start: start.toISOString(),
    date,
    ...countsOf(found.get(place) ?? NO_CLICKS),
  }));
  const totals = areDays ? addCounts(series) : countsOf(groupsOf(WHOLE)[0] ?? NO_CLICKS);
  return { totals, series, groups: grouping === null ? [] : groupsOf(grouping) };
}

function keyOf(environmentId: string, dimension: ClickDimension): GroupKey {
  if (dimension === 'item') return 'item of type';
  return dimension === 'tag' ? { tagsOf: environmentId } : { field: dimension };
}

/** Joins days into weeks or months. A joined period has the start of its first day in the series. */
function joined(series: WindowCounts['series'], interval: ClickInterval): ClicksAnswer['series'] {
  if (interval === 'hour' || interval === 'day') return [...series];
  const periods = groupBy(series, ({ date }) => (interval === 'month' ? date.slice(0, 7) : mondayOf(date)));
  return [...periods.values()].map((days) => {
    const { start, date } = days[0] as Pick<(typeof days)[0], 'start' | 'date'>;
    return { start, date, ...addCounts(days) };
  });
}

function mondayOf(date: string): string {
  const weekday = (new Date(date).getUTCDay() + 6) % 7;
  return dayBefore(Date.parse(date), weekday);
}

async function shownGroups(
  snapshot: Queryable,
  environmentId: string,
  name: ClickDimension,
  groups: readonly CountedGroup[],
): Promise<ClicksAnswer['breakdown']> {
  const uuids = name === 'link' ? groups.flatMap(({ value }) => (value === null ? [] : [value])) : [];
  const paths = await readLinkPaths(snapshot, environmentId, uuids);
  const hasTypes = name === 'resource_type' || name === 'item';
  const typeKeys = hasTypes ? await readTypeKeys(snapshot, environmentId) : new Map<string, string>();
  return groups.map((group) => {
    const typed = name === 'item' && group.value !== null ? typedItem(group.value) : null;
    return {
      value: shownValue(name, typed === null ? group.value : typed.item, typeKeys),
      resource_type: typed === null ? null : shownValue('resource_type', typed.type, typeKeys),
      name: (name === 'link' && group.value !== null && paths.get(group.value)) || null,
      ...countsOf(group),
    };
  });
}
