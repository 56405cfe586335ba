import { perLocale } from '../language/shown.js';
import { text } from '../language/text.js';

const names = perLocale((locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }));

/** The name of a country in the language of the page, from its ISO 3166-1 alpha-2 code; other codes are returned unchanged. */
export function countryName(code: string | null): string {
  if (code === null) return text('Unknown');
  return /^[A-Z]{2}$/.test(code) ? (names().of(code) ?? code) : code;
}
