import { CLICK_TABLE } from './click-table.js';

/** Microseconds between the Unix epoch and 2000-01-01, where PostgreSQL's timestamps begin. */
const POSTGRES_EPOCH_US = 946_684_800_000_000n;
const DAY_US = 86_400_000_000n;
const ID_BYTES = 16;
const FIRST_BYTES = 64 * 1024;
const TIME_AT = ID_BYTES;
const BATCH_COLUMN = CLICK_TABLE.findIndex(({ name }) => name === 'batch_id');

/** Rows of one day (UTC), which are inserted together. */
export interface ClickBlock {
  /** Days since the epoch. */
  readonly day: number;
  readonly clicks: number;
  /** In RowBinary. */
  readonly bytes: Buffer;
}

/** How many clicks there are, and the exclusive or of the last eight bytes of their ids, as UInt64 and little-endian. */
export interface ClickDigest {
  readonly clicks: number;
  readonly ids: bigint;
}

/** Rows of one day while they come in. */
class GrowingBlock {
  bytes = Buffer.allocUnsafe(FIRST_BYTES);
  at = 0;
  /** Where each row begins. */
  readonly starts: number[] = [];
  firstBatch = 0x7fff_ffff_ffff_ffffn;
  lastBatch = -1n;

  reserve(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + bytes));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  digest(): ClickDigest {
    let [low, high] = [0, 0];
    for (const start of this.starts) {
      low ^= this.bytes.readUInt32LE(start + ID_BYTES - 8);
      high ^= this.bytes.readUInt32LE(start + ID_BYTES - 4);
    }
    return { clicks: this.starts.length, ids: (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0) };
  }

  /** Returns the rows whose ids, as `latin1`, are not in `known`. */
  without(known: ReadonlySet<string>): { clicks: number; bytes: Buffer } {
    if (known.size === 0) return { clicks: this.starts.length, bytes: this.bytes.subarray(0, this.at) };
    const kept = this.starts.flatMap((start, row) =>
      known.has(this.bytes.toString('latin1', start, start + ID_BYTES))
        ? []
        : [this.bytes.subarray(start, this.starts[row + 1] ?? this.at)],
    );
    return { clicks: kept.length, bytes: Buffer.concat(kept) };
  }
}

/**
 * Converts rows of the click log from PostgreSQL's binary COPY format into ClickHouse's RowBinary. The former is what a
 * segment's clicks are made into, and what PostgreSQL's own table is read as, so that a click is the same in both
 * stores. Each day's rows are a block.
 */
export class ClickBlocks {
  readonly #days = new Map<number, GrowingBlock>();

  get days(): readonly number[] {
    return [...this.#days.keys()].sort((one, other) => one - other);
  }

  /** Adds whole rows, without the format's header and trailer. Their columns are those of `CLICK_TABLE`. */
  add(rows: Buffer): void {
    for (let at = 0; at < rows.length; ) at = this.#addRow(rows, at);
  }

  /** Returns the smallest and the largest number of the batches that the day's rows belong to. */
  batches(day: number): { readonly first: bigint; readonly last: bigint } {
    const { firstBatch: first, lastBatch: last } = this.#days.get(day) ?? new GrowingBlock();
    return { first, last };
  }

  digest(day: number): ClickDigest {
    return (this.#days.get(day) ?? new GrowingBlock()).digest();
  }

  /** Returns the rows of a day without those that are stored already, given by their ids as `latin1`. */
  block(day: number, known: ReadonlySet<string>): ClickBlock {
    return { day, ...(this.#days.get(day) ?? new GrowingBlock()).without(known) };
  }

  /** Returns where the next row begins. */
  #addRow(rows: Buffer, from: number): number {
    const microseconds = rows.readBigInt64BE(from + 2 + 4 + ID_BYTES + 4) + POSTGRES_EPOCH_US;
    const day = Number(microseconds / DAY_US);
    let block = this.#days.get(day);
    if (block === undefined) {
      block = new GrowingBlock();
      this.#days.set(day, block);
    }
    let at = from + 2;
    for (const _ of CLICK_TABLE) at += 4 + Math.max(0, rows.readInt32BE(at));
    // A field takes no more in RowBinary than its length and what precedes it there.
    block.reserve(at - from + CLICK_TABLE.length * ID_BYTES);
    block.starts.push(block.at);
    at = from + 2;
    for (const [column, { wire }] of CLICK_TABLE.entries()) {
      const length = rows.readInt32BE(at);
      at += 4;
      if (column === BATCH_COLUMN) {
        const batch = rows.readBigInt64BE(at);
        if (batch < block.firstBatch) block.firstBatch = batch;
        if (batch > block.lastBatch) block.lastBatch = batch;
      }
      block.at = WRITERS[wire](block.bytes, block.at, rows, at, length);
      at += Math.max(0, length);
    }
    block.bytes.writeBigInt64LE(microseconds, (block.starts.at(-1) as number) + TIME_AT);
    return at;
  }
}

/** Writes a field at `at`, from `length` bytes at `from`; a length of -1 is null. Returns the position of the next field. */
type Writer = (target: Buffer, at: number, source: Buffer, from: number, length: number) => number;

const writeInt64: Writer = (target, at, source, from, length) => {
  target.writeBigInt64LE(length === -1 ? 0n : source.readBigInt64BE(from), at);
  return at + 8;
};

const writeBytes: Writer = (target, at, source, from, length) => at + source.copy(target, at, from, from + length);

const WRITERS: Readonly<Record<(typeof CLICK_TABLE)[number]['wire'], Writer>> = {
  id: writeBytes,
  id_or_none: (target, at, source, from, length) => {
    if (length !== -1) return writeBytes(target, at, source, from, length);
    target.fill(0, at, at + ID_BYTES);
    return at + ID_BYTES;
  },
  // Overwritten with a time in the epoch that RowBinary counts from.
  time: writeInt64,
  int32: (target, at, source, from) => target.writeInt32LE(source.readInt32BE(from), at),
  int64: writeInt64,
  int64_or_zero: writeInt64,
  text: (target, at, source, from, length) => {
    let rest = Math.max(0, length);
    let next = at;
    for (; rest >= 128; rest = Math.floor(rest / 128)) target[next++] = (rest & 127) | 128;
    target[next++] = rest;
    return length > 0 ? writeBytes(target, next, source, from, length) : next;
  },
  boolean: (target, at, source, from) => target.writeUInt8(source[from] as number, at),
  hash_or_null: (target, at, source, from, length) => {
    target[at] = length === -1 ? 1 : 0;
    return length === -1 ? at + 1 : writeBytes(target, at + 1, source, from, length);
  },
};
