import { CLICK_TABLE } from './click-table.js';

/** Microseconds between the Unix epoch and 2000-01-01, where PostgreSQL's timestamps begin. */
const POSTGRES_EPOCH_US = 946_684_800_000_000;
const DAY_US = 86_400_000_000;
const WORD = 2 ** 32;
const ID_BYTES = 16;
const FIRST_BYTES = 64 * 1024;
/** A field takes at most as many bytes more in RowBinary than its value has in COPY's format. */
const MORE_BYTES_MAX = ID_BYTES;
/** Where the time of a row begins in COPY's format: after the number of fields, the id, and two lengths. */
const COPY_TIME_AT = 2 + 4 + ID_BYTES + 4;
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

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Rows of one day while they come in. */
class GrowingBlock {
  bytes = Buffer.allocUnsafe(FIRST_BYTES);
  view = viewOf(this.bytes);
  at = 0;
  /** Where each row begins. */
  readonly starts: number[] = [];
  firstBatch = 0x7fff_ffff_ffff_ffffn;
  lastBatch = -1n;
  /** The number of the last row's batch. */
  #batchHigh = Number.NaN;
  #batchLow = Number.NaN;

  reserve(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + bytes));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
    this.view = viewOf(larger);
  }

  /** Rows that follow each other mostly belong to one batch. */
  noteBatch(high: number, low: number): void {
    if (high === this.#batchHigh && low === this.#batchLow) return;
    this.#batchHigh = high;
    this.#batchLow = low;
    const batch = (BigInt(high) << 32n) | BigInt(low);
    if (batch < this.firstBatch) this.firstBatch = batch;
    if (batch > this.lastBatch) this.lastBatch = batch;
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
    const view = viewOf(rows);
    for (let at = 0; at < rows.length; ) at = this.#addRow(rows, view, at);
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

  #blockOf(day: number): GrowingBlock {
    let block = this.#days.get(day);
    if (block === undefined) {
      block = new GrowingBlock();
      this.#days.set(day, block);
    }
    return block;
  }

  /** Returns where the next row begins. A length of -1 is null. */
  #addRow(rows: Buffer, view: DataView, from: number): number {
    const time = view.getInt32(from + COPY_TIME_AT) * WORD + view.getUint32(from + COPY_TIME_AT + 4) + POSTGRES_EPOCH_US;
    const block = this.#blockOf(Math.floor(time / DAY_US));
    let end = from + 2;
    for (let column = 0; column < CLICK_TABLE.length; column++) end += 4 + Math.max(0, view.getInt32(end));
    block.reserve(end - from + CLICK_TABLE.length * MORE_BYTES_MAX);
    block.starts.push(block.at);
    const { bytes, view: target } = block;
    let at = from + 2;
    let next = block.at;
    for (let column = 0; column < CLICK_TABLE.length; column++) {
      const length = view.getInt32(at);
      at += 4;
      if (column === BATCH_COLUMN) block.noteBatch(view.getInt32(at), view.getUint32(at + 4));
      switch (WIRES[column]) {
        case 'text':
          next = writeText(bytes, next, rows, at, length);
          break;
        case 'id':
        case 'id_or_none':
          next = writeId(bytes, next, rows, at, length);
          break;
        case 'time':
          next = writeInt64(target, next, Math.floor(time / WORD), time % WORD);
          break;
        case 'int32':
          target.setInt32(next, view.getInt32(at), true);
          next += 4;
          break;
        case 'boolean':
          bytes[next++] = rows[at] as number;
          break;
        case 'hash_or_null':
          bytes[next++] = length === -1 ? 1 : 0;
          next = writeBytes(bytes, next, rows, at, length);
          break;
        default:
          next = length === -1 ? writeInt64(target, next, 0, 0) : writeInt64(target, next, view.getInt32(at), view.getUint32(at + 4));
      }
      if (length > 0) at += length;
    }
    block.at = next;
    return end;
  }
}

const WIRES = CLICK_TABLE.map(({ wire }) => wire);

/** A call of `Buffer.copy` takes longer than a loop over fewer bytes. */
const COPIED_BYTES_MIN = 64;

/** Returns the position of the next field, as the others do. */
function writeBytes(target: Buffer, at: number, source: Buffer, from: number, length: number): number {
  if (length >= COPIED_BYTES_MIN) return at + source.copy(target, at, from, from + length);
  for (let index = 0; index < length; index++) target[at + index] = source[from + index] as number;
  return at + Math.max(0, length);
}

function writeText(target: Buffer, at: number, source: Buffer, from: number, length: number): number {
  let rest = Math.max(0, length);
  let next = at;
  for (; rest >= 128; rest = Math.floor(rest / 128)) target[next++] = (rest & 127) | 128;
  target[next++] = rest;
  return writeBytes(target, next, source, from, length);
}

function writeId(target: Buffer, at: number, source: Buffer, from: number, length: number): number {
  if (length !== -1) return writeBytes(target, at, source, from, length);
  target.fill(0, at, at + ID_BYTES);
  return at + ID_BYTES;
}

function writeInt64(target: DataView, at: number, high: number, low: number): number {
  target.setUint32(at, low, true);
  target.setInt32(at + 4, high, true);
  return at + 8;
}
