import {
  CLICK_HEADER_BYTES,
  clickTime,
  DICTIONARY_FIELDS,
  DICTIONARY_INLINE,
  DICTIONARY_SHORT,
  ENVIRONMENT_WORD,
  FLAG_ADDRESS_4,
  FLAG_ADDRESS_16,
  HEAD_WORD,
  INLINE_LENGTH_BYTES,
  KIND_AND_FLAGS_SHORT,
  LENGTHS_SHORT,
  RECORD_LENGTH_MASK,
  TEXT_FIELDS,
} from '../../spool/record-layout.js';
import { DictionaryEntry, type RecordMemory } from './segment-scan.js';

/** Indexes of the texts in `starts` and `ends`. */
export const SUBJECT_ID = TEXT_FIELDS.indexOf('subject_id');
export const RESOURCE_TYPE_ID = TEXT_FIELDS.indexOf('resource_type_id');
export const ITEM_ID = TEXT_FIELDS.indexOf('item_id');
export const PATH = TEXT_FIELDS.indexOf('path');
export const REFERRER = TEXT_FIELDS.indexOf('referrer');
export const QUERY = TEXT_FIELDS.indexOf('query');
export const DESTINATION = TEXT_FIELDS.indexOf('destination');
export const ADDRESS_TEXT = TEXT_FIELDS.indexOf('address_text');

/** Indexes of the dictionary's texts in `entries`. */
export const USER_AGENT = DICTIONARY_FIELDS.indexOf('user_agent');
export const HOST = DICTIONARY_FIELDS.indexOf('host');
export const CAMPAIGN = DICTIONARY_FIELDS.indexOf('campaign');
export const UTM = DICTIONARY_FIELDS.indexOf('utm');
export const BOT_REASON = DICTIONARY_FIELDS.indexOf('bot_reason');
export const COUNTRY = DICTIONARY_FIELDS.indexOf('country');

/**
 * Where the parts of a click record are in memory. One object is reused for every click, because the shipper reads hundreds of
 * thousands a second.
 */
export class ClickFields {
  memory: RecordMemory;
  occurred_at_ms = 0;
  kind = 0;
  flags = 0;
  environment_number = 0;
  readonly starts = new Int32Array(TEXT_FIELDS.length);
  readonly ends = new Int32Array(TEXT_FIELDS.length);
  readonly entries: DictionaryEntry[] = [];
  /** The socket's address; `address_bytes` is 0, 4 or 16. */
  address_start = 0;
  address_bytes = 0;

  constructor(memory: RecordMemory) {
    this.memory = memory;
  }

  /**
   * Reads the record at `at`, whose checksum is correct. Returns false if its parts do not fit together; then none of our
   * writers made it.
   */
  read(at: number, dictionary: readonly DictionaryEntry[]): boolean {
    const { buffer, bytes, shorts, words } = this.memory;
    const short = at >> 1;
    const end = at + ((words[(at >> 2) + HEAD_WORD] as number) & RECORD_LENGTH_MASK);
    this.occurred_at_ms = clickTime(shorts, words, at);
    const kindAndFlags = shorts[short + KIND_AND_FLAGS_SHORT] as number;
    this.kind = kindAndFlags & 255;
    this.flags = kindAndFlags >> 8;
    this.environment_number = words[(at >> 2) + ENVIRONMENT_WORD] as number;
    let next = at + CLICK_HEADER_BYTES;
    for (let field = 0; field < TEXT_FIELDS.length; field++) {
      this.starts[field] = next;
      next += shorts[short + LENGTHS_SHORT + field] as number;
      this.ends[field] = next;
    }
    for (let field = 0; field < DICTIONARY_FIELDS.length; field++) {
      const number = shorts[short + DICTIONARY_SHORT + field] as number;
      let entry: DictionaryEntry | undefined;
      if (number !== DICTIONARY_INLINE) entry = dictionary[number];
      else {
        const from = next + INLINE_LENGTH_BYTES;
        if (from > end) return false;
        next = from + ((bytes[next] as number) | ((bytes[next + 1] as number) << 8));
        if (next > end) return false;
        entry = new DictionaryEntry(buffer.toString('utf8', from, next));
      }
      if (entry === undefined) return false;
      this.entries[field] = entry;
    }
    this.address_start = next;
    this.address_bytes = this.flags & FLAG_ADDRESS_4 ? 4 : this.flags & FLAG_ADDRESS_16 ? 16 : 0;
    return next + this.address_bytes <= end;
  }

  isEmpty(field: number): boolean {
    return this.starts[field] === this.ends[field];
  }

  text(field: number): string {
    return this.memory.buffer.toString('utf8', this.starts[field], this.ends[field]);
  }
}
