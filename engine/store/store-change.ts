import { encodeRecord, type StoredObject } from '../../shared/feed/codec.js';
import type { StoreEnvironment } from './environment.js';
import { readRecord, type StoreKey } from './keys.js';

/** The desired state of one object in the store. */
export interface StoreChange {
  readonly id: string;
  readonly key: StoreKey<StoredObject>;
  /** Null if the object is gone: the key is removed if it still contains that object. */
  readonly record: StoredObject | null;
  /** Whether the compiled table depends on it. */
  readonly changesTable: boolean;
}

/** Must run within a transaction. */
export function writeChange(environment: StoreEnvironment, change: StoreChange): void {
  if (change.record !== null) {
    environment.putSync(change.key, encodeRecord(change.record, change.key));
    return;
  }
  const stored = readRecord(environment, change.key);
  // Another object may have taken the key since, because a path becomes free 90 days after its link was deleted.
  if (stored !== undefined && (stored === null || stored.id === change.id)) environment.removeSync(change.key);
}
