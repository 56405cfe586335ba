import { perLocale } from '../language/shown.js';

const compact = perLocale((locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }));
const whole = perLocale((locale) => new Intl.NumberFormat(locale));
const percent = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));

/** Returns the number exactly below ten thousand, otherwise rounded to three digits: 12.3K. */
export function count(value: number): string {
  return value < 10_000 ? whole().format(value) : compact().format(value);
}

export function exactCount(value: number): string {
  return whole().format(value);
}

/** Returns a share of one as a percentage, or a dash if the whole is nothing. */
export function share(value: number | null): string {
  return value === null ? '–' : percent().format(value);
}
