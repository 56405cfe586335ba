import type { Database } from '../db/database.js';
import { allowPauses } from '../db/pauses.js';
import { dayBounds } from './day-bounds.js';
import { readLogStart } from './log-start.js';
import { ensureFigurePartitions } from './partitions.js';
import { countDay, type DayOfLog, type Recount, replaceDay, type ZoneDay } from './recount.js';
import { lockShardsOf } from './shards.js';
import { planCounting } from './transaction.js';
import { giveTurn } from './turns.js';
import { daysOf } from './window.js';
import { readZones } from './zones.js';

export interface RebuildWanted {
  /** First and last day, as the projects' clocks have them. */
  readonly from: string;
  readonly to: string;
  /** Null for all. */
  readonly environmentId: string | null;
  readonly onProgress?: (done: number, of: number) => void;
  /** So long figures of clicks that come may wait, and then for the day that is being counted; `LOCKED_MS` if it is not given. */
  readonly lockedMs?: number;
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

const LOCKED_MS = 5_000;

/** On one a day is stored while the next is read on the other. */
export const REBUILD_CONNECTIONS = 2;

/**
 * Counts days again from the click log, some in each transaction: it may be stopped at any time and run again. Clicks that come
 * meanwhile wait to be counted, and are between the transactions. The pool has `REBUILD_CONNECTIONS`.
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
      if ((await dayBounds(database, day, zone.time_zone)).from_at < logBegins) outcome.skipped += environments;
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

/** Counts the first of the days, and those after it for as long as the shards may be locked. Returns what became of each. */
async function recountFirst(database: Database, days: readonly ZoneDay[], lockedMs: number): Promise<readonly Recount[]> {
  const [first] = days as readonly [ZoneDay];
  return database.transaction(async (transaction) => {
    // It is idle while a day is read on the other connection.
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
