import { LOCALE } from './locale.js';

const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat(LOCALE);
const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

/** Returns the number exactly below ten thousand, otherwise rounded to three digits: 12.3K. */
export function count(value: number): string {
  return value < 10_000 ? whole.format(value) : compact.format(value);
}

export function exactCount(value: number): string {
  return whole.format(value);
}

/** Returns a share of one as a percentage, or a dash if the whole is nothing. */
export function share(value: number | null): string {
  return value === null ? '–' : percent.format(value);
}
