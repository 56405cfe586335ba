import type { PartHealth } from '../../shared/base/part-health.js';
import { CLICK_TABLE_COLUMNS } from '../../shared/clickhouse/click-table.js';
import type { ClickHouse } from '../../shared/clickhouse/connection.js';
import type { ClickStore } from './click-store.js';
import { countMarked, dropOldDays, eraseEnvironment, markClicks } from './clickhouse-changes.js';
import { addUpLinkRows } from './clickhouse-links.js';
import { clickHouseReading } from './clickhouse-reading.js';
import { auditDays, exportRows, findRow, streamRows } from './clickhouse-rows.js';
import type { TagBounds } from './clickhouse-tags.js';
import { copyDay } from './copy-day.js';
import { postgresClicks } from './postgres-store.js';

/**
 * Clicks in ClickHouse: all that is asked of them is counted from the rows. `statistics` has connections of its own, so that calls that may take
 * long keep nothing else waiting.
 */
export function clickHouseClicks(clickHouse: ClickHouse, statistics = clickHouse, tagBounds?: TagBounds): ClickStore {
  return {
    inSnapshot: false,
    reading: (snapshot, abort) =>
      clickHouseReading(
        { rows: (text, values) => (abort === undefined ? clickHouse : statistics).rows(text, values, abort) },
        snapshot,
        tagBounds,
      ),
    export: (database, wanted) => exportRows(clickHouse, database, wanted),
    // A click of before CLICK_STORE was set may not be copied yet, and a conversion is stored once.
    find: async (database, wanted) => (await findRow(clickHouse, database, wanted)) ?? postgresClicks.find(database, wanted),
    streamed: (database, wanted) => streamRows(clickHouse, database, wanted),
    countCulprits: (_, wanted) => countMarked(clickHouse, wanted),
    reclassify: (database, wanted) => markClicks(clickHouse, database, wanted),
    async dropOld(database, daysKept) {
      // Clicks of before CLICK_STORE was set.
      await postgresClicks.dropOld(database, daysKept);
      await dropOldDays(clickHouse, daysKept, Date.now());
    },
    erase: (environmentNumber) => eraseEnvironment(clickHouse, environmentNumber),
    audit: (_, span) => auditDays(clickHouse, span),
    addUpLinks: (database, nowMs) => addUpLinkRows(clickHouse, database, nowMs),
    copyDay: (database, day) => copyDay(clickHouse, database, day),
    health: async () => [await healthOf(clickHouse)],
  };
}

async function healthOf(clickHouse: ClickHouse): Promise<PartHealth> {
  try {
    await clickHouse.rows(`SELECT ${CLICK_TABLE_COLUMNS} FROM clicks LIMIT 0`);
    return { part: 'clickhouse', ok: true, reason: '' };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { part: 'clickhouse', ok: false, reason: error.message };
  }
}
