import type { Queryable } from '../db/database.js';
import { type EngineRow, type FeedState, readEngines, readFeedState, readUncountedClicks, type UncountedClicks } from './sql.js';

/** What the database says of the whole installation. */
export interface Readings {
  readonly feed: FeedState;
  readonly clicks: UncountedClicks;
  /** Those that ended in order are among them for some time. */
  readonly engines: readonly EngineRow[];
}

/** Engines write every two seconds. */
const SILENT_AFTER_SECONDS = 10;
/** A change is numbered and applied within some 50 ms, and what is known of an engine is two seconds old. */
const CHANGES_LATE_AFTER_SECONDS = 10;
/** Clicks are counted some 5 seconds after they were stored; as long as this the job that counts them takes no failure for an outage. */
const CLICKS_LATE_AFTER_SECONDS = 60;

/** Throws what a query throws: `DatabaseUnavailableError` if PostgreSQL is out of reach. */
export async function readInstallation(database: Queryable): Promise<Readings> {
  return {
    feed: await readFeedState(database, CHANGES_LATE_AFTER_SECONDS),
    clicks: await readUncountedClicks(database, CLICKS_LATE_AFTER_SECONDS),
    engines: await readEngines(database, { silentAfterSeconds: SILENT_AFTER_SECONDS, lateAfterSeconds: CHANGES_LATE_AFTER_SECONDS }),
  };
}
