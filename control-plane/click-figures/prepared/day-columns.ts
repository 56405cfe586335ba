import { CLICK_FILTERS } from '../../../shared/contract/schemas/clicks-query.js';
import type { Database, Snapshot } from '../../db/database.js';
import { readDaySpan } from '../../local-days/span.js';
import type { LogRange } from '../click-groups.js';
import { ColumnCount, type Columns } from '../columns/column-count.js';
import { mergeColumns } from '../columns/merge.js';
import { type PartBuilder, TEXT_BYTES_MAX } from '../columns/part-builder.js';
import { addCounts, type ClickCounts, isSameCounts, NO_CLICKS } from '../counts.js';
import { countLaterClicks, PART_CLICKS, PART_CLICKS_MAX, readLaterParts, readLogPart } from '../log/log-parts.js';
import { readInSnapshot } from '../transaction.js';
import { type BegunDay, beginDueDay, completeDay, type MadeColumns, readTotal, storePart } from './begun-days.js';
import { readColumns } from './stored-columns.js';

/**
 * Stores the clicks of days as columns (columns/column.ts), at a time when nobody is waiting for them, and with them the groups by each
 * field (columns/field-groups.ts). Figures answer what they were counted for, at a cost for every click. Columns answer any filters and
 * groups, in a tenth of the time that the log takes. A day is stored with its clicks, clicks by people and visitors.
 *
 * Once a day is settled, these must be those of its figures. If the figures have changed since, its columns are not read, and are made again.
 * The columns of a day before that are read together with the clicks of later batches (`last_batch`). From time to time these are added to
 * them, so that they stay few. Code that may change a day without changing the three numbers deletes its columns (`forgetColumns`).
 */

/** An environment with fewer clicks in all days with figures needs no columns: its log is read in about 100 ms. */
const CLICKS_MIN = 100_000;

/** So many clicks beside the columns of a day are read in 10 ms. */
const LATER_CLICKS = 10_000;

export interface DayColumnsSettings {
  /** As of `DueWanted`. */
  readonly clicksMin?: number;
  readonly laterClicks?: number;
  readonly partClicks?: number;
  readonly partClicksMax?: number;
  readonly textBytesMax?: number;
}

/** What a part may have at most. */
type PartBounds = Pick<Required<DayColumnsSettings>, 'partClicksMax' | 'textBytesMax'>;

/** A part whose columns are made, but not stored yet. */
interface BuiltPart {
  readonly columns: Columns;
  readonly counts: ClickCounts;
}

/** A day whose columns are being made, from the log or from the columns that it has. */
interface Making extends BegunDay {
  /** Clicks that are added to its columns, by its parts; null if all of its clicks are read from the log. */
  readonly added: readonly PartBuilder[] | null;
}

/** Makes the columns of days. */
export class DayColumns {
  readonly #database: Database;
  readonly #settings: Required<DayColumnsSettings>;
  #making: Making | null = null;

  constructor(database: Database, settings: DayColumnsSettings = {}) {
    this.#database = database;
    const partDefaults = { partClicks: PART_CLICKS, partClicksMax: PART_CLICKS_MAX, textBytesMax: TEXT_BYTES_MAX };
    this.#settings = { clicksMin: CLICKS_MIN, laterClicks: LATER_CLICKS, ...partDefaults, ...settings };
  }

  /**
   * Makes one part of one day, the latest day first. It is one step, so that incoming clicks can be counted between the steps. Returns
   * false if there is nothing to make.
   */
  async step(nowMs: number): Promise<boolean> {
    const making = this.#making ?? (await this.#begin(nowMs));
    // If anything fails, the day begins again later.
    this.#making = null;
    if (making === null) return false;
    const built = await readInSnapshot(this.#database, (snapshot) => buildPart(snapshot, making, this.#settings));
    if (built === null) return true;
    const { columns, counts } = built;
    const after = {
      ...making,
      done: making.done + 1,
      sum: addCounts([making.sum, counts]),
      fields: making.fields.filter((field) => columns.has(field)),
    };
    making.groups.add(columns);
    const isStored = await this.#database.transaction((transaction) => storePart(transaction, making, columns, nowMs));
    if (isStored && after.done < after.parts) this.#making = after;
    // Otherwise these parts are not read.
    else if (isStored && (!making.is_settled || isSameCounts(after.sum, after.total)))
      await this.#database.transaction((transaction) => completeDay(transaction, after, nowMs));
    return true;
  }

  async #begin(nowMs: number): Promise<Making | null> {
    const begun = await beginDueDay(this.#database, { nowMs, ...this.#settings });
    if (begun === null) return null;
    const { made } = begun;
    const { textBytesMax } = this.#settings;
    const added = made === null ? null : await readInSnapshot(this.#database, (snapshot) => readAdded(snapshot, begun, made, textBytesMax));
    if (made === null || added === null) return { ...begun, added: null };
    return { ...begun, added, parts: made.parts, fields: made.fields };
  }
}

/**
 * Reads the clicks that are to be added to the columns of the day. Returns null if these clicks are not all that the columns lack, because a
 * batch with a lower number was stored late.
 */
async function readAdded(
  snapshot: Database,
  begun: BegunDay,
  made: MadeColumns,
  textBytesMax: number,
): Promise<readonly PartBuilder[] | null> {
  const { lastBatch } = begun;
  const total = await readTotal(snapshot, begun);
  if (lastBatch === null || total === null) return null;
  const range = await rangeOf(snapshot, begun);
  const fields = CLICK_FILTERS.filter((field) => made.fields.includes(field));
  const added = await readLaterParts(snapshot, { range, parts: made.parts, fields, textBytesMax, after: made.lastBatch, lastBatch });
  const later = await countLaterClicks(snapshot, range, lastBatch);
  const { all, human } = addCounts([later, ...added.map(({ counts }) => counts)]);
  return made.all + all === total.all && made.human + human === total.human ? added : null;
}

/** Returns null if the figures of a settled day have changed since it began, because clicks have arrived, or if the part has too many clicks. */
async function buildPart(snapshot: Database, making: Making, bounds: PartBounds): Promise<BuiltPart | null> {
  const { is_settled, total, lastBatch, parts, done: part, added } = making;
  if (added !== null) return extendPart(snapshot, making, added[part] as PartBuilder, bounds);
  const now = is_settled ? await readTotal(snapshot, making) : total;
  if (now === null || !isSameCounts(now, total)) return null;
  const range = await rangeOf(snapshot, making);
  const { partClicksMax: clicksMax, textBytesMax } = bounds;
  const built = await readLogPart(snapshot, { range, part, parts, fields: CLICK_FILTERS, textBytesMax, lastBatch, clicksMax });
  if (built === null) return null;
  const columns = new Map(built.columns());
  if (is_settled) columns.delete('visitor_hash');
  return { columns, counts: built.counts };
}

/** Adds the clicks to the columns of the part. Returns null if these are gone, because the day was changed, or if the clicks are too many. */
async function extendPart(
  snapshot: Snapshot,
  making: Making,
  added: PartBuilder,
  { partClicksMax, textBytesMax }: PartBounds,
): Promise<BuiltPart | null> {
  const { environment_number, day, done: part } = making;
  const others = added.columns();
  // Of a field with too many texts, there is no column from now on.
  const fields = making.fields.filter((field) => others.has(field));
  let columns: Columns | null = null;
  await readColumns(snapshot, { environment_number, days: [day], part, fields }, (stored) => {
    columns = mergeColumns(stored, others, fields);
  });
  if (columns === null) return null;
  const count = new ColumnCount({ conditions: [], keys: ['nothing'] });
  count.add(columns);
  const [[counts = NO_CLICKS] = []] = count.most([{ key: 'nothing', limit: 1 }]);
  if (counts.all > partClicksMax) return null;
  return { columns: new Map([...(columns as Columns)].filter(([, { dictionary }]) => dictionary.bytes.length <= textBytesMax)), counts };
}

async function rangeOf(snapshot: Database, { environment_number, day, time_zone }: BegunDay): Promise<LogRange> {
  return { environment_number, ...(await readDaySpan(snapshot, day, time_zone)) };
}
