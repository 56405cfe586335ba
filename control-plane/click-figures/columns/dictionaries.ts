import type { ColumnValue, Dictionary } from './column.js';

/** A dictionary whose values are in memory as they are. */
export class ValueDictionary implements Dictionary {
  readonly values: readonly ColumnValue[];

  constructor(values: readonly ColumnValue[]) {
    this.values = values;
  }

  get size(): number {
    return this.values.length;
  }

  value(place: number): ColumnValue {
    return this.values[place] as ColumnValue;
  }

  place(value: ColumnValue): number {
    return this.values.indexOf(value);
  }
}

const UUID_BYTES = 16;

/**
 * A dictionary of the values of `uuid`, as 16 bytes each, in ascending order, and of null, which comes first. A day may have many thousands
 * of links, and most calls need a few of them, so that no string is made of the others.
 */
export class UuidDictionary implements Dictionary {
  readonly uuids: Buffer;
  readonly hasNull: boolean;

  constructor(uuids: Buffer, hasNull: boolean) {
    this.uuids = uuids;
    this.hasNull = hasNull;
  }

  get size(): number {
    return this.uuids.length / UUID_BYTES + Number(this.hasNull);
  }

  value(place: number): string | null {
    const at = (place - Number(this.hasNull)) * UUID_BYTES;
    return at < 0 ? null : uuidAt(this.uuids, at);
  }

  place(value: ColumnValue): number {
    if (value === null) return this.hasNull ? 0 : -1;
    const wanted = uuidBytes([String(value)]);
    let [low, high] = [0, this.uuids.length / UUID_BYTES];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareAt(this.uuids, middle * UUID_BYTES, wanted, 0) < 0) low = middle + 1;
      else high = middle;
    }
    const isFound = low * UUID_BYTES < this.uuids.length && compareAt(this.uuids, low * UUID_BYTES, wanted, 0) === 0;
    return isFound ? low + Number(this.hasNull) : -1;
  }

  /** Calls `take` for each of the values that occurs, with its place. `uuids` has 16 bytes for each value, in ascending order. */
  match(uuids: Buffer, take: (index: number, place: number) => void): void {
    let [own, at] = [0, 0];
    while (own < this.uuids.length && at < uuids.length) {
      const order = compareAt(this.uuids, own, uuids, at);
      if (order === 0) take(at / UUID_BYTES, own / UUID_BYTES + Number(this.hasNull));
      if (order <= 0) own += UUID_BYTES;
      if (order >= 0) at += UUID_BYTES;
    }
  }
}

/** The values of `uuid`, 16 bytes each. */
export function uuidBytes(uuids: readonly string[]): Buffer {
  return Buffer.from(uuids.join('').replaceAll('-', ''), 'hex');
}

function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + UUID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Compares 16 bytes. Most differ in the first four, which are a part of the time at which a link was created, or in the last. */
function compareAt(one: Buffer, at: number, other: Buffer, otherAt: number): number {
  for (let word = 0; word < UUID_BYTES; word += 4) {
    const difference = one.readUInt32BE(at + word) - other.readUInt32BE(otherAt + word);
    if (difference !== 0) return difference;
  }
  return 0;
}
