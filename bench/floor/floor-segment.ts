import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bytes, mapFile } from './mapped.js';

const SEGMENT_BYTES = 64 * 1024 * 1024;
const HEADER_BYTES = 16;
/** No click is larger. */
const CLICK_BYTES_MAX = 4096;
/** The first byte of a record. */
const USER_AGENT = 0x55;
const CLICK = 0x43;
const TEXT_CHARACTERS_MAX = 250;
/** Texts of up to this many characters are copied here, longer ones by the runtime. */
const COPY_CHARACTERS_MAX = 24;

/** One mapped segment of clicks, which starts again from the beginning when it is full. Nobody reads it. */
export class FloorSegment {
  readonly #bytes: Bytes;
  readonly #view: DataView;
  #at = HEADER_BYTES;

  constructor(folder: string) {
    const path = join(folder, 'segment');
    writeFileSync(path, Buffer.alloc(SEGMENT_BYTES));
    this.#bytes = mapFile(path, SEGMENT_BYTES, true);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, SEGMENT_BYTES);
  }

  /** Stores which user agent a number stands for. */
  defineUserAgent(number: number, text: string): void {
    this.#bytes[this.#at++] = USER_AGENT;
    this.#view.setUint32(this.#at, number, true);
    this.#at += 4;
    this.#text(text);
  }

  click(click: FloorClick): void {
    const at = this.#at;
    this.#bytes[at] = CLICK;
    this.#bytes[at + 1] = click.system;
    this.#view.setFloat64(at + 2, click.at_ms, true);
    this.#view.setUint32(at + 10, click.user_agent, true);
    this.#view.setUint32(at + 14, click.record, true);
    this.#at = at + 18;
    this.#text(click.referrer);
    this.#text(click.query);
    this.#text(click.address);
    // How much was stored so far, for a possible reader.
    this.#view.setUint32(0, this.#at, true);
    if (this.#at > SEGMENT_BYTES - CLICK_BYTES_MAX) this.#at = HEADER_BYTES;
  }

  #text(text: string): void {
    const length = Math.min(text.length, TEXT_CHARACTERS_MAX);
    this.#bytes[this.#at++] = length;
    if (length > COPY_CHARACTERS_MAX) this.#bytes.latin1Write(text, this.#at, length);
    else for (let index = 0; index < length; index++) this.#bytes[this.#at + index] = text.charCodeAt(index);
    this.#at += length;
  }
}

/** One object, which is filled again for each click. */
export interface FloorClick {
  system: number;
  at_ms: number;
  /** Number of the user agent. */
  user_agent: number;
  /** Position of the link in the index. */
  record: number;
  referrer: string;
  query: string;
  address: string;
}
