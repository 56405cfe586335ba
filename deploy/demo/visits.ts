import { isProgram } from '../../shared/resolve/bots.js';
import { BOTS, BOTS_SHARE, COUNTRIES, HOURS, ITEMS, ITEMS_SHARE, PEOPLE, REFERRERS, WEEKDAYS, type Weighted } from './catalogue.js';

/** A visit of the demo, before it is a click of a link or an item. */
export interface Visit {
  readonly at_ms: number;
  /** Place in the list of links; null if it is one of an item. */
  readonly link: number | null;
  readonly item: string;
  readonly user_agent: string;
  readonly bot: boolean;
  readonly address: string;
  readonly country: string;
  readonly referrer: string;
}

/** Totals as statistics count them: a visitor is an address with a user agent on one day, in UTC, which the project has. */
export interface VisitTotals {
  readonly clicks: number;
  readonly human_clicks: number;
  readonly unique_visitors: number;
}

export const DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Clicks of the last minute are left to real visitors. */
const RECENT_MS = 60_000;
/** Of people, those who come again on the same day. */
const RETURNING_SHARE = 0.22;

/** That many visits of the last 30 days up to `nowMs`, oldest first. `random` gives numbers from 0 up to 1. */
export function makeVisits(count: number, links: readonly number[], nowMs: number, random: () => number): readonly Visit[] {
  const linkPlaces = links.map((weight, value) => ({ value, weight }));
  const times = Array.from({ length: count }, () => instant(nowMs, random)).sort((a, b) => a - b);
  const today: Visit[] = [];
  return times.map((at_ms) => {
    if (today[0] !== undefined && dayOf(today[0].at_ms) !== dayOf(at_ms)) today.length = 0;
    const known = random() < RETURNING_SHARE ? today[Math.floor(random() * today.length)] : undefined;
    const onItem = random() < ITEMS_SHARE;
    const bot = known === undefined && random() < BOTS_SHARE;
    const user_agent = known?.user_agent ?? pick(bot ? BOTS : PEOPLE, random);
    const visit: Visit = {
      at_ms,
      link: onItem ? null : pick(linkPlaces, random),
      item: onItem ? pick(ITEMS, random) : '',
      user_agent,
      bot: isProgram(user_agent),
      address: known?.address ?? newAddress(random),
      country: known?.country ?? pick(COUNTRIES, random),
      referrer: pick(REFERRERS, random),
    };
    if (!visit.bot) today.push(visit);
    return visit;
  });
}

export function totalsOf(visits: readonly Visit[]): VisitTotals {
  const people = visits.filter(({ bot }) => !bot);
  const visitors = new Set(people.map(({ at_ms, address, user_agent }) => `${dayOf(at_ms)} ${address} ${user_agent}`));
  return { clicks: visits.length, human_clicks: people.length, unique_visitors: visitors.size };
}

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

/** Of the last 30 days of the calendar, today among them, as busy as shops are on such a day at such an hour. */
function instant(nowMs: number, random: () => number): number {
  const firstDay = dayOf(nowMs) - DAYS + 1;
  for (;;) {
    const day = firstDay + Math.floor(random() * DAYS);
    // Day 0 of the epoch was a Thursday. The shop grows by a third in these weeks.
    const busy = ((WEEKDAYS[(day + 4) % 7] as number) / 1.25) * (0.75 + (0.25 * (day - firstDay)) / DAYS);
    if (random() > busy) continue;
    const hours = HOURS.map((weight, value) => ({ value, weight }));
    const at = day * DAY_MS + pick(hours, random) * HOUR_MS + Math.floor(random() * HOUR_MS);
    if (at <= nowMs - RECENT_MS) return at;
    // Early in the morning nearly nothing of today is over: yesterday is as good.
    if (random() < 0.5) return Math.min(at - DAY_MS, nowMs - RECENT_MS);
  }
}

function pick<Value>(choices: readonly Weighted<Value>[], random: () => number): Value {
  let left = random() * choices.reduce((sum, { weight }) => sum + weight, 0);
  for (const { value, weight } of choices) {
    left -= weight;
    if (left < 0) return value;
  }
  return (choices.at(-1) as Weighted<Value>).value;
}

/** Of the range for tests of networks (RFC 2544), which belongs to nobody. */
function newAddress(random: () => number): string {
  const part = () => Math.floor(random() * 256);
  return `198.${18 + Math.floor(random() * 2)}.${part()}.${part()}`;
}
