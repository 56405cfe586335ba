import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { destinationOf, pathOf } from '../load/links.js';
import { type Bytes, bytesOf, mapFile } from './mapped.js';

/** What a visitor's browser runs on, in the order of a link's destinations. */
export const IOS = 0;
export const ANDROID = 1;
export const WEB = 2;
export const DESKTOP = 3;
const DESTINATIONS = 4;

const ID_BYTES = 26;
/** The layout of a record: 1 byte of state, 4 of expiry, 2 for the end of each destination, the id. */
const EXPIRES = 1;
const ENDS = 5;
const ID = ENDS + 2 * DESTINATIONS;
const TEXTS = ID + ID_BYTES;
/** The length and the path before a record, and all texts of the longest link here. */
const RECORD_BYTES_MAX = 1 + 8 + TEXTS + 64;

/**
 * As many links as the bench's store contains, each with one destination for browsers, in two mapped files: a table of
 * hashes and positions, and the records one after the other. It has only what a lookup cannot do without: no checksum,
 * no version, no environment, and no writer.
 */
export class FloorIndex {
  readonly #slots: Int32Array;
  readonly #records: Bytes;
  readonly #view: DataView;
  readonly #mask: number;

  constructor(folder: string, links: number) {
    const built = build(links);
    const [slots, records] = [join(folder, 'slots'), join(folder, 'records')];
    writeFileSync(slots, Buffer.from(built.slots.buffer));
    writeFileSync(records, built.records);
    const mapped = mapFile(slots, built.slots.byteLength, false);
    this.#slots = new Int32Array(mapped.buffer, mapped.byteOffset, built.slots.length);
    this.#records = mapFile(records, built.records.length, false);
    this.#view = new DataView(this.#records.buffer, this.#records.byteOffset, this.#records.length);
    this.#mask = built.slots.length / 2 - 1;
  }

  /** Returns where the record of the URL's path begins; -1 if there is none. */
  find(url: string): number {
    const hash = hashOf(url, 1);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const place = this.#slots[2 * slot + 1] as number;
      if (place === 0) return -1;
      if (this.#slots[2 * slot] !== hash || this.#records[place] !== url.length - 1) continue;
      let index = 1;
      while (index < url.length && this.#records[place + index] === url.charCodeAt(index)) index++;
      if (index === url.length) return place + index;
    }
  }

  isActive(record: number): boolean {
    return this.#records[record] === 1;
  }

  /** Seconds since the epoch; 0 if it does not expire. */
  expiresAt(record: number): number {
    return this.#view.getUint32(record + EXPIRES, true);
  }

  /** The destination for the system, else the one for browsers. */
  destination(record: number, system: number): string {
    let end = this.#end(record, system);
    let start = system === 0 ? TEXTS : this.#end(record, system - 1);
    if (start === end) {
      end = this.#end(record, WEB);
      start = this.#end(record, WEB - 1);
    }
    return this.#records.latin1Slice(record + start, record + end);
  }

  #end(record: number, destination: number): number {
    return this.#view.getUint16(record + ENDS + 2 * destination, true);
  }
}

interface Built {
  readonly slots: Int32Array;
  readonly records: Bytes;
}

function build(links: number): Built {
  let capacity = 1;
  while (capacity < links * 2) capacity *= 2;
  const slots = new Int32Array(capacity * 2);
  const records = bytesOf(Buffer.alloc(links * RECORD_BYTES_MAX + 64));
  // Position 0 means an empty slot.
  let used = 4;
  for (let n = 0; n < links; n++) {
    const path = pathOf(n);
    const place = used;
    records[place] = path.length;
    used = writeRecord(records, place + 1 + records.latin1Write(path, place + 1, path.length), n);
    const hash = hashOf(path, 0);
    let slot = hash & (capacity - 1);
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & (capacity - 1);
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = place;
  }
  return { slots, records: bytesOf(records.subarray(0, used)) };
}

/** Returns where the next record begins. */
function writeRecord(records: Bytes, record: number, n: number): number {
  const destination = destinationOf(n);
  records[record] = 1;
  records.latin1Write(n.toString(36).padStart(ID_BYTES, '0'), record + ID, ID_BYTES);
  let end = TEXTS;
  for (let system = 0; system < DESTINATIONS; system++) {
    if (system === WEB) end += records.latin1Write(destination, record + end, destination.length);
    records.writeUInt16LE(end, record + ENDS + 2 * system);
  }
  return Math.ceil((record + end) / 4) * 4;
}

/** FNV-1a, and two steps that mix the high bits into the low ones, which choose the slot. */
function hashOf(text: string, from: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = from; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) | 0;
}
