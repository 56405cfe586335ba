import { accepted, type Checked, characterCount, type Issue, refused } from '../base/issue.js';
import { CHARSET_CHARACTERS_MAX } from '../base/limits.js';

/** An inclusive range of code points. */
export interface CharacterRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Code points that no id contains, whatever the charset: control characters, surrogates, and the replacement character,
 * which a lossy decoder makes of bytes that are not UTF-8.
 */
const NEVER: readonly (CharacterRange & { readonly name: string })[] = [
  { first: 0x00, last: 0x1f, name: 'control characters' },
  { first: 0x7f, last: 0x9f, name: 'control characters' },
  { first: 0xd800, last: 0xdfff, name: 'surrogates' },
  { first: 0xfffd, last: 0xfffd, name: 'the replacement character' },
];

const HYPHEN = 45;

function rangeIssue(range: CharacterRange, pointer: string): Issue | null {
  if (range.first > range.last)
    return {
      pointer,
      code: 'invalid_format',
      detail: `The range "${String.fromCodePoint(range.first)}-${String.fromCodePoint(range.last)}" runs backwards.`,
    };
  for (const never of NEVER)
    if (range.first <= never.last && never.first <= range.last)
      return { pointer, code: 'invalid_format', detail: `An id cannot contain ${never.name}.` };
  return null;
}

/**
 * Returns the ranges of a charset: literal characters and ranges such as `a-z`. A `-` that stands for itself comes
 * last. No character has another meaning, so `\`, `[` and `^` stand for themselves.
 */
export function parseCharset(charset: string, pointer: string): Checked<readonly CharacterRange[]> {
  if (charset === '') return refused([{ pointer, code: 'invalid_format', detail: 'A charset must have at least one character.' }]);
  if (characterCount(charset) > CHARSET_CHARACTERS_MAX)
    return refused([{ pointer, code: 'too_long', detail: `A charset must have at most ${CHARSET_CHARACTERS_MAX} characters.` }]);
  const points = Array.from(charset, (character) => character.codePointAt(0) as number);
  const ranges: CharacterRange[] = [];
  for (let index = 0; index < points.length; ) {
    const first = points[index] as number;
    if (first === HYPHEN && index !== points.length - 1)
      return refused([{ pointer, code: 'invalid_format', detail: 'Put a literal "-" last in a charset.' }]);
    const isRange = points[index + 1] === HYPHEN && index + 2 < points.length;
    const range = { first, last: isRange ? (points[index + 2] as number) : first };
    const issue = rangeIssue(range, pointer);
    if (issue !== null) return refused([issue]);
    ranges.push(range);
    index += isRange ? 3 : 1;
  }
  return accepted(mergeRanges(ranges));
}

/** Returns the ranges sorted, disjoint and not touching, as the binary search of the matcher needs them. */
function mergeRanges(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const merged: CharacterRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before !== undefined && range.first <= before.last + 1)
      merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
    else merged.push(range);
  }
  return merged;
}
