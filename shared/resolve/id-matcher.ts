import { invariant } from '../base/invariant.js';
import { type CharacterRange, parseCharset } from '../records/charset.js';
import type { IdFormat, IdPreset } from '../records/id-format.js';

/**
 * An id format as tables. A check takes two array reads and a mask per character and no regular expression, and all
 * formats have one hidden class.
 */
export interface IdMatcher {
  /** Lengths in code points. */
  readonly min_length: number;
  readonly max_length: number;
  /** The classes of each ASCII character, as bits. */
  readonly ascii_classes: Uint8Array;
  /** The class that the character at each position must have; empty if it is class 1 everywhere. */
  readonly layout: Uint8Array;
  /** Characters of class 1 beyond ASCII: first and last of each range, ascending. */
  readonly ranges: Uint32Array;
}

/** Why an id does not fit its format; '' if it fits. */
export type IdFault = '' | 'too_short' | 'too_long' | 'invalid_character' | 'dot_segment';

const ANYWHERE = 1;
const SEPARATOR = 2;
const ASCII = 128;

interface PresetTable {
  readonly charset: string;
  readonly min_length: number;
  readonly max_length: number;
}

const PRESETS: Readonly<Record<IdPreset, PresetTable>> = {
  numeric: { charset: '0-9', min_length: 1, max_length: 20 },
  alnum: { charset: 'A-Za-z0-9', min_length: 1, max_length: 64 },
  uuid: { charset: '0-9A-Fa-f', min_length: 36, max_length: 36 },
  // Crockford's alphabet leaves out I, L, O and U (https://www.crockford.com/base32.html).
  ulid: { charset: '0-9A-HJKMNP-TV-Za-hjkmnp-tv-z', min_length: 26, max_length: 26 },
  base64url: { charset: 'A-Za-z0-9_-', min_length: 1, max_length: 128 },
};

/** RFC 9562 section 4: 8-4-4-4-12. */
const UUID_HYPHENS = [8, 13, 18, 23];

const NO_LAYOUT = new Uint8Array(0);

function uuidLayout(): Uint8Array {
  const layout = new Uint8Array(36).fill(ANYWHERE);
  for (const index of UUID_HYPHENS) layout[index] = SEPARATOR;
  return layout;
}

function classesOf(ranges: readonly CharacterRange[]): Uint8Array {
  const classes = new Uint8Array(ASCII);
  for (const range of ranges) for (let code = range.first; code <= range.last && code < ASCII; code++) classes[code] = ANYWHERE;
  return classes;
}

function beyondAscii(ranges: readonly CharacterRange[]): Uint32Array {
  const kept = ranges.filter((range) => range.last >= ASCII);
  return Uint32Array.from(kept.flatMap((range) => [Math.max(range.first, ASCII), range.last]));
}

/** The ranges of characters that ids of the format consist of (a uuid's hyphens aside). */
export function charactersOf(format: IdFormat): readonly CharacterRange[] {
  const parsed = parseCharset(format.kind === 'preset' ? PRESETS[format.preset].charset : format.charset, '');
  invariant(parsed.ok, 'an id format is compiled only after it was accepted');
  return parsed.value;
}

/** Least and greatest number of characters of an id of the format. */
export function lengthsOf(format: IdFormat): { readonly min_length: number; readonly max_length: number } {
  return format.kind === 'preset' ? PRESETS[format.preset] : format;
}

/** Returns the tables of an accepted format. */
export function compileIdFormat(format: IdFormat): IdMatcher {
  const ranges = charactersOf(format);
  const { min_length, max_length } = lengthsOf(format);
  const ascii_classes = classesOf(ranges);
  const isUuid = format.kind === 'preset' && format.preset === 'uuid';
  if (isUuid) ascii_classes[45] = SEPARATOR;
  return { min_length, max_length, ascii_classes, layout: isUuid ? uuidLayout() : NO_LAYOUT, ranges: beyondAscii(ranges) };
}

function inRanges(ranges: Uint32Array, point: number): boolean {
  let low = 0;
  let high = ranges.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point < (ranges[2 * middle] as number)) high = middle;
    else if (point > (ranges[2 * middle + 1] as number)) low = middle + 1;
    else return true;
  }
  return false;
}

/**
 * Returns why the decoded id does not fit the format, or '' if it fits. The ids `.` and `..` fit no format: as a path
 * segment they are an instruction to the client, in any spelling, and could climb out of the folder that a destination
 * names.
 */
export function idFault(matcher: IdMatcher, id: string): IdFault {
  const { ascii_classes, layout, max_length } = matcher;
  let count = 0;
  for (let index = 0; index < id.length; index++, count++) {
    // Checked inside the loop, so that an endless id costs no more than the longest valid one.
    if (count === max_length) return 'too_long';
    const unit = id.charCodeAt(index);
    if (unit < ASCII) {
      const wanted = layout.length === 0 ? ANYWHERE : (layout[count] as number);
      if (((ascii_classes[unit] as number) & wanted) === 0) return 'invalid_character';
    } else {
      const point = id.codePointAt(index) as number;
      if (!inRanges(matcher.ranges, point)) return 'invalid_character';
      if (point > 0xffff) index++;
    }
  }
  if (count < matcher.min_length) return 'too_short';
  return id === '.' || id === '..' ? 'dot_segment' : '';
}
