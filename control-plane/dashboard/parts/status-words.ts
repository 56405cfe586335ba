import { wordsOfCode } from '../language/text.js';

/** The words for a state, an outcome or a kind, which the API names by an English word. */
export function statusWord(status: string): string {
  return wordsOfCode('status', status) ?? status.replaceAll('_', ' ');
}
