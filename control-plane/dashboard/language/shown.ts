import type { Language } from './languages.js';

let shown: Language = 'en';

/** The language of the page as it is drawn now. */
export function shownLanguage(): Language {
  return shown;
}

export function setShownLanguage(language: Language): void {
  shown = language;
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** Times, numbers and names of countries follow the language of the texts and not the browser: a sentence has words of one language. */
export function locale(): string {
  return LOCALES[shown];
}

/** A format that is made once for each language: making one takes longer than a row of a list may. */
export function perLocale<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>();
  return () => {
    const known = made.get(locale()) ?? make(locale());
    made.set(locale(), known);
    return known;
  };
}
