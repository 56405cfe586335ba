/** The languages that the dashboard is written in. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first of the reader's languages that there is, by their tags: `de-AT`. */
export function firstOf(tags: readonly string[]): Language {
  const known = tags.map((tag) => LANGUAGES.find((language) => language === tag.toLowerCase().split('-')[0]));
  return known.find((language) => language !== undefined) ?? 'en';
}
