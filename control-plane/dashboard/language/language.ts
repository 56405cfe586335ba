import { useSyncExternalStore } from 'react';
import { keepLanguageChoice, languageChoice, wantedLanguage } from './chosen.js';
import type { Catalogue } from './german/catalogue.js';
import type { Language } from './languages.js';
import { setShownLanguage, shownLanguage } from './shown.js';
import { setTexts } from './text.js';

/** English is in the source. Another language is a file of its own, which is loaded before anything is drawn in it. */
const CATALOGUES: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: async () => ({}),
  de: () => import('./german.js').then(({ GERMAN }) => GERMAN),
};

const DIRECTIONS: Readonly<Record<Language, 'ltr' | 'rtl'>> = { en: 'ltr', de: 'ltr' };

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Resolves once the page has the language's texts. Rejects if they cannot be loaded: the page then keeps the language it has. */
export async function applyLanguage(): Promise<void> {
  const language = wantedLanguage();
  const texts = await CATALOGUES[language]();
  // The reader may have chosen another one meanwhile.
  if (language !== wantedLanguage()) return;
  setTexts(texts);
  setShownLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = DIRECTIONS[language];
  for (const listener of listeners) listener();
}

export async function chooseLanguage(choice: Language | null): Promise<void> {
  keepLanguageChoice(choice);
  for (const listener of listeners) listener();
  await applyLanguage();
}

/** Draws the component again when the language changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, shownLanguage);
}

export function useLanguageChoice(): Language | null {
  return useSyncExternalStore(subscribe, languageChoice);
}
