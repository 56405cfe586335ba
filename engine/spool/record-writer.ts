import { xxh32 } from '../mapped/xxh32.js';
import { ADDRESS_TEXT_BYTES_MAX } from './address-cipher.js';
import type { Click } from './click.js';
import { Keystream } from './keystream.js';
import {
  align4,
  CHECKSUM_WORD,
  CLICK_HEADER_BYTES,
  DEFINITION_HEADER_BYTES,
  DEFINITION_LENGTH_SHORT,
  DEFINITION_NUMBER_SHORT,
  DICTIONARY_ENTRIES_MAX,
  DICTIONARY_FIELDS,
  DICTIONARY_INLINE,
  DICTIONARY_SHORT,
  DICTIONARY_TEXT_CHARACTERS_MAX,
  ENVIRONMENT_WORD,
  FIELD_BYTES_MAX,
  FLAG_ADDRESS_4,
  FLAG_ADDRESS_16,
  FLAG_HINT_ANDROID,
  FLAG_HINT_IOS,
  FLAG_PARAMS_DROPPED,
  FLAG_QR,
  HEAD_WORD,
  INLINE_LENGTH_BYTES,
  KIND_AND_FLAGS_SHORT,
  LENGTHS_SHORT,
  RECORD_CLICK,
  RECORD_DEFINITION,
  RECORD_TYPE_SHIFT,
  TEXT_FIELDS,
  TIME_HIGH_SHORT,
  TIME_LOW_WORD,
} from './record-layout.js';

/**
 * A text of this many characters or fewer is copied in JavaScript. A longer one is copied by the runtime, where a call alone
 * costs as much as copying this many. As the referrer, browsers send no more than the origin of another site, which is usually
 * shorter.
 */
const COPY_CHARACTERS_MAX = 32;

/** The numbers of a click's dictionary texts, by their offset in units of 2 bytes. */
const USER_AGENT = DICTIONARY_SHORT + DICTIONARY_FIELDS.indexOf('user_agent');
const HOST = DICTIONARY_SHORT + DICTIONARY_FIELDS.indexOf('host');
const CAMPAIGN = DICTIONARY_SHORT + DICTIONARY_FIELDS.indexOf('campaign');
const UTM = DICTIONARY_SHORT + DICTIONARY_FIELDS.indexOf('utm');
const BOT_REASON = DICTIONARY_SHORT + DICTIONARY_FIELDS.indexOf('bot_reason');
const COUNTRY = DICTIONARY_SHORT + DICTIONARY_FIELDS.indexOf('country');

/** The lengths of its other texts, likewise. */
const SUBJECT_ID = LENGTHS_SHORT + TEXT_FIELDS.indexOf('subject_id');
const RESOURCE_TYPE_ID = LENGTHS_SHORT + TEXT_FIELDS.indexOf('resource_type_id');
const ITEM_ID = LENGTHS_SHORT + TEXT_FIELDS.indexOf('item_id');
const PATH = LENGTHS_SHORT + TEXT_FIELDS.indexOf('path');
const REFERRER = LENGTHS_SHORT + TEXT_FIELDS.indexOf('referrer');
const QUERY = LENGTHS_SHORT + TEXT_FIELDS.indexOf('query');
const DESTINATION = LENGTHS_SHORT + TEXT_FIELDS.indexOf('destination');
const ADDRESS_TEXT = LENGTHS_SHORT + TEXT_FIELDS.indexOf('address_text');

/** A placeholder: nothing is written before `reset`. */
const NO_SEGMENT = new Keystream(Buffer.alloc(16), ADDRESS_TEXT_BYTES_MAX);

/**
 * Encodes clicks into memory in the format of record-layout.ts. It holds the state of one segment: the memory, the checksum seed and
 * the dictionary. It allocates nothing for a click whose repeating texts are known.
 */
export class RecordWriter {
  readonly #buffer: Buffer;
  readonly #bytes: Uint8Array;
  readonly #shorts: Uint16Array;
  readonly #words: Int32Array;
  readonly #dictionary = new Map<string, number>();
  #seed = 0;
  /** The keystream that encrypts the segment's addresses. */
  #addresses = NO_SEGMENT;
  /** Where the next byte goes while a click is being written. */
  #at = 0;
  /** Texts defined by the latest `write`. */
  readonly #fresh: string[] = [];

  /** `memory` must start at a multiple of 4 of its ArrayBuffer and be zero where records will be written. */
  constructor(memory: Buffer) {
    this.#buffer = memory;
    this.#bytes = new Uint8Array(memory.buffer, memory.byteOffset, memory.length);
    this.#shorts = new Uint16Array(memory.buffer, memory.byteOffset, memory.length >> 1);
    this.#words = new Int32Array(memory.buffer, memory.byteOffset, memory.length >> 2);
  }

  /** Begins a new segment. */
  reset(seed: number, addresses: Keystream): void {
    this.#seed = seed;
    this.#addresses = addresses;
    this.#dictionary.clear();
    this.#fresh.length = 0;
  }

  /** Takes back the definitions of the latest `write`, which did not reach the file. */
  forgetNewest(): void {
    for (const text of this.#fresh) this.#dictionary.delete(text);
    this.#fresh.length = 0;
  }

  /**
   * Writes click number `number` of the segment at offset `at`, preceded by the definitions that it needs. Returns where the
   * next record goes. Writes at most `GROUP_BYTES_MAX` bytes.
   */
  write(click: Click, at: number, number: number): number {
    // Setting the length of an array calls into the runtime.
    if (this.#fresh.length > 0) this.#fresh.length = 0;
    this.#at = at;
    const userAgent = this.#refer(click.user_agent);
    const host = this.#refer(click.host);
    const campaign = this.#refer(click.campaign);
    const utm = this.#refer(click.utm);
    const botReason = this.#refer(click.bot_reason);
    const country = this.#refer(click.country);
    const start = this.#at;
    const short = start >> 1;
    const shorts = this.#shorts;
    shorts[short + USER_AGENT] = userAgent;
    shorts[short + HOST] = host;
    shorts[short + CAMPAIGN] = campaign;
    shorts[short + UTM] = utm;
    shorts[short + BOT_REASON] = botReason;
    shorts[short + COUNTRY] = country;
    this.#at = this.#writeFields(click, start);
    const address = click.address_bytes;
    const inBytes = address !== null && (address.length === 4 || address.length === 16);
    // A click has its address in one of the two forms only, so its part of the keystream is used once.
    const keystreamAt = this.#addresses.startOf(number);
    this.#addressText(inBytes ? '' : click.address_text, short + ADDRESS_TEXT, keystreamAt);
    if (userAgent === DICTIONARY_INLINE) this.#inline(click.user_agent);
    if (host === DICTIONARY_INLINE) this.#inline(click.host);
    if (campaign === DICTIONARY_INLINE) this.#inline(click.campaign);
    if (utm === DICTIONARY_INLINE) this.#inline(click.utm);
    if (botReason === DICTIONARY_INLINE) this.#inline(click.bot_reason);
    if (country === DICTIONARY_INLINE) this.#inline(click.country);
    if (inBytes) this.#socketAddress(address, short, keystreamAt);
    return this.#finish(RECORD_CLICK, start, this.#at);
  }

  #writeFields(click: Click, start: number): number {
    const short = start >> 1;
    const time = click.occurred_at_ms;
    this.#words[(start >> 2) + TIME_LOW_WORD] = time | 0;
    this.#shorts[short + TIME_HIGH_SHORT] = time / 0x100000000;
    let flags = click.params_dropped ? FLAG_PARAMS_DROPPED : 0;
    if (click.qr) flags |= FLAG_QR;
    if (click.platform_hint !== '') flags |= click.platform_hint === 'ios' ? FLAG_HINT_IOS : FLAG_HINT_ANDROID;
    this.#shorts[short + KIND_AND_FLAGS_SHORT] = (click.kind & 255) | (flags << 8);
    this.#words[(start >> 2) + ENVIRONMENT_WORD] = click.environment_number;
    let at = start + CLICK_HEADER_BYTES;
    const { texts } = click;
    at =
      texts === null
        ? this.#text(click.subject_id, at, short + SUBJECT_ID)
        : this.#copy(texts.bytes, texts.id_start, texts.id_end, at, short + SUBJECT_ID);
    at = this.#text(click.resource_type_id, at, short + RESOURCE_TYPE_ID);
    at = this.#text(click.item_id, at, short + ITEM_ID);
    at =
      texts === null
        ? this.#text(click.path, at, short + PATH)
        : this.#copy(texts.bytes, texts.path_start, texts.path_end, at, short + PATH);
    at = this.#text(click.referrer, at, short + REFERRER);
    at = this.#text(click.query, at, short + QUERY);
    return texts === null
      ? this.#text(click.destination, at, short + DESTINATION)
      : this.#copy(texts.bytes, texts.destination_start, texts.destination_end, at, short + DESTINATION);
  }

  /** The text is encrypted as it is written, because the kernel may write this memory into the file at any moment. */
  #addressText(text: string, lengthAt: number, from: number): void {
    // No address is longer.
    const characters = text.length <= ADDRESS_TEXT_BYTES_MAX ? text.length : 0;
    this.#shorts[lengthAt] = characters;
    const keystream = this.#addresses.bytes;
    for (let index = 0; index < characters; index++)
      this.#bytes[this.#at++] = (text.charCodeAt(index) & 127) ^ (keystream[from + index] as number);
  }

  #socketAddress(address: Uint8Array, short: number, from: number): void {
    const flag = address.length === 4 ? FLAG_ADDRESS_4 : FLAG_ADDRESS_16;
    this.#shorts[short + KIND_AND_FLAGS_SHORT] = (this.#shorts[short + KIND_AND_FLAGS_SHORT] as number) | (flag << 8);
    const keystream = this.#addresses.bytes;
    for (let index = 0; index < address.length; index++)
      this.#bytes[this.#at++] = (address[index] as number) ^ (keystream[from + index] as number);
  }

  /** Returns the text's number. A text without a number gets one, and its definition is written. */
  #refer(text: string): number {
    if (text === '') return 0;
    const known = this.#dictionary.get(text);
    if (known !== undefined) return known;
    if (text.length > DICTIONARY_TEXT_CHARACTERS_MAX || this.#dictionary.size >= DICTIONARY_ENTRIES_MAX) return DICTIONARY_INLINE;
    const number = this.#dictionary.size + 1;
    this.#dictionary.set(text, number);
    this.#fresh.push(text);
    const start = this.#at;
    this.#shorts[(start >> 1) + DEFINITION_NUMBER_SHORT] = number;
    const end = this.#text(text, start + DEFINITION_HEADER_BYTES, (start >> 1) + DEFINITION_LENGTH_SHORT);
    this.#at = this.#finish(RECORD_DEFINITION, start, end);
    return number;
  }

  /** Writes the text at `at` and its length in bytes into `shorts[lengthAt]`. Returns where the text ends. */
  #text(text: string, at: number, lengthAt: number): number {
    const characters = text.length;
    const bytes = this.#bytes;
    let written = 0;
    if (characters <= COPY_CHARACTERS_MAX) {
      for (; written < characters; written++) {
        const code = text.charCodeAt(written);
        if (code > 127) break;
        bytes[at + written] = code;
      }
    }
    if (written < characters) written = this.#buffer.write(text, at, FIELD_BYTES_MAX);
    this.#shorts[lengthAt] = written;
    return at + written;
  }

  /** Copies the bytes from `start` to `end` to `at`, and writes their number into `shorts[lengthAt]`. Returns where the copy ends. */
  #copy(from: Uint8Array, start: number, end: number, at: number, lengthAt: number): number {
    const bytes = this.#bytes;
    const length = end - start;
    for (let index = 0; index < length; index++) bytes[at + index] = from[start + index] as number;
    this.#shorts[lengthAt] = length;
    return at + length;
  }

  #inline(text: string): void {
    const at = this.#at;
    const written = this.#buffer.write(text, at + INLINE_LENGTH_BYTES, FIELD_BYTES_MAX);
    this.#bytes[at] = written & 255;
    this.#bytes[at + 1] = written >> 8;
    this.#at = at + INLINE_LENGTH_BYTES + written;
  }

  #finish(type: number, start: number, textEnd: number): number {
    const end = align4(textEnd);
    // The memory may contain remains of an append that failed.
    for (let at = textEnd; at < end; at++) this.#bytes[at] = 0;
    const word = start >> 2;
    this.#words[word + HEAD_WORD] = (end - start) | (type << RECORD_TYPE_SHIFT);
    this.#words[word + CHECKSUM_WORD] = xxh32(this.#words, word + HEAD_WORD, end >> 2, this.#seed);
    return end;
  }
}
