import { LOCALE } from './locale.js';

const names = new Intl.DisplayNames(LOCALE, { type: 'region', fallback: 'code' });

/** The name of a country in English, from its ISO 3166-1 alpha-2 code; other codes are returned unchanged. */
export function countryName(code: string | null): string {
  if (code === null) return 'Unknown';
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}
