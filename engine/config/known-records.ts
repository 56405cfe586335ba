import { decodeRecord, type StoredObject } from '../../shared/feed/codec.js';
import type { StoreEnvironment } from '../store/environment.js';
import type { KeyRange } from '../store/keys.js';

interface Known<Record> {
  readonly key: string;
  readonly bytes: Buffer;
  readonly record: Record;
}

/**
 * The records of one kind as a reader last knew them, in the order of their keys. The same bytes give the same object again, so that what
 * was derived from a record can be kept for as long as the record stays.
 */
export class KnownRecords<Record extends StoredObject> {
  readonly #range: KeyRange<Record>;
  #known: Known<Record>[] = [];
  #complete = false;
  #records: readonly Record[] | null = null;

  constructor(range: KeyRange<Record>) {
    this.#range = range;
  }

  /** Returns the same list again until something is read that has changed. */
  records(): readonly Record[] {
    this.#records ??= this.#known.map(({ record }) => record);
    return this.#records;
  }

  /** Whether `records` is complete. False before the first read, and while a damaged value has no last known version. */
  isComplete(): boolean {
    return this.#complete;
  }

  /**
   * Reads the kind again: of the keys that have changed since the last call those that belong to it, or all of it if `changed` is null. A
   * damaged value is reported and kept as it was last known. Throws LMDB's errors, and then keeps what it has read of single keys.
   */
  read(environment: StoreEnvironment, changed: ReadonlySet<string> | null, onDamage: (key: string) => void): void {
    if (changed === null) this.#readAll(environment, onDamage);
    else for (const key of changed) if (key >= this.#range.start && key < this.#range.end) this.#readOne(environment, key, onDamage);
  }

  #readAll(environment: StoreEnvironment, onDamage: (key: string) => void): void {
    const read: Known<Record>[] = [];
    let complete = true;
    let place = 0;
    for (const { key, value } of environment.getRange({ start: this.#range.start, end: this.#range.end })) {
      while (place < this.#known.length && (this.#known[place] as Known<Record>).key < key) place++;
      const before = this.#known[place]?.key === key ? this.#known[place] : undefined;
      const known = this.#decode(key, value, before, onDamage);
      if (known === undefined) complete = false;
      else read.push(known);
    }
    this.#known = read;
    this.#complete = complete;
    this.#records = null;
  }

  #readOne(environment: StoreEnvironment, key: string, onDamage: (key: string) => void): void {
    const place = this.#placeOf(key);
    const before = this.#known[place]?.key === key ? this.#known[place] : undefined;
    const value = environment.getBinary(key);
    const known = value === undefined ? undefined : this.#decode(key, value, before, onDamage);
    if (value !== undefined && known === undefined) this.#complete = false;
    this.#records = null;
    this.#known.splice(place, before === undefined ? 0 : 1, ...(known === undefined ? [] : [known]));
  }

  /** Returns what is known of the key from now on; undefined if its value is damaged and it was not known before. */
  #decode(key: string, value: Buffer, before: Known<Record> | undefined, onDamage: (key: string) => void): Known<Record> | undefined {
    if (before?.bytes.equals(value)) return before;
    const record = decodeRecord<Record>(key, value, value.length);
    if (record !== null) return { key, bytes: Buffer.from(value), record };
    onDamage(key);
    return before;
  }

  /** Returns the place of the first key that is not less than this one, by binary search. */
  #placeOf(key: string): number {
    let [low, high] = [0, this.#known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#known[middle] as Known<Record>).key < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
