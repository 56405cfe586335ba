/** The languages that the dashboard is written in. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const STORAGE_KEY = 'language';

/** What the reader has chosen; null leaves it to the browser. */
export function languageChoice(): Language | null {
  const chosen = localStorage.getItem(STORAGE_KEY);
  return LANGUAGES.find((language) => language === chosen) ?? null;
}

export function keepLanguageChoice(choice: Language | null): void {
  if (choice === null) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, choice);
}

/** The language to show: the one that is chosen, otherwise the first of the reader's languages that there is. */
export function wantedLanguage(): Language {
  return languageChoice() ?? firstOf(navigator.languages);
}

export function firstOf(tags: readonly string[]): Language {
  const known = tags.map((tag) => LANGUAGES.find((language) => language === tag.toLowerCase().split('-')[0]));
  return known.find((language) => language !== undefined) ?? 'en';
}
