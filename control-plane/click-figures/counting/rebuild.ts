import type { Database } from '../../db/database.js';
import { allowPauses } from '../../db/pauses.js';
import { readDaySpan } from '../../local-days/span.js';
import { daysOf } from '../../local-days/window.js';
import { lockShardsOf } from '../locks/shard-locks.js';
import { giveTurn } from '../locks/turns.js';
import { readLogStart } from '../log/log-days.js';
import { planCounting } from '../transaction.js';
import { countDay, type DayOfLog, type Recount, replaceDay, type ZoneDay } from './recount-day.js';
import { ensureFigurePartitions } from './store-figures.js';
import { readZones } from './zones.js';

export interface RebuildWanted {
  /** First and last day, each in the time zone of its project. */
  readonly from: string;
  readonly to: string;
  /** Null for all environments. */
  readonly environmentId: string | null;
  readonly onProgress?: (done: number, of: number) => void;
  /**
   * How long a transaction may keep the shards locked before it stops beginning further days, in milliseconds; `LOCKED_MS` by default. New
   * clicks wait to be counted for this long, and until the current day is counted.
   */
  readonly lockedMs?: number;
}

export interface RebuildOutcome {
  /** Number of days counted; a day counts once for each environment. */
  readonly days: number;
  /** Number of days that begin before the click log does. Their figures were left as they are. */
  readonly skipped: number;
  readonly clicks: number;
  /** Number of days, once for each environment, whose figures were different before. */
  readonly changed: number;
}

const LOCKED_MS = 5_000;

/** One connection stores a day while the other reads the next. */
export const REBUILD_CONNECTIONS = 2;

/**
 * Counts days again from the click log, several in each transaction, so that it may be stopped at any time and run again. Clicks that
 * arrive meanwhile are counted between the transactions. The pool must have `REBUILD_CONNECTIONS` connections.
 */
export async function rebuildFigures(
  database: Database,
  { from, to, environmentId, onProgress, lockedMs = LOCKED_MS }: RebuildWanted,
): Promise<RebuildOutcome> {
  const logBegins = await readLogStart(database);
  const zones = await readZones(database, environmentId);
  const outcome = { days: 0, skipped: 0, clicks: 0, changed: 0 };
  const all = daysOf({ from, to });
  for (const [done, zone] of zones.entries()) {
    const environments = zone.environment_numbers.length;
    const days: ZoneDay[] = [];
    for (const day of all)
      if ((await readDaySpan(database, day, zone.time_zone)).from < logBegins) outcome.skipped += environments;
      else days.push({ ...zone, day });
    await ensureFigurePartitions(
      database,
      days.map(({ day }) => day),
    );
    const progress = () => onProgress?.((done + 1) * all.length - days.length, zones.length * all.length);
    for (progress(); days.length > 0; progress()) {
      if (outcome.days > 0) await giveTurn(database, zone.environment_numbers);
      for (const { clicks, changed } of await recountFirst(database, days, lockedMs)) {
        days.shift();
        outcome.days += environments;
        outcome.clicks += clicks;
        outcome.changed += changed;
      }
    }
  }
  return outcome;
}

/** Counts the first of the days, and those after it for as long as the shards may be locked. Returns the outcome of each. */
async function recountFirst(database: Database, days: readonly ZoneDay[], lockedMs: number): Promise<readonly Recount[]> {
  const [first] = days as readonly [ZoneDay];
  return database.transaction(async (transaction) => {
    // This connection is idle while the other one reads a day.
    await allowPauses(transaction);
    await lockShardsOf(transaction, first.environment_numbers);
    const unlockMs = performance.now() + lockedMs;
    const recounts: Recount[] = [];
    for (let counted = await countDay(database, first); ; ) {
      const next = performance.now() < unlockMs ? days[recounts.length + 1] : undefined;
      const [stored, read] = await Promise.allSettled([replaceDay(transaction, counted), next && readAhead(database, next)]);
      if (stored.status === 'rejected') throw stored.reason;
      if (read.status === 'rejected') throw read.reason;
      recounts.push(stored.value);
      if (read.value === undefined) return recounts;
      counted = read.value;
    }
  });
}

function readAhead(database: Database, zoneDay: ZoneDay): Promise<DayOfLog> {
  return database.transaction(async (reading) => {
    await planCounting(reading);
    return countDay(reading, zoneDay);
  });
}
