import type { ClickCounts } from '../counts.js';
import { grown, KeyTable } from '../day-count/key-table.js';
import { quarterAt } from '../day-count/logged-clicks.js';
import { TextNumbers } from '../day-count/text-numbers.js';
import { type Column, type ColumnField, UUID_FIELDS } from './column.js';
import { Dictionary, uuidBytes } from './dictionary.js';

const CLICKS_AT_FIRST = 1024;
const HASH_BYTES = 8;

/** A part with more bytes of different texts in a field has no column of it. Visitors choose paths and ids of items, and could fill the memory. */
export const TEXT_BYTES_MAX = 16 * 1024 * 1024;

/** A column that is being filled, in the order of the clicks. */
class GrowingColumn {
  codes = new Int32Array(CLICKS_AT_FIRST);
  /** Whether it has too many texts to become a column. */
  isTooLarge = false;
  /** The code of null is 0; the others are the numbers of the texts, plus 1. */
  #texts = new TextNumbers();
  #textBytes = 0;
  #largest = 0;
  #hasNull = false;
  readonly #textBytesMax: number;

  constructor(textBytesMax: number) {
    this.#textBytesMax = textBytesMax;
  }

  /** Adds a click with the text between the places, or with null if `end` is before `from`. */
  add(place: number, bytes: Uint8Array, from: number, end: number): void {
    if (this.isTooLarge) return;
    if (place === this.codes.length) this.codes = grown(this.codes);
    if (end < from) {
      this.#hasNull = true;
      this.codes[place] = 0;
      return;
    }
    const code = this.#texts.number(bytes, from, end) + 1;
    if (code > this.#largest) {
      this.#largest = code;
      this.#textBytes += end - from;
      if (this.#textBytes > this.#textBytesMax) this.#discard();
    }
    this.codes[place] = code;
  }

  /** Returns the column with its clicks in the order given. */
  column(order: Int32Array, areUuids: boolean): Column {
    const texts = this.#texts;
    const sorted = Array.from({ length: this.#largest }, (_, number) => number).sort((one, other) => texts.compare(one, other));
    const places = new Uint32Array(sorted.length + 1);
    for (const [index, number] of sorted.entries()) places[number + 1] = index + Number(this.#hasNull);
    const values = sorted.map((number) => texts.bytesOf(number));
    return {
      // The texts of uuids have the same order as their bytes.
      dictionary: Dictionary.of(areUuids ? values.map((text) => uuidBytes(text.toString())) : values, this.#hasNull),
      codes: inOrder(order, (click) => places[this.codes[click] as number] as number),
    };
  }

  #discard(): void {
    this.isTooLarge = true;
    this.#texts = new TextNumbers();
    this.codes = new Int32Array(CLICKS_AT_FIRST);
  }
}

/** Makes columns of clicks. The fields are those of the texts of a row, in their order. */
export class PartBuilder {
  readonly #fields: readonly ColumnField[];
  readonly #texts: readonly GrowingColumn[];
  readonly #visitors = new KeyTable();
  #visitorOf = new Int32Array(CLICKS_AT_FIRST);
  #bots = new Int32Array(CLICKS_AT_FIRST);
  #quarters = new Int32Array(CLICKS_AT_FIRST);
  #clicks = 0;

  constructor(fields: readonly ColumnField[], textBytesMax = TEXT_BYTES_MAX) {
    this.#fields = fields;
    this.#texts = fields.map(() => new GrowingColumn(textBytesMax));
  }

  /**
   * Adds a row of a binary COPY, which begins at `from`: the visitor as `bigint`, whether it is a bot, the time, and a text for each field.
   * Each is preceded by its length, which is -1 for null.
   */
  add(bytes: Buffer, from: number): void {
    const click = this.#clicks++;
    if (click === this.#visitorOf.length) {
      this.#visitorOf = grown(this.#visitorOf);
      this.#bots = grown(this.#bots);
      this.#quarters = grown(this.#quarters);
    }
    this.#visitorOf[click] = this.#visitors.place(bytes.readInt32BE(from + 6), bytes.readInt32BE(from + 10), 0);
    this.#bots[click] = bytes[from + 18] as number;
    this.#quarters[click] = quarterAt(bytes, from + 23);
    let at = from + 31;
    for (const text of this.#texts) {
      const length = bytes.readInt32BE(at);
      text.add(click, bytes, at + 4, at + 4 + length);
      at += length > 0 ? 4 + length : 4;
    }
  }

  get counts(): ClickCounts {
    const people = new Uint8Array(this.#visitors.size);
    let human = 0;
    let unique = 0;
    for (let click = 0; click < this.#clicks; click++) {
      if (this.#bots[click] === 1) continue;
      human++;
      const visitor = this.#visitorOf[click] as number;
      if (people[visitor] === 0) unique++;
      people[visitor] = 1;
    }
    return { all: this.#clicks, human, unique };
  }

  /** Returns the columns, without those of fields with too many texts. */
  columns(): ReadonlyMap<ColumnField, Column> {
    const hashes = this.#hashes();
    const order = this.#byVisitor(hashes);
    const columns = new Map<ColumnField, Column>();
    const flags = (flag: (click: number, place: number) => boolean): Column => ({
      dictionary: Dictionary.ofTexts(['0', '1'], false),
      codes: inOrder(order, (click, place) => Number(flag(click, place))),
    });
    columns.set(
      'visitor',
      flags((click, place) => place === 0 || this.#visitorOf[click] !== this.#visitorOf[order[place - 1] as number]),
    );
    columns.set(
      'bot',
      flags((click) => this.#bots[click] === 1),
    );
    const hashEnds = Uint32Array.from({ length: this.#visitors.size }, (_, visitor) => (visitor + 1) * HASH_BYTES);
    columns.set('visitor_hash', { dictionary: new Dictionary(hashes, hashEnds, false), codes: new Uint32Array(0) });
    columns.set('quarter', quartersOf(inOrder(order, (click) => this.#quarters[click] as number)));
    for (const [place, field] of this.#fields.entries()) {
      const text = this.#texts[place] as GrowingColumn;
      if (text.isTooLarge) continue;
      columns.set(field, text.column(order, UUID_FIELDS.has(field)));
    }
    return columns;
  }

  /** Returns the hashes of the visitors, as big-endian bytes, in ascending order. */
  #hashes(): Buffer<ArrayBuffer> {
    const { words, stride, size } = this.#visitors;
    const hashes = new BigUint64Array(size);
    const bytes = Buffer.from(hashes.buffer);
    for (let visitor = 0; visitor < size; visitor++) {
      bytes.writeInt32LE(words[visitor * stride] as number, visitor * HASH_BYTES + 4);
      bytes.writeInt32LE(words[visitor * stride + 1] as number, visitor * HASH_BYTES);
    }
    // Without a function that compares, numbers are sorted ten times as fast.
    hashes.sort();
    return bytes.swap64();
  }

  /** Returns the places of the clicks, visitors in the order of their hashes, by counting sort. */
  #byVisitor(hashes: Buffer): Int32Array {
    const ranks = new Int32Array(this.#visitors.size);
    for (let rank = 0; rank < ranks.length; rank++) {
      const at = rank * HASH_BYTES;
      ranks[this.#visitors.place(hashes.readInt32BE(at), hashes.readInt32BE(at + 4), 0)] = rank;
    }
    const starts = new Int32Array(ranks.length + 1);
    for (let click = 0; click < this.#clicks; click++) (starts[(ranks[this.#visitorOf[click] as number] as number) + 1] as number) += 1;
    for (let rank = 1; rank < starts.length; rank++) (starts[rank] as number) += starts[rank - 1] as number;
    const order = new Int32Array(this.#clicks);
    for (let click = 0; click < this.#clicks; click++) {
      const rank = ranks[this.#visitorOf[click] as number] as number;
      const place = starts[rank] as number;
      order[place] = click;
      starts[rank] = place + 1;
    }
    return order;
  }
}

/** The codes of the clicks in this order. `Uint32Array.from` would take ten times as long. */
function inOrder(order: Int32Array, codeOf: (click: number, place: number) => number): Uint32Array {
  const codes = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) codes[place] = codeOf(order[place] as number, place);
  return codes;
}

function quartersOf(quarters: Uint32Array): Column {
  // All numbers of quarters have seven digits until 2255, and so their texts have the same order.
  const values = [...new Set(quarters)].sort((one, other) => one - other);
  const places = new Map(values.map((quarter, place) => [quarter, place]));
  return { dictionary: Dictionary.ofTexts(values.map(String), false), codes: quarters.map((quarter) => places.get(quarter) as number) };
}
