import { locale, perLocale } from '../language/shown.js';

const compact = perLocale((locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }));
const whole = perLocale((locale) => new Intl.NumberFormat(locale));
const percent = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
const smallPercent = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 1 }));

/** Returns the number exactly below ten thousand, otherwise rounded to three digits: 12.3K. */
export function count(value: number): string {
  return value < 10_000 ? whole().format(value) : compact().format(value);
}

export function exactCount(value: number): string {
  return whole().format(value);
}

/** The same; a dash for what was not counted. */
export function figureOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : exactCount(value);
}

const sums = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));

/** Returns a sum with the sign of its currency, an ISO 4217 code; a number alone for one without. */
export function moneyOf(sum: number, currency: string | null): string {
  if (currency === null) return sums().format(sum);
  try {
    return new Intl.NumberFormat(locale(), { style: 'currency', currency }).format(sum);
  } catch {
    // What an app has sent as a currency need not have the form of one.
    return `${sums().format(sum)} ${currency}`;
  }
}

/** Returns a share of one as a percentage, or a dash if the whole is nothing. Only a share of nothing is shown as 0. */
export function share(value: number | null): string {
  if (value === null) return '–';
  return (Math.abs(value) < 0.001 ? smallPercent() : percent()).format(value);
}
