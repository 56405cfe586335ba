const names = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' });

/** The name of a country in the reader's language, from its ISO 3166-1 alpha-2 code; other codes are returned unchanged. */
export function countryName(code: string | null): string {
  if (code === null) return 'Unknown';
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}
