import { decodeRecord, type StoredObject } from '../../shared/feed/codec.js';
import type { StoreEnvironment } from '../store/environment.js';
import type { KeyRange } from '../store/keys.js';

interface Known<Record> {
  readonly bytes: Buffer;
  readonly record: Record;
}

/**
 * The records of one kind as a reader last knew them. Bytes that are the same give the same object again, so that what
 * was made of a record can be kept for as long as the record stays.
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

  /** Whether `records` lacks nothing: false until the first read, and while a value is damaged that was never known otherwise. */
  isComplete(): boolean {
    return this.#complete;
  }

  /**
   * Reads the kind again. A value that is damaged is reported and given as it was last known. Throws what LMDB throws;
   * everything is then as it was.
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
