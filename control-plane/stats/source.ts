import type { ClickStore } from '../click-store/click-store.js';
import type { Database } from '../db/database.js';

/** What statistics are read from: names, days and conversions from the database, clicks from their store. */
export interface StatsSource {
  readonly database: Database;
  readonly clickStore: ClickStore;
}
