import {
  DAY_RANGE_DEFAULT,
  DAY_RANGES,
  type DayRange,
  type Days,
  daysOfRange,
  daysUntilToday,
  fittingInterval,
} from '../../../../shared/base/day-ranges.js';
import type { ClickDimension, ClickInterval, ClicksQuery } from '../../../../shared/contract/schemas/clicks-query.js';
import { type Message, message } from '../../language/text.js';

/** The dimensions of clicks, by their names on the page. */
export const DIMENSIONS: Readonly<Record<ClickDimension, Message>> = {
  link: message('Link'),
  campaign: message('Campaign'),
  tag: message('Tag'),
  country: message('Country'),
  region: message('Region'),
  city: message('City'),
  platform: message('Platform'),
  os: message('System'),
  os_version: message('System version'),
  browser: message('Browser'),
  browser_version: message('Browser version'),
  source: message('Source'),
  referrer_host: message('Referrer'),
  in_app_browser: message('App browser'),
  host: message('Host'),
  path: message('Address'),
  resource_type: message('Resource type'),
  item: message('Item'),
  utm_source: message('UTM source'),
  utm_medium: message('UTM medium'),
  utm_campaign: message('UTM campaign'),
  utm_term: message('UTM term'),
  utm_content: message('UTM content'),
  bot_reason: message('Reason for bot'),
};

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as readonly ClickDimension[];

/** Dimensions that belong together, as the tabs show them. Dimensions that are in no group form another one at the end. */
const GROUPS: readonly { readonly title: Message; readonly names: readonly string[] }[] = [
  { title: message('Links'), names: ['link', 'campaign', 'tag', 'path', 'host', 'resource_type', 'item'] },
  { title: message('Sources'), names: ['source', 'referrer_host', 'in_app_browser', 'bot_reason'] },
  { title: message('Places'), names: ['country', 'region', 'city'] },
  { title: message('Devices'), names: ['platform', 'os', 'os_version', 'browser', 'browser_version'] },
  { title: message('UTM'), names: ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] },
];

interface DimensionGroup {
  readonly title: Message;
  readonly names: readonly ClickDimension[];
}

export const DIMENSION_GROUPS: readonly DimensionGroup[] = [
  ...GROUPS.map(({ title, names }) => ({ title, names: DIMENSION_NAMES.filter((name) => names.includes(name)) })),
  { title: message('More'), names: DIMENSION_NAMES.filter((name) => !GROUPS.some(({ names }) => names.includes(name))) },
].filter(({ names }) => names.length > 0);

/** The count that the chart draws and the table is sorted by. */
export const MEASURES = { human: message('People'), unique: message('Unique'), all: message('All') } as const;
export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as readonly Measure[];

/** What the user has chosen. It is part of the address, so that it can be sent to others and the back button leads to earlier choices. */
export interface Asked extends Days {
  /** The name of the range if its days move with the calendar; null for fixed days. */
  readonly range: DayRange | null;
  /** Null for the interval that fits the days. */
  readonly interval: ClickInterval | null;
  readonly by: ClickDimension;
  readonly count: Measure;
  readonly compare: boolean;
  /** '' matches clicks without a value. */
  readonly filters: Readonly<Partial<Record<ClickDimension, string>>>;
}

export const PATH = '/analytics';

export const RANGES: readonly { readonly value: DayRange; readonly label: Message }[] = [
  { value: 'today', label: message('Today') },
  { value: 'last_7_days', label: message('7 days') },
  { value: 'last_30_days', label: message('30 days') },
  { value: 'last_90_days', label: message('90 days') },
  { value: 'this_month', label: message('This month') },
  { value: 'last_month', label: message('Last month') },
];

export const INTERVALS: Readonly<Record<ClickInterval, Message>> = {
  hour: message('Hours'),
  day: message('Days'),
  week: message('Weeks'),
  month: message('Months'),
};
export const INTERVAL_NAMES = Object.keys(INTERVALS) as readonly ClickInterval[];

/** The days of the range in the project's time zone, including today. */
export function lastDays(range: DayRange, timeZone: string): Pick<Asked, 'range' | 'from' | 'to'> {
  return { range, ...daysOfRange(range, timeZone, Date.now()) };
}

/** The given text if it is one of the names, otherwise null. */
function nameIn<Name extends string>(names: readonly Name[], given: string | null): Name | null {
  return names.find((name) => name === given) ?? null;
}

/** Reads the choices from the part of the address after the path. */
export function readAsked(given: URLSearchParams, timeZone: string): Asked {
  const [from, to] = [given.get('from'), given.get('to')];
  const range = nameIn(DAY_RANGES, given.get('range'));
  const days = lastDays(range ?? DAY_RANGE_DEFAULT, timeZone);
  return {
    ...(range === null && (from !== null || to !== null) ? { range: null, from: from ?? days.from, to: to ?? days.to } : days),
    interval: nameIn(INTERVAL_NAMES, given.get('interval')),
    by: nameIn(DIMENSION_NAMES, given.get('by')) ?? 'link',
    count: nameIn(MEASURE_NAMES, given.get('count')) ?? 'human',
    compare: given.get('compare') !== 'no',
    filters: Object.fromEntries(DIMENSION_NAMES.flatMap((name) => (given.has(name) ? [[name, given.get(name) as string]] : []))),
  };
}

/** The address that shows the clicks with these filters, broken down by country unless another dimension is given. */
export function analyticsOf(filters: Asked['filters'], timeZone: string, by: ClickDimension = 'country'): string {
  const days = lastDays(DAY_RANGE_DEFAULT, timeZone);
  return `${PATH}/${parametersOf({ ...days, interval: null, by, count: 'human', compare: true, filters })}`;
}

export function parametersOf({ range, from, to, interval, by, count, compare, filters }: Asked): URLSearchParams {
  return new URLSearchParams({
    ...(range === null ? { from, to } : { range }),
    ...(interval === null ? {} : { interval }),
    by,
    ...(count === 'human' ? {} : { count }),
    ...(compare ? {} : { compare: 'no' }),
    ...filters,
  });
}

/** The time zone whose days begin first. The project's time zone never has a later day. */
const FIRST_ZONE = 'Etc/GMT-14';

/**
 * The query for the figures over time. It is separate from the groups because without filters it is answered from sums, long before the
 * groups are counted.
 */
export function trendQueryOf(asked: Asked): ClicksQuery {
  const interval = asked.interval ?? fittingInterval(daysUntilToday(asked, FIRST_ZONE, Date.now()));
  return { ...daysIn(asked), interval, compare: asked.compare, ...asked.filters };
}

/** The query for the same clicks on the days of the comparison. */
export function previousQueryOf(asked: Asked, { from, to }: Days): ClicksQuery {
  const { range: _, compare: __, ...query } = trendQueryOf(asked);
  return { ...query, from, to };
}

/** Rows to show: more than anyone scrolls through, and few enough to be shown at once. */
export const ROWS = 100;
/** Enough for every country. A country that is not read would have no clicks on the map. */
const COUNTRIES = 300;
/** Rows of a file: as many as the API returns. */
export const FILE_ROWS = 1000;

/** The number of groups to show. */
export function rowsOf(by: ClickDimension): number {
  return by === 'country' ? COUNTRIES : ROWS;
}

/** Requests one row more than is shown, to find out if there are more. A file requests as many rows as possible. */
export function groupsQueryOf(asked: Asked, limit = rowsOf(asked.by) + 1): ClicksQuery {
  const sorted = asked.count === 'human' ? {} : { measure: asked.count };
  return { ...daysIn(asked), breakdown: asked.by, limit, ...sorted, ...asked.filters };
}

/** A range is sent by name, because the server knows its days. The figures can be requested before the project's time zone is known. */
function daysIn({ range, from, to }: Asked): Pick<ClicksQuery, 'range' | 'from' | 'to'> {
  return range === null ? { from, to } : { range };
}
