import { encodeRecord, type StoredObject } from '../../shared/feed/codec.js';
import type { StoreEnvironment } from './environment.js';
import { readRecord, type StoreKey } from './keys.js';

/** One object as the store is to have it. */
export interface StoreChange {
  readonly id: string;
  readonly key: StoreKey<StoredObject>;
  /** Null where the object is gone: the key is removed if it still holds that object. */
  readonly record: StoredObject | null;
  /** Whether the compiled table depends on it. */
  readonly changesTable: boolean;
  /** Whether this is the creation of a link. Its call waits for no engine, since a path that the store lacks is looked up in PostgreSQL. */
  readonly isNew?: boolean;
}

/** Within a transaction. */
export function writeChange(environment: StoreEnvironment, change: StoreChange): void {
  if (change.record !== null) {
    environment.putSync(change.key, encodeRecord(change.record, change.key));
    return;
  }
  const stored = readRecord(environment, change.key);
  // Another object may have taken the key since: a path is free again 90 days after its link was deleted.
  if (stored !== undefined && (stored === null || stored.id === change.id)) environment.removeSync(change.key);
}
