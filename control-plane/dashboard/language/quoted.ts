import { shownLanguage } from './shown.js';

/**
 * Sentences of the API that the page has no words of its own for. They stay in English on a page in another language, and are marked as
 * that where they are shown: a screen reader speaks them as English, and a browser offers to translate them.
 */
const quoted = new Set<string>();
/** What is shown at a time is a page of it at most. */
const QUOTED_MAX = 2_000;

export function quote(sentence: string): string {
  if (shownLanguage() === 'en') return sentence;
  if (quoted.size >= QUOTED_MAX) quoted.clear();
  quoted.add(sentence);
  return sentence;
}

/** Quotes what was made of a sentence if that one is quoted. */
export function quotedAs(sentence: string, made: string): string {
  return quoted.has(sentence) ? quote(made) : made;
}

/** The `lang` of an element that shows the sentence; undefined if it is in the page's language. */
export function languageOf(sentence: string | null | undefined): 'en' | undefined {
  return sentence != null && shownLanguage() !== 'en' && quoted.has(sentence) ? 'en' : undefined;
}
