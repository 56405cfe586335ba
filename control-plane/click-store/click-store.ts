import type { PartHealth } from '../../shared/base/part-health.js';
import type { ClickFilter } from '../../shared/contract/schemas/clicks-query.js';
import type { CountedGroup, GroupsWanted } from '../click-figures/click-groups.js';
import type { ClickCounts } from '../click-figures/counts.js';
import type { BreakdownDimension, Dimension } from '../click-figures/dimensions.js';
import type { BreakdownEntry } from '../click-figures/reading/breakdowns.js';
import type { LinkDay } from '../click-figures/reading/link-days.js';
import type { ClicksOfPeople, ClicksScope, PeopleGroups } from '../click-figures/reading/people-sums.js';
import type { FigureScope } from '../click-figures/reading/selected-figures.js';
import type { FigureSum, SumsWanted } from '../click-figures/reading/sums.js';
import type { TopEntry } from '../click-figures/reading/top-values.js';
import type { TopValuesWanted } from '../click-figures/reading/top-values-sql.js';
import type { FieldValue } from '../click-figures/reading/value-days.js';
import type { ExportWanted } from '../clicks/export.js';
import type { ClickWanted, FoundClick } from '../clicks/find-click.js';
import type { Reclassification, ReclassifiedDay } from '../clicks/reclassify.js';
import type { StreamedClick, StreamedWanted } from '../clicks/streamed.js';
import type { Database, Queryable, Snapshot } from '../db/database.js';
import type { Span } from '../local-days/span.js';
import type { StatsWindow } from '../local-days/window.js';

/**
 * The store of clicks: PostgreSQL, where everything else is, or ClickHouse (CLICK_STORE). It reads and changes clicks; engines insert
 * them (engine/shipping). Results are the same for every store.
 */
export interface ClickStore {
  /** Whether clicks are read in the same snapshot as everything else. If not, a call may take longer than a transaction may. */
  readonly inSnapshot: boolean;
  /**
   * Reads statistics; `snapshot` reads the parts that are in PostgreSQL. `abort` cancels statements of another store; with it they may take
   * as long as a whole call (`LongCalls`).
   */
  reading(snapshot: Snapshot, abort?: AbortSignal): ClickReading;
  /** Writes the clicks of an environment in the order of their time. Returns how many. */
  export(database: Database, wanted: ExportWanted): Promise<number>;
  /** Finds a click by its id. Returns null if it is not stored yet, or no longer. */
  find(database: Queryable, wanted: ClickWanted): Promise<FoundClick | null>;
  /** Reads clicks in the order of their batches. */
  streamed(database: Database, wanted: StreamedWanted): Promise<readonly StreamedClick[]>;
  /** Counts what `reclassify` would change, day by day. */
  countSelected(database: Database, wanted: Reclassification): Promise<readonly ReclassifiedDay[]>;
  /** Marks clicks as made by a program, day by day, and updates statistics. */
  reclassify(database: Database, wanted: Reclassification): AsyncGenerator<ReclassifiedDay>;
  /** Drops the clicks of days that are more than `daysKept` days old. */
  dropOld(database: Database, daysKept: number): Promise<void>;
  /** Deletes the environment's clicks that are not in PostgreSQL, and their sums. Returns how many clicks. */
  erase(database: Queryable, environmentNumber: number): Promise<number>;
  /** Counts clicks, and their distinct ids, day by day (UTC). An id that occurs more than once is a fault. */
  audit(database: Queryable, span: Span): Promise<readonly AuditedDay[]>;
  /** Adds up the clicks of some links. Returns false if there is nothing to add up. Null if the store has figures for that. */
  readonly addUpLinks: ((database: Queryable, nowMs: number) => Promise<boolean>) | null;
  /** Prepares the clicks of days for later calls, some at a time. Returns false if there is nothing to count. Null if `DayColumns` does it. */
  readonly sumDays: ((database: Database, nowMs: number) => Promise<boolean>) | null;
  /** Makes the sums of days be counted again. Returns how many days, each once per environment. Null if figures are rebuilt instead. */
  readonly forgetSums: ((database: Queryable, days: SummedDaysOf) => Promise<number>) | null;
  /** Copies PostgreSQL's clicks of a day (UTC) into the store; if repeated, those that are missing. Null if PostgreSQL is the store. */
  readonly copyDay: ((database: Database, day: Span) => Promise<CopiedDay>) | null;
  /** The health of a server other than PostgreSQL; empty if there is none. */
  health(): Promise<readonly PartHealth[]>;
}

/** Days in the time zones of projects, from the first to the last, both included. */
export interface SummedDaysOf {
  readonly from: string;
  readonly to: string;
  /** Null for all environments. */
  readonly environmentId: string | null;
}

/** The outcome of copying PostgreSQL's clicks of a day; `busy` if another copy is in progress. */
export type CopiedDay =
  | {
      readonly clicks: number;
      readonly copied: number;
      /** Clicks that were not found after they had been stored. */
      readonly missing: number;
    }
  | 'busy';

export interface AuditedDay {
  readonly day: string;
  readonly clicks: number;
  readonly ids: number;
}

/** What has to be read of a day, in bytes of the log or in what takes as long. */
export interface DaySize {
  readonly day: string;
  readonly bytes: number;
}

export interface ClickReading {
  /** What the store counts in advance and adds up by group. Null if it counts groups fast enough from the clicks and their sums. */
  readonly figures: ClickFigures | null;
  /** Whether the store can count any number of clicks in a call. */
  readonly takesAnySize: boolean;
  /** How long a click may take to reach the store in normal operation, in milliseconds. */
  readonly storedWithinMs: number;
  /** Returns the moment up to which the clicks of the environment are in its sums. */
  asOf(window: StatsWindow): Promise<string>;
  /** Sums by day and over the days. Groups with the most clicks by people, or the most by the measure, come first. */
  sums(wanted: SumsWanted): Promise<readonly FigureSum[]>;
  /** Breakdowns of a link or a campaign: the `top` values of each dimension, or each of those given, with the most clicks by people. */
  breakdowns(scope: FigureScope, top: number, dimensions?: readonly BreakdownDimension[]): Promise<readonly BreakdownEntry[]>;
  /** Returns what people clicked on most. */
  topValues(wanted: TopValuesWanted): Promise<readonly TopEntry[]>;
  /** Clicks by people on each of the links (as `uuid`), day by day. Days without clicks are left out. */
  linkDays(window: StatsWindow, links: readonly string[]): Promise<readonly LinkDay[]>;
  /** Clicks by people in each group. Null if there are no sums of the days, so that the clicks have to be counted. */
  peopleSums(scope: ClicksScope, groups: PeopleGroups): Promise<ClicksOfPeople | null>;
  /** Counts clicks by each grouping. */
  groups(wanted: GroupsWanted): Promise<readonly (readonly CountedGroup[])[]>;
  /** How many bytes have to be read for all clicks of the window, by day, latest first. */
  sizes(window: StatsWindow): Promise<readonly DaySize[]>;
  /** The same for `groups`, which may be counted from less. */
  groupSizes(window: StatsWindow, nowMs: number): Promise<readonly DaySize[]>;
}

/** Figures of PostgreSQL (click-figures): sums of some fields. */
export interface ClickFigures {
  /** Whether there are more sums of the dimension than `max`. */
  hasMoreSums(scope: FigureScope, dimension: Dimension, max: number): Promise<boolean>;
  /** Whether all clicks of the window can be counted by the field without reading many rows. */
  hasColumns(window: StatsWindow, field: ClickFilter, nowMs: number): Promise<boolean>;
  /** The clicks with the value by day; days without such clicks may be left out. Null if there are no sums by the field. */
  valueDays(window: StatsWindow, wanted: FieldValue): Promise<ReadonlyMap<string, ClickCounts> | null>;
}
