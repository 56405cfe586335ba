import { decodeRecord, type StoredObject } from '../../shared/feed/codec.js';
import type { StoreEnvironment } from '../store/environment.js';
import type { KeyRange } from '../store/keys.js';

interface Known<Record> {
  readonly bytes: Buffer;
  readonly record: Record;
}

/**
 * The records of one kind as a reader last knew them. The same bytes give the same object again, so that what was derived from
 * a record can be kept for as long as the record stays.
 */
export class KnownRecords<Record extends StoredObject> {
  readonly #range: KeyRange<Record>;
  #known: ReadonlyMap<string, Known<Record>> = new Map();
  #complete = false;

  constructor(range: KeyRange<Record>) {
    this.#range = range;
  }

  records(): readonly Record[] {
    return Array.from(this.#known.values(), ({ record }) => record);
  }

  /** Whether `records` is complete. False before the first read, and while a damaged value has no last known version. */
  isComplete(): boolean {
    return this.#complete;
  }

  /**
   * Reads the kind again. A damaged value is reported and kept as it was last known. Throws LMDB's errors, and then leaves
   * everything unchanged.
   */
  read(environment: StoreEnvironment, onDamage: (key: string) => void): void {
    const read = new Map<string, Known<Record>>();
    let complete = true;
    for (const { key, value } of environment.getRange({ start: this.#range.start, end: this.#range.end })) {
      const before = this.#known.get(key);
      if (before?.bytes.equals(value)) {
        read.set(key, before);
        continue;
      }
      const record = decodeRecord<Record>(key, value, value.length);
      if (record !== null) read.set(key, { bytes: Buffer.from(value), record });
      else {
        onDamage(key);
        if (before !== undefined) read.set(key, before);
        else complete = false;
      }
    }
    this.#known = read;
    this.#complete = complete;
  }
}
