import { parseExactly } from '../../../shared/base/exact-numbers.js';
import { formatInstant, INSTANT_MAX_MS, INSTANT_MIN_MS, parseInstant } from '../../../shared/base/instant.js';
import { characterCount, isStorable } from '../../../shared/base/issue.js';
import { MAX_CLICKS_MAX, PASSWORD_CHARACTERS_MAX, TAG_CHARACTERS_MAX, TAGS_OF_LINK_MAX } from '../../../shared/base/limits.js';
import { isCount, type SourceClicks, type SourceLink } from './source-link.js';

/**
 * Reads what a source says of one link, value by value. A value that cannot be read, or does not fit here, is left out and reported as
 * lost, because nobody would notice it otherwise.
 */
export class SourceRow {
  readonly #lost = new Set<string>();
  #isShut = false;

  lose(...names: readonly string[]): void {
    for (const name of names) this.#lost.add(name);
  }

  /** Reports as lost what keeps visitors out at the source. Without it, the link would be open to everyone, so it is disabled. */
  shut(...names: readonly string[]): void {
    this.#isShut = true;
    this.lose(...names);
  }

  result(): Pick<SourceLink, 'lost' | 'disabled'> {
    return { lost: [...this.#lost], ...(this.#isShut ? { disabled: true } : {}) };
  }

  /** How many clicks a link has left: `max` minus `used`. */
  maxClicks(max: unknown, used: unknown = 0): number | undefined {
    if (!isSaid(max)) return undefined;
    const left = countOf(max) - countOf(isSaid(used) ? used : 0);
    if (left >= 1 && left <= MAX_CLICKS_MAX) return left;
    this.shut('max_clicks');
    return undefined;
  }

  /** A password, unless the source says only that there is one. */
  password(value: unknown, isSet = false): string | undefined {
    if (typeof value === 'string' && value !== '' && characterCount(value) <= PASSWORD_CHARACTERS_MAX && isStorable(value)) return value;
    if (isSet || (isSaid(value) && value !== false)) this.shut('password');
    return undefined;
  }

  /** A time in ISO 8601. */
  instant(name: string, value: unknown): string | undefined {
    const instant = instantOf(value);
    if (instant === undefined) this.loseTime(name, value);
    return instant;
  }

  /** Reports a time that cannot be read as lost. A link may have expired at such a time, or be still to begin. */
  loseTime(name: string, value: unknown): void {
    if (!isSaid(value)) return;
    // The text of a list can be too deep to be made.
    const isNoTime = typeof value !== 'object' && NO_TIME.test(String(value).trim());
    if (KEEPS_OUT.has(name) && !isNoTime) this.shut(name);
    // A link that never expires is imported as it is.
    else if (!(isNoTime && name === 'expires_at')) this.lose(name);
  }

  /** A cell that says yes or no. */
  flag(name: string, cell = ''): boolean | undefined {
    const word = cell.trim().toLowerCase();
    if (['true', '1', 'yes'].includes(word)) return true;
    if (['false', '0', 'no'].includes(word)) return false;
    if (word !== '') this.lose(name);
    return undefined;
  }

  /** The value of a JSON cell; undefined if the cell is empty or not JSON. */
  json<Value>(name: string, cell = ''): Value | undefined {
    if (cell === '') return undefined;
    try {
      return parseExactly(cell) as Value;
    } catch {
      this.lose(name);
      return undefined;
    }
  }

  /** Names of tags. A name cannot contain a comma here, so commas become blanks. */
  tags(names: unknown): string[] | undefined {
    if (!Array.isArray(names)) {
      if (isSaid(names)) this.lose('tags');
      return undefined;
    }
    const texts = names.filter((name): name is string => typeof name === 'string').map((name) => name.replaceAll(',', ' ').trim());
    const whole = [...new Set(texts.filter((text) => text !== ''))];
    const kept = [...new Set(whole.map((text) => beginningOf(text, TAG_CHARACTERS_MAX).trim()))].slice(0, TAGS_OF_LINK_MAX);
    if (texts.length < names.length || kept.length < whole.length || whole.some((text) => characterCount(text) > TAG_CHARACTERS_MAX))
      this.lose('tags');
    return kept.length === 0 ? undefined : kept;
  }

  /** Text, cut if it is longer than it may be here. */
  text(name: string, value: unknown, charactersMax: number): string | undefined {
    const isText = typeof value === 'string';
    if (isSaid(value) && !(isText && characterCount(value) <= charactersMax)) this.lose(name);
    return isText ? beginningOf(value, charactersMax) : undefined;
  }

  /** The clicks of all days together, also written as `1,234`. */
  clicks(value: unknown, name = 'clicks'): { readonly clicks?: readonly SourceClicks[] } {
    const text = typeof value === 'string' ? value.trim() : '';
    const clicks = /^\d{1,3}(?:[,.' ]\d{3})+$/.test(text) ? Number(text.replace(/\D/g, '')) : text === '' ? value : Number(text);
    if (isCount(clicks)) return { clicks: [{ day: null, clicks }] };
    if (isSaid(value)) this.lose(name);
    return {};
  }
}

/** The first characters of the text. One that is written as two units, such as an emoji, is not cut in half. */
function beginningOf(text: string, charactersMax: number): string {
  return [...text.slice(0, 2 * charactersMax)].slice(0, charactersMax).join('');
}

/** Returns the names of tags that a service lists as objects. A value that is not a list is returned as it is. */
export function namesOf(tags: unknown): unknown {
  return Array.isArray(tags) ? tags.map((tag: { readonly name?: unknown } | null) => tag?.name) : tags;
}

/** The value as a count, from a number or a string of digits; NaN if it is not a count. */
function countOf(value: unknown): number {
  const count = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  return isCount(count) ? count : Number.NaN;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '');
}

/** Times that keep visitors out. */
const KEEPS_OUT: ReadonlySet<string> = new Set(['active_from', 'expires_at']);

/** How files say that there is no such time. The last form is the empty date of MySQL. */
const NO_TIME = /^(?:never|none|null|n\/a|-|0|0000-00-00.*)$/i;

/** Seconds since 1970 have up to eleven digits, milliseconds more. A number with fewer than nine may be a year, or a day without hyphens. */
const EPOCH = /^\d{9,13}(?:\.\d+)?$/;
const SECONDS_MAX = 1e11;

/** A time in ISO 8601, with a `T` or a blank, and with a zone or without one. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * A time in ISO 8601, from ISO 8601 or from seconds or milliseconds since 1970; undefined if it is neither. A time without a zone is read
 * as UTC, whatever the zone of this process, so that a run on another machine finds the link again. Dates in the order of a particular
 * country are not guessed at.
 */
export function instantOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  const ms = EPOCH.test(text) ? epochMs(Number(text)) : isoMs(text);
  return ms === null || ms > INSTANT_MAX_MS || ms < INSTANT_MIN_MS ? undefined : formatInstant(ms);
}

function epochMs(number: number): number {
  return Math.round(number < SECONDS_MAX ? number * 1000 : number);
}

function isoMs(text: string): number | null {
  const [, day, time = '00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  return day === undefined ? null : parseInstant(`${day}T${time}${/^[+-]/.test(zone) ? zone : 'Z'}`);
}
