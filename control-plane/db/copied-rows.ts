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
  /** What has arrived of the next row, or of the header. A row of megabytes is joined once, and not again with each of its pieces. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** How many bytes these must be before anything can be read of them. */
  #needed = HEADER_BYTES;
  #begun = false;

  constructor(take: TakeRow) {
    this.#take = take;
  }

  read(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return;
    const [first = chunk, second] = this.#pieces;
    const broken = this.#begun && second === chunk ? this.#readBroken(first, chunk) : -1;
    if (broken !== -1) this.#readRows(chunk, broken);
    else this.#readRows(second === undefined ? first : Buffer.concat(this.#pieces), this.#begun ? 0 : HEADER_BYTES);
    this.#begun = true;
  }

  /** Reads the row that began in the piece before. Returns where the next row begins in this one, or -1 if the row is longer. */
  #readBroken(before: Buffer, chunk: Buffer): number {
    const joined = Buffer.concat([before, chunk.subarray(0, ROW_BYTES)]);
    const end = endOfRow(joined, 0);
    if (end > joined.length) return -1;
    this.#take(joined, 0, end);
    return end - before.length;
  }

  /** Reads the complete rows and keeps the rest. */
  #readRows(bytes: Buffer, from: number): void {
    let at = from;
    let end = endOfRow(bytes, at);
    while (end <= bytes.length) {
      this.#take(bytes, at, end);
      at = end;
      end = endOfRow(bytes, at);
    }
    this.#pieces = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#bytes = bytes.length - at;
    this.#needed = end - at;
  }
}

/**
 * Returns where the row at `from` ends. If it is incomplete, this is after the end of the bytes, and as far as the row reaches at least; after
 * the last row it is infinite.
 */
function endOfRow(bytes: Buffer, from: number): number {
  if (from + 2 > bytes.length) return from + 2;
  const fields = bytes.readInt16BE(from);
  if (fields === TRAILER) return Number.POSITIVE_INFINITY;
  let at = from + 2;
  for (let field = 0; field < fields; field++) {
    if (at + 4 > bytes.length) return at + 4;
    const length = bytes.readInt32BE(at);
    at += length > 0 ? 4 + length : 4;
  }
  return at;
}

/** An instant as a literal, because COPY takes no parameters. */
export function sqlInstant(at: Date): string {
  return `'${at.toISOString()}'::timestamptz`;
}

/** An array of integers, which may be given as texts. */
export function sqlIntegers(numbers: readonly (number | string)[], type: 'integer' | 'bigint'): string {
  return `'{${numbers.map((number) => BigInt(number)).join(',')}}'::${type}[]`;
}
