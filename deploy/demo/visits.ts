import { isProgram } from '../../shared/resolve/bots.js';
import { BOTS, BOTS_SHARE, COUNTRIES, HOURS, ITEMS, ITEMS_SHARE, PEOPLE, REFERRERS, WEEKDAYS, type Weighted } from './catalogue.js';

/** A visit of the demo, before it becomes a click on a link or an item. */
export interface Visit {
  readonly at_ms: number;
  /** Index in the list of links; null for a visit of an item. */
  readonly link: number | null;
  readonly item: string;
  readonly user_agent: string;
  readonly bot: boolean;
  readonly address: string;
  readonly country: string;
  readonly referrer: string;
}

/** Totals as statistics count them: a visitor is an address with a user agent on one day in UTC, the project's time zone. */
export interface VisitTotals {
  readonly clicks: number;
  readonly human_clicks: number;
  readonly unique_visitors: number;
}

export const DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The last minute is left to real visitors. */
const RECENT_MS = 60_000;
/** The share of people who return on the same day. */
const RETURNING_SHARE = 0.22;

/** Returns `count` visits of the last 30 days up to `nowMs`, oldest first. `random` returns numbers from 0 (included) to 1 (excluded). */
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

/** A time within the last 30 calendar days, including today. Days and hours are as busy as for a shop. */
function instant(nowMs: number, random: () => number): number {
  const firstDay = dayOf(nowMs) - DAYS + 1;
  for (;;) {
    const day = firstDay + Math.floor(random() * DAYS);
    // Day 0 of the epoch was a Thursday. The shop grows by a third over these weeks.
    const busy = ((WEEKDAYS[(day + 4) % 7] as number) / 1.25) * (0.75 + (0.25 * (day - firstDay)) / DAYS);
    if (random() > busy) continue;
    const hours = HOURS.map((weight, value) => ({ value, weight }));
    const at = day * DAY_MS + pick(hours, random) * HOUR_MS + Math.floor(random() * HOUR_MS);
    if (at <= nowMs - RECENT_MS) return at;
    // Early in the morning, nearly nothing of today has passed, so yesterday is used instead.
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

/** An address in the range for network tests (RFC 2544), which belongs to nobody. */
function newAddress(random: () => number): string {
  const part = () => Math.floor(random() * 256);
  return `198.${18 + Math.floor(random() * 2)}.${part()}.${part()}`;
}
