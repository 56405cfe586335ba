import { compareBytes } from '../day-count/text-numbers.js';

/** If a dictionary has fewer than one in so many values of another one, they are searched for, which takes some 15 comparisons each. */
const SEARCHED_BELOW = 16;

/**
 * The values of a column, each once, by their places: null at place 0 if it occurs, and after it the others as bytes. No string is made of a
 * value until it is shown, because a day may have many thousands, and most calls show a few.
 */
export class Dictionary {
  /** The values other than null, one after the other. */
  readonly bytes: Buffer;
  /** Where each of them ends. */
  readonly ends: Uint32Array;
  readonly hasNull: boolean;

  constructor(bytes: Buffer, ends: Uint32Array, hasNull: boolean) {
    this.bytes = bytes;
    this.ends = ends;
    this.hasNull = hasNull;
  }

  static of(values: readonly Uint8Array[], hasNull: boolean): Dictionary {
    const ends = new Uint32Array(values.length);
    let end = 0;
    for (const [index, value] of values.entries()) {
      end += value.length;
      ends[index] = end;
    }
    return new Dictionary(Buffer.concat(values), ends, hasNull);
  }

  static ofTexts(values: readonly string[], hasNull: boolean): Dictionary {
    return Dictionary.of(
      values.map((value) => Buffer.from(value)),
      hasNull,
    );
  }

  get size(): number {
    return this.ends.length + Number(this.hasNull);
  }

  isNull(place: number): boolean {
    return this.hasNull && place === 0;
  }

  /** Where the value at the place begins in `bytes`. */
  start(place: number): number {
    const index = place - Number(this.hasNull);
    return index === 0 ? 0 : (this.ends[index - 1] as number);
  }

  end(place: number): number {
    return this.ends[place - Number(this.hasNull)] as number;
  }

  /** The value at the place; null has no bytes. */
  value(place: number): Buffer | null {
    return this.isNull(place) ? null : this.bytes.subarray(this.start(place), this.end(place));
  }

  /** Returns the place of the value; -1 if it does not occur. The values must be in ascending order of their bytes. */
  place(value: Uint8Array | null): number {
    if (value === null) return this.hasNull ? 0 : -1;
    const place = this.lowerBound(value);
    return this.is(place, value) ? place : -1;
  }

  /**
   * Returns the place of the first value, other than null, that is not less than this one, from the place given. The values must be in ascending
   * order. Values that are not far are found by exponential search (Bentley and Yao, 1976, "An almost optimal algorithm for unbounded searching").
   */
  lowerBound(value: Uint8Array, from = 0): number {
    let low = Math.max(from, Number(this.hasNull));
    let step = 1;
    while (low + step <= this.size && this.#compare(low + step - 1, value, 0, value.length) < 0) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step - 1, this.size);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(middle, value, 0, value.length) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether the value at the place, which is not null, is this one. */
  is(place: number, value: Uint8Array): boolean {
    return place < this.size && this.#compare(place, value, 0, value.length) === 0;
  }

  /** Calls `take` for each value other than null that is in both, with its place in the other and its own. Both must be in ascending order. */
  match(other: Dictionary, take: (otherPlace: number, place: number) => void): void {
    let [own, at] = [Number(this.hasNull), Number(other.hasNull)];
    if (other.size * SEARCHED_BELOW < this.size) {
      for (; at < other.size; at++) {
        const place = this.place(other.value(at));
        if (place !== -1) take(at, place);
      }
      return;
    }
    while (own < this.size && at < other.size) {
      const order = this.#compare(own, other.bytes, other.start(at), other.end(at));
      if (order === 0) take(at, own);
      if (order <= 0) own++;
      if (order >= 0) at++;
    }
  }

  #compare(place: number, bytes: Uint8Array, from: number, end: number): number {
    return compareBytes(this.bytes, this.start(place), this.end(place), bytes, from, end);
  }
}

/**
 * Packs the values, which are in ascending order: each as the number of bytes that it shares with the beginning of the one before, the number of
 * its other bytes, and these. "Delta Strings" of Apache Parquet (https://parquet.apache.org/docs/file-format/data-pages/encodings/) share
 * beginnings in the same way.
 */
export function packDictionary({ bytes, ends }: Dictionary): Buffer {
  const packed = Buffer.allocUnsafe(bytes.length + ends.length * 2 * LENGTH_BYTES_MAX + 2 * LENGTH_BYTES_MAX);
  let at = writeLength(packed, writeLength(packed, 0, ends.length), bytes.length);
  let [before, start] = [0, 0];
  for (const end of ends) {
    let shared = 0;
    const most = Math.min(end - start, start - before);
    while (shared < most && bytes[before + shared] === bytes[start + shared]) shared++;
    at = writeLength(packed, writeLength(packed, at, shared), end - start - shared);
    at += bytes.copy(packed, at, start + shared, end);
    [before, start] = [start, end];
  }
  return packed.subarray(0, at);
}

/** The inverse of `packDictionary`. Nearly all lengths take one byte. */
export function unpackDictionary(packed: Buffer, hasNull: boolean): Dictionary {
  const lengths = new PackedLengths(packed);
  const ends = new Uint32Array(lengths.next(0));
  const bytes = Buffer.allocUnsafe(lengths.next(lengths.end));
  let [at, before, start] = [lengths.end, 0, 0];
  for (let index = 0; index < ends.length; index++) {
    let shared = packed[at++] as number;
    if (shared >= 0x80) {
      shared = lengths.next(at - 1);
      at = lengths.end;
    }
    let own = packed[at++] as number;
    if (own >= 0x80) {
      own = lengths.next(at - 1);
      at = lengths.end;
    }
    let to = start;
    for (const end = before + shared; before < end; ) bytes[to++] = bytes[before++] as number;
    for (const end = at + own; at < end; ) bytes[to++] = packed[at++] as number;
    before = start;
    start = to;
    ends[index] = to;
  }
  return new Dictionary(bytes, ends, hasNull);
}

/** Reads lengths that `writeLength` wrote. */
class PackedLengths {
  /** The end of the last one that was read. */
  end = 0;
  readonly #packed: Buffer;

  constructor(packed: Buffer) {
    this.#packed = packed;
  }

  next(from: number): number {
    let [length, shift] = [0, 0];
    for (let at = from; ; shift += 7) {
      const byte = this.#packed[at++] as number;
      length |= (byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      this.end = at;
      return length;
    }
  }
}

/** A length below 2 ** 31 takes so many bytes at most: 7 bits in each, the lowest first, and a bit for whether others follow (LEB128). */
const LENGTH_BYTES_MAX = 5;

function writeLength(packed: Buffer, at: number, length: number): number {
  let [left, end] = [length, at];
  while (left >= 0x80) {
    packed[end++] = (left & 0x7f) | 0x80;
    left >>>= 7;
  }
  packed[end++] = left;
  return end;
}

/** The bytes of a `uuid`. */
export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

/** The inverse of `uuidBytes`. */
export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
