import { shownLanguage } from './shown.js';

/**
 * Sentences of the API for which the page has no words of its own. They stay in English on a page in another language, and are marked as
 * English where they are shown, so that screen readers speak them as English and browsers offer to translate them.
 */
const quoted = new Set<string>();
/** More than a page shows at a time. */
const QUOTED_MAX = 2_000;

export function quote(sentence: string): string {
  if (shownLanguage() === 'en') return sentence;
  if (quoted.size >= QUOTED_MAX) quoted.clear();
  quoted.add(sentence);
  return sentence;
}

/** Marks a text that was made from a sentence as quoted if the sentence itself is quoted. */
export function quotedAs(sentence: string, made: string): string {
  return quoted.has(sentence) ? quote(made) : made;
}

/** The `lang` of an element that shows the sentence; undefined if it is in the page's language. */
export function languageOf(sentence: string | null | undefined): 'en' | undefined {
  return sentence != null && shownLanguage() !== 'en' && quoted.has(sentence) ? 'en' : undefined;
}
