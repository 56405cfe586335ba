import { CLICK_FILTERS } from '../../../shared/contract/schemas/clicks-query.js';
import type { Snapshot } from '../../db/database.js';
import type { StatsWindow } from '../../local-days/window.js';
import { readLogRange } from '../click-groups.js';
import type { ColumnField } from '../columns/column.js';
import type { Columns } from '../columns/column-count.js';
import { addCounts } from '../counts.js';
import { readLaterParts } from '../log/log-parts.js';
import type { ColumnDay, LaterClicks } from './column-days.js';

/** If more clicks than this are not in columns, PostgreSQL counts all clicks of the day, because they would take too much memory here. */
const LATER_CLICKS_MAX = 1_000_000;

/** Days whose columns are read. */
export interface DaysRead {
  readonly days: ReadonlyMap<string, ColumnDay>;
  /** Clicks that are to be added to the columns of a day, by its parts. */
  readonly later: ReadonlyMap<string, readonly Columns[]>;
}

/**
 * Reads the clicks of days that are not in their columns yet. Leaves out a day whose figures count other clicks than its columns and these
 * together: a batch with a lower number was stored late.
 */
export async function readLaterClicks(
  snapshot: Snapshot,
  window: StatsWindow,
  found: ReadonlyMap<string, ColumnDay>,
  fields: readonly ColumnField[],
): Promise<DaysRead> {
  const days = new Map(found);
  const later = new Map<string, readonly Columns[]>();
  for (const [day, { parts, later: wanted }] of found) {
    if (wanted === null) continue;
    const added = await readDay(snapshot, { ...window, from: day, to: day }, parts, wanted, fields);
    if (added === null) days.delete(day);
    else later.set(day, added);
  }
  return { days, later };
}

async function readDay(
  snapshot: Snapshot,
  window: StatsWindow,
  parts: number,
  { lastBatch, all, human }: LaterClicks,
  fields: readonly ColumnField[],
): Promise<readonly Columns[] | null> {
  if (all > LATER_CLICKS_MAX) return null;
  const range = await readLogRange(snapshot, window);
  const built = await readLaterParts(snapshot, {
    range,
    parts,
    fields: CLICK_FILTERS.filter((field) => fields.includes(field)),
    after: lastBatch,
  });
  const counts = addCounts(built.map((part) => part.counts));
  if (counts.all !== all || counts.human !== human) return null;
  const columns = built.map((part) => part.columns());
  return columns.every((part) => fields.every((field) => part.has(field))) ? columns : null;
}
