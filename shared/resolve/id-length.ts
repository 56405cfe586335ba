import type { CharacterRange } from '../records/charset.js';
import type { IdFormat } from '../records/id-format.js';
import { charactersOf, lengthsOf } from './id-matcher.js';
import { encodeForUrl } from './placeholders.js';

const ASCII_LAST = 0x7f;

/** Returns the length of the longest id. Beyond ASCII, the last code point of a range is as long as any other in it. */
function longest(format: IdFormat, lengthOf: (character: string) => number): number {
  const ofRange = ({ first, last }: CharacterRange): number => {
    let most = last > ASCII_LAST ? lengthOf(String.fromCodePoint(last)) : 0;
    for (let code = first; code <= Math.min(last, ASCII_LAST); code++) most = Math.max(most, lengthOf(String.fromCharCode(code)));
    return most;
  };
  return lengthsOf(format).max_length * Math.max(...charactersOf(format).map(ofRange));
}

/** Characters that the longest id of the format can take in a URL, percent-encoded. */
export function longestIdInUrl(format: IdFormat): number {
  return longest(format, (character) => encodeForUrl(character).length);
}

/** Bytes that the longest id of the format can take inside a JSON text in UTF-8. */
export function longestIdInJson(format: IdFormat): number {
  return longest(format, (character) => Buffer.byteLength(JSON.stringify(character)) - 2);
}
