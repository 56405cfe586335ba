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

/** What a reader has asked for. It is a part of the address, so that it can be sent to others, and `back` leads to what was asked before. */
export interface Asked {
  /** Days such as `2026-11-20`. */
  readonly from: string;
  readonly to: string;
  readonly by: ClickFilter;
  readonly tag: string;
  /** '' lets through what has no value. */
  readonly filters: Readonly<Partial<Record<ClickFilter, string>>>;
}

const PATH = '/analytics';
const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;

/** So many days up to today, where the project is. */
export function lastDays(days: number, timeZone: string): Pick<Asked, 'from' | 'to'> {
  // The Swedish way to write a date is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now());
  return { from: new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10), to: today };
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
    tag: given.get('tag') ?? '',
    filters: Object.fromEntries(DIMENSION_NAMES.flatMap((name) => (given.has(name) ? [[name, given.get(name) as string]] : []))),
  };
}

/** Where the clicks that the filters let through are shown by country. */
export function analyticsOf(filters: Asked['filters'], timeZone: string): string {
  return addressOf({ ...lastDays(DAYS_DEFAULT, timeZone), by: 'country', tag: '', filters });
}

function addressOf({ from, to, by, tag, filters }: Asked): string {
  return `${PATH}/${new URLSearchParams({ from, to, by, ...(tag === '' ? {} : { tag }), ...filters })}`;
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

/** So that a chart has some dozens of points. */
function intervalOf(from: string, to: string): ClickInterval {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days <= 62 ? 'day' : days <= 370 ? 'week' : 'month';
}
