/** The signature, flags and the length of an empty extension (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"). */
const HEADER_BYTES = 19;
/** More than most rows have. */
const ROW_BYTES = 4096;
/** The number of fields that marks the end of the rows. */
const TRAILER = -1;

/** The row lies between `from` and `end`. It has the number of its fields, and then each field after its length. */
type TakeRow = (bytes: Buffer, from: number, end: number) => void;

/** Reads the rows of a binary COPY, in whatever pieces they arrive. */
export class CopiedRows {
  readonly #take: TakeRow;
  /** The incomplete row at the end of the previous chunk. */
  #rest: Buffer = Buffer.alloc(0);
  #begun = false;

  constructor(take: TakeRow) {
    this.#take = take;
  }

  read(chunk: Buffer): void {
    if (!this.#begun) {
      const bytes = Buffer.concat([this.#rest, chunk]);
      this.#begun = bytes.length >= HEADER_BYTES;
      this.#rest = this.#begun ? this.#readRows(bytes, HEADER_BYTES) : bytes;
      return;
    }
    const from = this.#rest.length === 0 ? 0 : this.#readBroken(chunk);
    this.#rest = from === -1 ? this.#readRows(Buffer.concat([this.#rest, chunk]), 0) : this.#readRows(chunk, from);
  }

  /** Reads the row that began in the previous chunk. Returns where the next row begins in this chunk, or -1 if the row is longer. */
  #readBroken(chunk: Buffer): number {
    const before = this.#rest.length;
    const joined = Buffer.concat([this.#rest, chunk.subarray(0, ROW_BYTES)]);
    const left = this.#readRows(joined, 0, 1);
    const read = joined.length - left.length;
    return read > before ? read - before : -1;
  }

  /** Reads up to `rowsMax` complete rows. Returns the rest. */
  #readRows(bytes: Buffer, from: number, rowsMax = Number.POSITIVE_INFINITY): Buffer {
    let at = from;
    let rows = 0;
    for (let end = endOfRow(bytes, at); end !== -1 && rows < rowsMax; end = endOfRow(bytes, at)) {
      this.#take(bytes, at, end);
      at = end;
      rows++;
    }
    return bytes.subarray(at);
  }
}

/** Returns where the row at `from` ends; -1 if it is incomplete, or if it marks the end of the rows. */
function endOfRow(bytes: Buffer, from: number): number {
  if (from + 2 > bytes.length) return -1;
  const fields = bytes.readInt16BE(from);
  if (fields === TRAILER) return -1;
  let at = from + 2;
  for (let field = 0; field < fields; field++) {
    if (at + 4 > bytes.length) return -1;
    const length = bytes.readInt32BE(at);
    at += length > 0 ? 4 + length : 4;
  }
  return at <= bytes.length ? at : -1;
}

/** An instant as a literal, because COPY takes no parameters. */
export function sqlInstant(at: Date): string {
  return `'${at.toISOString()}'::timestamptz`;
}

/** An array of integers, which may be given as texts. */
export function sqlIntegers(numbers: readonly (number | string)[], type: 'integer' | 'bigint'): string {
  return `'{${numbers.map((number) => BigInt(number)).join(',')}}'::${type}[]`;
}
