/** The languages that the dashboard is available in. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first of the user's languages that the dashboard has, from language tags such as `de-AT`. English if it has none of them. */
export function firstOf(tags: readonly string[]): Language {
  const known = tags.map((tag) => LANGUAGES.find((language) => language === tag.toLowerCase().split('-')[0]));
  return known.find((language) => language !== undefined) ?? 'en';
}
