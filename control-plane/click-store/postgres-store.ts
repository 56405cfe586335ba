import { readLogRange } from '../click-figures/click-groups.js';
import type { ColumnThreads } from '../click-figures/columns/column-threads.js';
import { readLogSizes } from '../click-figures/log/log-days.js';
import { readAsOf, STORED_WITHIN_MS } from '../click-figures/reading/as-of.js';
import { readBreakdowns } from '../click-figures/reading/breakdowns.js';
import { hasColumns } from '../click-figures/reading/column-days.js';
import { readGroupSizes, readGroups } from '../click-figures/reading/groups.js';
import { readLinkDays } from '../click-figures/reading/link-days.js';
import { readPeopleSums } from '../click-figures/reading/people-sums.js';
import { hasMoreFigures, readSums } from '../click-figures/reading/sums.js';
import { readTopValues } from '../click-figures/reading/top-values.js';
import { readValueDays } from '../click-figures/reading/value-days.js';
import { exportClicks } from '../clicks/export.js';
import { findClick } from '../clicks/find-click.js';
import { countSelected, reclassifyClicks } from '../clicks/reclassify.js';
import { readStreamedClicks } from '../clicks/streamed.js';
import type { Snapshot } from '../db/database.js';
import { dropDayPartitions } from '../db/day-partitions.js';
import { dayParts } from '../local-days/span.js';
import type { AuditedDay, ClickReading, ClickStore } from './click-store.js';

/**
 * The store of clicks in PostgreSQL. Statistics of the newest days come from figures, which a thread counts (click-figures). What figures
 * do not have, such as groups by other fields and filters that are combined, is counted from the columns of days, and from rows for days
 * without columns.
 */
export const postgresClicks: ClickStore = {
  inSnapshot: true,
  reading: (snapshot) => readingOf(snapshot, null),
  export: exportClicks,
  find: findClick,
  streamed: readStreamedClicks,
  countSelected,
  reclassify: reclassifyClicks,
  dropOld: (database, daysKept) => dropDayPartitions(database, 'clicks', daysKept),
  erase: async () => 0,
  async audit(database, span) {
    const days: AuditedDay[] = [];
    for (const { day, from, to } of dayParts(span)) {
      const { rows } = await database.query<Omit<AuditedDay, 'day'>>({
        text: 'SELECT count(*)::float8 AS clicks, count(DISTINCT id)::float8 AS ids FROM clicks WHERE occurred_at >= $1 AND occurred_at < $2',
        values: [from, to],
      });
      days.push({ day, ...(rows[0] as Omit<AuditedDay, 'day'>) });
    }
    return days;
  },
  addUpLinks: null,
  sumDays: null,
  forgetSums: null,
  copyDay: null,
  health: async () => [],
};

/** The same, except that these threads count what the columns of many clicks have. */
export function postgresClicksWith(threads: ColumnThreads): ClickStore {
  return { ...postgresClicks, reading: (snapshot) => readingOf(snapshot, threads) };
}

function readingOf(snapshot: Snapshot, threads: ColumnThreads | null): ClickReading {
  return {
    figures: {
      hasMoreSums: (scope, dimension, max) => hasMoreFigures(snapshot, { scope, dimensions: [dimension] }, max),
      hasColumns: (window, field, nowMs) => hasColumns(snapshot, window, field, nowMs),
      valueDays: (window, wanted) => readValueDays(snapshot, window, wanted),
    },
    takesAnySize: false,
    storedWithinMs: STORED_WITHIN_MS,
    asOf: (window) => readAsOf(snapshot, window),
    sums: (wanted) => readSums(snapshot, wanted),
    breakdowns: (...wanted) => readBreakdowns(snapshot, ...wanted),
    topValues: (wanted) => readTopValues(snapshot, wanted),
    linkDays: (window, links) => readLinkDays(snapshot, window, links),
    peopleSums: (scope, groups) => readPeopleSums(snapshot, scope, groups),
    groups: (wanted) => readGroups(snapshot, wanted, { threads }),
    sizes: async (window) => readLogSizes(snapshot, await readLogRange(snapshot, window)),
    groupSizes: (window, nowMs) => readGroupSizes(snapshot, window, nowMs),
  };
}
