import { type Column, type ColumnField, unpackCodes } from './column.js';
import type { Columns } from './column-count.js';
import { unpackDictionary } from './dictionary.js';

/** The columns of a part, which are valid until the next one. */
export type TakePart = (columns: Columns, day: string, part: number) => void;

/** Where a row names its day and part: after the number of its fields, ten characters and four bytes, each after its length. */
const [PART_FROM, PART_END] = [2, 24];

/** Whether both rows are of the same part. */
export function isSamePart(row: Buffer, other: Buffer): boolean {
  return row.compare(other, PART_FROM, PART_END, PART_FROM, PART_END) === 0;
}

/** Collects the columns of a part from the rows of its fields, which follow each other. Each field of a row is preceded by its length in four bytes. */
export class PartReader {
  readonly #take: TakePart;
  /** Codes of a field, which are overwritten by those of the next part: new memory for each part would take longer to get than to fill. */
  readonly #codes = new Map<string, Uint32Array>();
  #columns = new Map<ColumnField, Column>();
  #day = '';
  #part = -1;

  constructor(take: TakePart) {
    this.#take = take;
  }

  /** Adds the row at the place, and returns where it ends. */
  add(bytes: Buffer, from: number): number {
    const day = bytesAfter(bytes, from + 2);
    const part = bytes.readInt32BE(day.end + 4);
    const shown = day.bytes.toString();
    if (shown !== this.#day || part !== this.#part) this.end();
    this.#day = shown;
    this.#part = part;
    const clicks = bytes.readInt32BE(day.end + 12);
    const hasNull = bytes[day.end + 20] === 1;
    const bits = bytes.readInt16BE(day.end + 25);
    const field = bytesAfter(bytes, day.end + 27);
    const dictionary = bytesAfter(bytes, field.end);
    const packed = bytesAfter(bytes, dictionary.end);
    const name = field.bytes.toString() as ColumnField;
    const codes = this.#codesOf(name, clicks);
    unpackCodes(packed.bytes, bits, codes);
    this.#columns.set(name, { dictionary: unpackDictionary(dictionary.bytes, hasNull), codes });
    return packed.end;
  }

  /** Passes on the part whose rows have all been added. */
  end(): void {
    if (this.#columns.size === 0) return;
    this.#take(this.#columns, this.#day, this.#part);
    this.#columns = new Map();
  }

  #codesOf(field: string, clicks: number): Uint32Array {
    const known = this.#codes.get(field);
    if (known !== undefined && known.length >= clicks) return known.subarray(0, clicks);
    const codes = new Uint32Array(clicks);
    this.#codes.set(field, codes);
    return codes;
  }
}

/** The bytes of the field whose length is at the place. */
function bytesAfter(bytes: Buffer, at: number): { readonly bytes: Buffer; readonly end: number } {
  const end = at + 4 + bytes.readInt32BE(at);
  return { bytes: bytes.subarray(at + 4, end), end };
}
