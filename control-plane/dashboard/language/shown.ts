import type { Language } from './languages.js';

let shown: Language = 'en';

/** The language in which the page is currently drawn. */
export function shownLanguage(): Language {
  return shown;
}

export function setShownLanguage(language: Language): void {
  shown = language;
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/**
 * Times, numbers and names of countries follow the language of the texts and not the browser's, so that each sentence is in one language.
 */
export function locale(): string {
  return LOCALES[shown];
}

/** Creates a format once for each language, because creating one takes longer than drawing a row of a list may. */
export function perLocale<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>();
  return () => {
    const known = made.get(locale()) ?? make(locale());
    made.set(locale(), known);
    return known;
  };
}
