import { browserStore } from '../state/storage.js';
import { firstOf, LANGUAGES, type Language } from './languages.js';

const STORAGE_KEY = 'language';

/** The language that the user has chosen; null if the browser decides. */
export function languageChoice(): Language | null {
  const chosen = browserStore.getItem(STORAGE_KEY);
  return LANGUAGES.find((language) => language === chosen) ?? null;
}

export function keepLanguageChoice(choice: Language | null): void {
  if (choice === null) browserStore.removeItem(STORAGE_KEY);
  else browserStore.setItem(STORAGE_KEY, choice);
}

/** The language to show: the chosen one, otherwise the browser's. */
export function wantedLanguage(): Language {
  return languageChoice() ?? firstOf(navigator.languages);
}
