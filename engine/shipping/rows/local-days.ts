const DAY_MS = 86_400_000;
/** Every offset from UTC, every clock change and therefore every midnight falls on a quarter of an hour. */
const SLOT_MS = 15 * 60_000;
const SLOTS_KEPT = 256;

/** Days since the epoch, in UTC. */
export function utcDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** `2026-11-20` for a number of days since the epoch. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Calendar days of a time zone, as days since 1970-01-01 there. */
export class LocalDays {
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, number>();

  /** An unknown time zone counts as UTC. */
  constructor(timeZone: string) {
    this.#format = dateFormat(timeZone);
  }

  day(timeMs: number): number {
    const slot = Math.floor(timeMs / SLOT_MS);
    const known = this.#days.get(slot);
    if (known !== undefined) return known;
    const parts = new Map(this.#format.formatToParts(slot * SLOT_MS).map((part) => [part.type, Number(part.value)]));
    const day = Date.UTC(parts.get('year') as number, (parts.get('month') as number) - 1, parts.get('day')) / DAY_MS;
    if (this.#days.size >= SLOTS_KEPT) this.#days.clear();
    this.#days.set(slot, day);
    return day;
  }
}

function dateFormat(timeZone: string): Intl.DateTimeFormat {
  const options = { calendar: 'gregory', numberingSystem: 'latn', year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  }
}
