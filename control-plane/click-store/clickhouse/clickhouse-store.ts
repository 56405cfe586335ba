import { type Clock, systemClock } from '../../../shared/base/clock.js';
import type { PartHealth } from '../../../shared/base/part-health.js';
import { CLICK_TABLE_COLUMNS } from '../../../shared/clickhouse/click-table.js';
import type { ClickHouse } from '../../../shared/clickhouse/connection.js';
import type { ClickStore } from '../click-store.js';
import { postgresClicks } from '../postgres-store.js';
import { countSelected, dropOldDays, eraseEnvironment, markClicks } from './changes.js';
import { copyDay } from './copy-day.js';
import { addUpLinkRows } from './link-clicks.js';
import { clickHouseReading } from './reading.js';
import { auditDays, exportRows, findRow, streamRows } from './rows.js';
import { DaySums } from './sum-days.js';
import { recountDays } from './summed-days.js';
import type { TagBounds } from './tags.js';

interface ClickHouseStoreOptions {
  readonly clock?: Clock;
  /** Uses separate connections, so that long calls do not keep anything else waiting. */
  readonly statistics?: ClickHouse;
  readonly tagBounds?: TagBounds;
  /** A day on which an environment has fewer clicks than this gets no sums. */
  readonly summedClicksMin?: number;
}

/** The store of clicks in ClickHouse. It counts rows, and reads the sums that are stored of days. */
export function clickHouseClicks(
  clickHouse: ClickHouse,
  { clock = systemClock, statistics = clickHouse, tagBounds, summedClicksMin }: ClickHouseStoreOptions = {},
): ClickStore {
  const daySums = new DaySums(statistics, summedClicksMin);
  return {
    inSnapshot: false,
    reading: (snapshot, abort) =>
      clickHouseReading({ rows: (text, values) => (abort === undefined ? clickHouse : statistics).rows(text, values, abort) }, snapshot, {
        clock,
        tagBounds,
      }),
    export: (database, wanted) => exportRows(clickHouse, database, wanted),
    // A click from before CLICK_STORE was set may not have been copied yet, and its conversion is stored only once.
    find: async (database, wanted) => (await findRow(clickHouse, database, wanted)) ?? postgresClicks.find(database, wanted),
    streamed: (database, wanted) => streamRows(clickHouse, database, wanted),
    countSelected: (_, wanted) => countSelected(clickHouse, wanted),
    reclassify: (database, wanted) => markClicks(clickHouse, database, wanted),
    async dropOld(database, daysKept) {
      // Clicks from before CLICK_STORE was set.
      await postgresClicks.dropOld(database, daysKept);
      await dropOldDays(clickHouse, database, daysKept, clock());
    },
    erase: (database, environmentNumber) => eraseEnvironment(clickHouse, database, environmentNumber),
    audit: (_, span) => auditDays(clickHouse, span),
    addUpLinks: (database, nowMs) => addUpLinkRows(clickHouse, database, nowMs),
    sumDays: (database, nowMs) => daySums.step(database, nowMs),
    forgetSums: recountDays,
    copyDay: (database, day) => copyDay(clickHouse, database, day),
    health: async () => [await healthOf(clickHouse)],
  };
}

async function healthOf(clickHouse: ClickHouse): Promise<PartHealth> {
  try {
    await clickHouse.row(`SELECT count() FROM (SELECT ${CLICK_TABLE_COLUMNS} FROM clicks LIMIT 0)`);
    await clickHouse.row('SELECT count() FROM (SELECT 1 FROM click_sums LIMIT 0)');
    return { part: 'clickhouse', ok: true, reason: '' };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { part: 'clickhouse', ok: false, reason: error.message };
  }
}
