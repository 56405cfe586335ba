import { useSyncExternalStore } from 'react';
import { listenerSet } from '../state/listener-set.js';
import { keepLanguageChoice, languageChoice, wantedLanguage } from './chosen.js';
import type { Catalogue } from './german/catalogue.js';
import type { Language } from './languages.js';
import { setShownLanguage, shownLanguage } from './shown.js';
import { setTexts } from './text.js';

/** English is in the source. Every other language is a separate file, which is loaded before anything is drawn in that language. */
const CATALOGUES: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: async () => ({}),
  de: () => import('./german.js').then(({ GERMAN }) => GERMAN),
};

const DIRECTIONS: Readonly<Record<Language, 'ltr' | 'rtl'>> = { en: 'ltr', de: 'ltr' };

const { subscribe, tell } = listenerSet();

/**
 * Resolves once the page has the texts of the wanted language. Rejects if they cannot be loaded; the page then keeps its current language.
 */
export async function applyLanguage(): Promise<void> {
  const language = wantedLanguage();
  const texts = await CATALOGUES[language]();
  // The user may have chosen another language in the meantime.
  if (language !== wantedLanguage()) return;
  setTexts(texts);
  setShownLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = DIRECTIONS[language];
  tell();
}

export async function chooseLanguage(choice: Language | null): Promise<void> {
  keepLanguageChoice(choice);
  tell();
  await applyLanguage();
}

/** Draws the component again when the language changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, shownLanguage);
}

export function useLanguageChoice(): Language | null {
  return useSyncExternalStore(subscribe, languageChoice);
}
