import { xxh32 } from '../../mapped/xxh32.js';
import {
  CHECKSUM_WORD,
  CLICK_HEADER_BYTES,
  DEFINITION_HEADER_BYTES,
  DEFINITION_LENGTH_SHORT,
  DEFINITION_NUMBER_SHORT,
  DICTIONARY_ENTRIES_MAX,
  GROUP_BYTES_MAX,
  HEAD_WORD,
  RECORD_CLICK,
  RECORD_DEFINITION,
  RECORD_LENGTH_MASK,
  RECORD_TYPE_SHIFT,
} from '../../spool/record-layout.js';
import type { PreparedText } from './prepared-text.js';

/**
 * Memory into which part of a segment is read, as the number types of its records. It corresponds to an offset in the file that
 * is a multiple of 4.
 */
export class RecordMemory {
  readonly buffer: Buffer;
  readonly bytes: Uint8Array;
  readonly shorts: Uint16Array;
  readonly words: Int32Array;

  constructor(size: number) {
    const memory = new ArrayBuffer(size);
    this.buffer = Buffer.from(memory);
    this.bytes = new Uint8Array(memory);
    this.shorts = new Uint16Array(memory);
    this.words = new Int32Array(memory);
  }
}

/** A text of a segment's dictionary. Entry 0 is the empty text. */
export class DictionaryEntry {
  readonly text: string;
  /** What the shipper derived from the text, while it works on the segment. */
  prepared: PreparedText | null = null;

  constructor(text: string) {
    this.text = text;
  }
}

/** A dictionary that contains only the empty text. */
export function emptyDictionary(): DictionaryEntry[] {
  return [new DictionaryEntry('')];
}

export interface Scan {
  /** Offset in memory up to which every record is whole. */
  end: number;
  /** Clicks found. */
  clicks: number;
  /**
   * Why the scan ended. `end`: at the end of the range. `cut`: the last record continues beyond it. `full`: `offsets` has no
   * more room for clicks. `invalid`: the next bytes are not a record.
   */
  stop: 'end' | 'cut' | 'full' | 'invalid';
}

/** What to scan: `memory` from `from` to `to`, of a segment with this seed. */
export interface ScanRange {
  readonly memory: RecordMemory;
  readonly from: number;
  readonly to: number;
  readonly seed: number;
}

/**
 * Checks the records in a range one after the other. Writes the offsets of clicks into `offsets`, as many as it has room for,
 * and definitions into `dictionary`. Reading the same definitions again changes nothing.
 */
export function scanRecords(range: ScanRange, dictionary: DictionaryEntry[], offsets: Int32Array): Scan {
  const { words } = range.memory;
  const scan: Scan = { end: range.from, clicks: 0, stop: 'end' };
  while (scan.end < range.to) {
    const at = scan.end;
    if (at + 8 > range.to) return stopped(scan, 'cut');
    const head = words[(at >> 2) + HEAD_WORD] as number;
    const length = head & RECORD_LENGTH_MASK;
    const type = head >>> RECORD_TYPE_SHIFT;
    if ((length & 3) !== 0 || length < DEFINITION_HEADER_BYTES || length > GROUP_BYTES_MAX) return stopped(scan, 'invalid');
    if (at + length > range.to) return stopped(scan, 'cut');
    if (xxh32(words, (at >> 2) + HEAD_WORD, (at + length) >> 2, range.seed) !== words[(at >> 2) + CHECKSUM_WORD])
      return stopped(scan, 'invalid');
    if (type === RECORD_CLICK) {
      if (length < CLICK_HEADER_BYTES) return stopped(scan, 'invalid');
      if (scan.clicks === offsets.length) return stopped(scan, 'full');
      offsets[scan.clicks++] = at;
    } else if (type !== RECORD_DEFINITION || !define(range.memory, at, length, dictionary)) return stopped(scan, 'invalid');
    scan.end = at + length;
  }
  return scan;
}

function stopped(scan: Scan, stop: Scan['stop']): Scan {
  scan.stop = stop;
  return scan;
}

function define(memory: RecordMemory, at: number, length: number, dictionary: DictionaryEntry[]): boolean {
  const number = memory.shorts[(at >> 1) + DEFINITION_NUMBER_SHORT] as number;
  const bytes = memory.shorts[(at >> 1) + DEFINITION_LENGTH_SHORT] as number;
  if (number < 1 || number > dictionary.length || number > DICTIONARY_ENTRIES_MAX || DEFINITION_HEADER_BYTES + bytes > length) return false;
  if (number < dictionary.length) return true;
  const textAt = at + DEFINITION_HEADER_BYTES;
  dictionary.push(new DictionaryEntry(memory.buffer.toString('utf8', textAt, textAt + bytes)));
  return true;
}
