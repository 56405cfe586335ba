import { locale, perLocale } from '../language/shown.js';

const compact = perLocale((locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }));
const whole = perLocale((locale) => new Intl.NumberFormat(locale));
const percent = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
const smallPercent = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 1 }));

/** Formats the number exactly if it is below ten thousand, otherwise in compact form with at most one decimal: 12.3K. */
export function count(value: number): string {
  return value < 10_000 ? whole().format(value) : compact().format(value);
}

export function exactCount(value: number): string {
  return whole().format(value);
}

const milliseconds = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' }));

/** "1,250 ms". */
export function durationMs(ms: number): string {
  return milliseconds().format(ms);
}

/** Like `exactCount`, but a dash if there is no count. */
export function figureOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : exactCount(value);
}

const sums = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));

/** Formats a sum with the sign of its currency, an ISO 4217 code, or as a plain number if it has no currency. */
export function moneyOf(sum: number, currency: string | null): string {
  if (currency === null) return sums().format(sum);
  try {
    return new Intl.NumberFormat(locale(), { style: 'currency', currency }).format(sum);
  } catch {
    // The app sent the currency, which need not have the form of a currency code.
    return `${sums().format(sum)} ${currency}`;
  }
}

/**
 * Formats a share, where 1 is the whole, as a percentage. Returns a dash for null, the share of an empty whole. Only a share of 0 is shown
 * as 0 %.
 */
export function share(value: number | null): string {
  if (value === null) return '–';
  return (Math.abs(value) < 0.001 ? smallPercent() : percent()).format(value);
}
