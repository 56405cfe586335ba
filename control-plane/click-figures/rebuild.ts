import type { Database } from '../db/database.js';
import { readLogStart } from './log-start.js';
import { ensureFigurePartitions } from './partitions.js';
import { dayBounds, recountDay, type ZoneDay } from './recount.js';
import { lockShardsOf } from './shards.js';
import { daysOf } from './window.js';
import { readZones } from './zones.js';

export interface RebuildWanted {
  /** First and last day, as the projects' clocks have them. */
  readonly from: string;
  readonly to: string;
  /** Null for all. */
  readonly environmentId: string | null;
  readonly onProgress?: (done: number, of: number) => void;
}

export interface RebuildOutcome {
  /** Days of environments that were counted. */
  readonly days: number;
  /** Days that begin before the click log does: their figures were left as they are. */
  readonly skipped: number;
  readonly clicks: number;
  /** Days of environments whose figures were others before. */
  readonly changed: number;
}

/**
 * Counts days again from the click log, each in a transaction of its own: it may be stopped at any time and run again.
 * Clicks that come meanwhile wait to be counted.
 */
export async function rebuildFigures(database: Database, wanted: RebuildWanted): Promise<RebuildOutcome> {
  const { from, to, environmentId, onProgress } = wanted;
  const logBegins = await readLogStart(database);
  const zoneDays = (await readZones(database, environmentId)).flatMap((zone) => daysOf({ from, to }).map((day) => ({ ...zone, day })));
  const outcome = { days: 0, skipped: 0, clicks: 0, changed: 0 };
  for (const [done, zoneDay] of zoneDays.entries()) {
    const environments = zoneDay.environment_numbers.length;
    if ((await dayBounds(database, zoneDay.day, zoneDay.time_zone)).from_at < logBegins) outcome.skipped += environments;
    else {
      const { clicks, changed } = await recountAlone(database, zoneDay);
      outcome.days += environments;
      outcome.clicks += clicks;
      outcome.changed += changed;
    }
    onProgress?.(done + 1, zoneDays.length);
  }
  return outcome;
}

async function recountAlone(database: Database, zoneDay: ZoneDay) {
  await ensureFigurePartitions(database, [zoneDay.day]);
  return database.transaction(async (transaction) => {
    await lockShardsOf(transaction, zoneDay.environment_numbers);
    return recountDay(transaction, zoneDay);
  });
}
