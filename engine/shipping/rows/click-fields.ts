import {
  CLICK_HEADER_BYTES,
  DICTIONARY_FIELDS,
  DICTIONARY_INLINE,
  FLAG_ADDRESS_4,
  FLAG_ADDRESS_16,
  RECORD_LENGTH_MASK,
  TEXT_FIELDS,
} from '../../spool/segment.js';
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
    const end = at + ((words[(at >> 2) + 1] as number) & RECORD_LENGTH_MASK);
    this.occurred_at_ms = (shorts[short + 6] as number) * 0x100000000 + ((words[(at >> 2) + 2] as number) >>> 0);
    const kindAndFlags = shorts[short + 7] as number;
    this.kind = kindAndFlags & 255;
    this.flags = kindAndFlags >> 8;
    this.environment_number = words[(at >> 2) + 4] as number;
    let next = at + CLICK_HEADER_BYTES;
    for (let field = 0; field < TEXT_FIELDS.length; field++) {
      this.starts[field] = next;
      next += shorts[short + 16 + field] as number;
      this.ends[field] = next;
    }
    for (let field = 0; field < DICTIONARY_FIELDS.length; field++) {
      const number = shorts[short + 10 + field] as number;
      let entry: DictionaryEntry | undefined;
      if (number !== DICTIONARY_INLINE) entry = dictionary[number];
      else {
        const from = next + 2;
        if (from > end) return false;
        next = from + ((bytes[from - 2] as number) | ((bytes[from - 1] as number) << 8));
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
