import { useLocation } from 'wouter';
import type { ClickFilter, ClickInterval, ClicksQuery } from '../../../../shared/contract/schemas/clicks-query.js';

/** What can be told apart, as readers call it. */
export const DIMENSIONS: Readonly<Record<ClickFilter, string>> = {
  link: 'Link',
  campaign: 'Campaign',
  country: 'Country',
  region: 'Region',
  city: 'City',
  platform: 'Platform',
  os: 'System',
  os_version: 'System version',
  browser: 'Browser',
  browser_version: 'Browser version',
  source: 'Source',
  referrer_host: 'Referrer',
  in_app_browser: 'App browser',
  host: 'Host',
  path: 'Address',
  resource_type: 'Resource type',
  item: 'Item',
  utm_source: 'UTM source',
  utm_medium: 'UTM medium',
  utm_campaign: 'UTM campaign',
  utm_term: 'UTM term',
  utm_content: 'UTM content',
  bot_reason: 'Reason for bot',
};

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as readonly ClickFilter[];

/** Dimensions that belong together, as the tabs show them. One that no group names has a group of its own kind, at the end. */
const GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: 'Links', names: ['link', 'campaign', 'path', 'host', 'resource_type', 'item'] },
  { title: 'Sources', names: ['source', 'referrer_host', 'in_app_browser', 'bot_reason'] },
  { title: 'Places', names: ['country', 'region', 'city'] },
  { title: 'Devices', names: ['platform', 'os', 'os_version', 'browser', 'browser_version'] },
  { title: 'UTM', names: ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] },
];

interface DimensionGroup {
  readonly title: string;
  readonly names: readonly ClickFilter[];
}

export const DIMENSION_GROUPS: readonly DimensionGroup[] = [
  ...GROUPS.map(({ title, names }) => ({ title, names: DIMENSION_NAMES.filter((name) => names.includes(name)) })),
  { title: 'More', names: DIMENSION_NAMES.filter((name) => !GROUPS.some(({ names }) => names.includes(name))) },
].filter(({ names }) => names.length > 0);

/** What the chart draws and the table is sorted by. */
export const MEASURES = { human: 'People', unique: 'Unique', all: 'All' } as const;
export type Measure = keyof typeof MEASURES;

/** What a reader has asked for. It is a part of the address, so that it can be sent to others, and `back` leads to what was asked before. */
export interface Asked {
  /** Days such as `2026-11-20`. */
  readonly from: string;
  readonly to: string;
  readonly by: ClickFilter;
  readonly count: Measure;
  readonly tag: string;
  /** '' lets through what has no value. */
  readonly filters: Readonly<Partial<Record<ClickFilter, string>>>;
}

const PATH = '/analytics';
const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;

type Days = Pick<Asked, 'from' | 'to'>;

function todayIn(timeZone: string): string {
  // The Swedish way to write a date is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now());
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
}

/** So many days up to today, where the project is. */
function lastDays(days: number, timeZone: string): Days {
  const today = todayIn(timeZone);
  return { from: daysBefore(today, days - 1), to: today };
}

export const RANGES = [
  { value: 'today', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'month', label: 'This month' },
  { value: 'last_month', label: 'Last month' },
] as const;
export type Range = (typeof RANGES)[number]['value'];

export function daysOf(range: Range, timeZone: string): Days {
  if (range === 'today') return lastDays(1, timeZone);
  if (range !== 'month' && range !== 'last_month') return lastDays(Number(range), timeZone);
  const today = todayIn(timeZone);
  const first = `${today.slice(0, 7)}-01`;
  if (range === 'month') return { from: first, to: today };
  const last = daysBefore(first, 1);
  return { from: `${last.slice(0, 7)}-01`, to: last };
}

export function useAsked(timeZone: string): readonly [Asked, (asked: Asked) => void] {
  const [location, navigate] = useLocation();
  return [readAsked(location, timeZone), (asked) => navigate(addressOf(asked))];
}

function readAsked(location: string, timeZone: string): Asked {
  const given = new URLSearchParams(location.slice(PATH.length + 1));
  const { from, to } = lastDays(DAYS_DEFAULT, timeZone);
  const by = given.get('by');
  return {
    from: given.get('from') ?? from,
    to: given.get('to') ?? to,
    by: DIMENSION_NAMES.find((name) => name === by) ?? 'link',
    count: (Object.keys(MEASURES) as Measure[]).find((name) => name === given.get('count')) ?? 'human',
    tag: given.get('tag') ?? '',
    filters: Object.fromEntries(DIMENSION_NAMES.flatMap((name) => (given.has(name) ? [[name, given.get(name) as string]] : []))),
  };
}

/** Where the clicks that the filters let through are shown, by country unless it is said otherwise. */
export function analyticsOf(filters: Asked['filters'], timeZone: string, by: ClickFilter = 'country'): string {
  return addressOf({ ...lastDays(DAYS_DEFAULT, timeZone), by, count: 'human', tag: '', filters });
}

function addressOf({ from, to, by, count, tag, filters }: Asked): string {
  const more = { ...(count === 'human' ? {} : { count }), ...(tag === '' ? {} : { tag }) };
  return `${PATH}/${new URLSearchParams({ from, to, by, ...more, ...filters })}`;
}

/** Rows that are read: more than anybody scrolls through, and few enough to be shown at once. */
const ROWS = 100;

export function queryOf({ from, to, by, tag, filters }: Asked): ClicksQuery {
  return {
    from,
    to,
    interval: intervalOf(from, to),
    breakdown: by,
    limit: ROWS,
    compare: true,
    ...(tag === '' ? {} : { tag }),
    ...filters,
  };
}

/** The same clicks of the days that are compared, without the parts that only the chosen days have. */
export function queryOfPrevious(asked: Asked, { from, to }: Days): ClicksQuery {
  const { breakdown: _, limit: __, compare: ___, ...query } = queryOf(asked);
  return { ...query, from, to };
}

/** So that a chart has some dozens of points. */
function intervalOf(from: string, to: string): ClickInterval {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days <= 2) return 'hour';
  return days <= 62 ? 'day' : days <= 370 ? 'week' : 'month';
}
