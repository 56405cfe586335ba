import type { Queryable } from '../db/database.js';
import { type EngineRow, type FeedState, readEngines, readFeedState, readUncountedClicks, type UncountedClicks } from './sql.js';

/** What the database has about the whole installation. */
export interface Readings {
  readonly feed: FeedState;
  readonly clicks: UncountedClicks;
  /** Includes engines that were shut down, for some time. */
  readonly engines: readonly EngineRow[];
}

/** Engines report every two seconds. */
const SILENT_AFTER_SECONDS = 10;
/** A change is numbered and applied within about 50 ms, and what is known about an engine is up to two seconds old. */
const CHANGES_LATE_AFTER_SECONDS = 10;
/** Clicks are counted about 5 seconds after they were stored. The job that counts them reports a failure only after this time, too. */
const CLICKS_LATE_AFTER_SECONDS = 60;

/** Throws the errors of queries: `DatabaseUnavailableError` if PostgreSQL cannot be reached. */
export async function readInstallation(database: Queryable): Promise<Readings> {
  return {
    feed: await readFeedState(database, CHANGES_LATE_AFTER_SECONDS),
    clicks: await readUncountedClicks(database, CLICKS_LATE_AFTER_SECONDS),
    engines: await readEngines(database, { silentAfterSeconds: SILENT_AFTER_SECONDS, lateAfterSeconds: CHANGES_LATE_AFTER_SECONDS }),
  };
}
