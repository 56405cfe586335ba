import { shownLanguage } from './shown.js';

/** A name as it is written within an English sentence, such as "country" and "UTM source". German capitalises its nouns everywhere. */
export function withinSentence(name: string): string {
  const isAbbreviation = /^\p{Lu}{2}/u.test(name);
  return shownLanguage() !== 'en' || isAbbreviation ? name : name.charAt(0).toLowerCase() + name.slice(1);
}
