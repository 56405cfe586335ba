import { readInSnapshot } from '../click-figures/transaction.js';
import type { ClickReading, ClickStore } from '../click-store/click-store.js';
import type { Database, Snapshot } from '../db/database.js';

/** What statistics are read from: names, days and conversions from the database, clicks from their store. */
export interface StatsSource {
  readonly database: Database;
  readonly clickStore: ClickStore;
  /** Cancels statements of a store other than PostgreSQL (`LongCalls`). */
  readonly abort?: AbortSignal;
}

/** What one call reads from, at one moment. */
export interface StatsReading {
  readonly snapshot: Snapshot;
  readonly clicks: ClickReading;
}

/** The moment up to which the clicks are in the log. `ClickReading.asOf` is the moment up to which they are in its sums. */
export function asOfLog({ storedWithinMs }: Pick<ClickReading, 'storedWithinMs'>, nowMs: number): string {
  return new Date(nowMs - storedWithinMs).toISOString();
}

/**
 * Reads statistics, at one moment if the clicks are in PostgreSQL. If they are in another store, each PostgreSQL statement runs in its own
 * transaction: a single one would be idle while clicks are counted, and hold a connection that others wait for.
 */
export function readStatistics<Result>(
  { database, clickStore, abort }: StatsSource,
  work: (snapshot: Snapshot, clicks: ClickReading) => Promise<Result>,
): Promise<Result> {
  if (clickStore.inSnapshot) return readInSnapshot(database, (snapshot) => work(snapshot, clickStore.reading(snapshot)));
  const alone: Snapshot = {
    query: (statement) => readInSnapshot(database, (snapshot) => snapshot.query(statement)),
    copyOut: (...copy) => readInSnapshot(database, (snapshot) => snapshot.copyOut(...copy)),
  };
  return work(alone, clickStore.reading(alone, abort));
}
