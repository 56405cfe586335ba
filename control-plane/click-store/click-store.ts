import type { PartHealth } from '../../shared/base/part-health.js';
import type { ClickDimension } from '../../shared/contract/schemas/clicks-query.js';
import type { BreakdownEntry } from '../click-figures/breakdowns.js';
import type { LinkDay } from '../click-figures/daily-link-clicks.js';
import type { BreakdownDimension, Dimension } from '../click-figures/dimensions.js';
import type { CountedGroup, GroupsWanted, LogRange } from '../click-figures/log-query.js';
import type { ClicksOfPeople, ClicksScope, PeopleGroups } from '../click-figures/people-sums.js';
import type { FigureScope } from '../click-figures/reading.js';
import type { FigureSum, SumsWanted } from '../click-figures/sums.js';
import type { TopEntry } from '../click-figures/top-values.js';
import type { TopValuesWanted } from '../click-figures/top-values-sql.js';
import type { StatsWindow } from '../click-figures/window.js';
import type { ExportWanted } from '../clicks/export.js';
import type { ClickWanted, FoundClick } from '../clicks/find-click.js';
import type { Reclassification, ReclassifiedDay } from '../clicks/reclassify.js';
import type { Span } from '../clicks/span.js';
import type { StreamedClick, StreamedWanted } from '../clicks/streamed.js';
import type { Database, Queryable } from '../db/database.js';
import type { SummedDaysOf } from './summed-days.js';

/**
 * Where the clicks are: in PostgreSQL beside everything else, or in ClickHouse (CLICK_STORE). What is asked of them, and what is
 * done to them; engines bring them in (engine/shipping). Answers are the same whatever the store.
 */
export interface ClickStore {
  /** Whether clicks are read in the snapshot, at one moment with everything else. Where they are not, a call may take longer than a transaction. */
  readonly inSnapshot: boolean;
  /**
   * Statistics; `snapshot` reads what PostgreSQL has of them. With `abort`, which ends what is read elsewhere, statements may take as long as a
   * whole call (`LongCalls`).
   */
  reading(snapshot: Queryable, abort?: AbortSignal): ClickReading;
  /** Writes the clicks of an environment in the order of their time. Returns how many. */
  export(database: Database, wanted: ExportWanted): Promise<number>;
  /** One click by its id; null if it is not stored: not yet, or no longer. */
  find(database: Queryable, wanted: ClickWanted): Promise<FoundClick | null>;
  /** Reads clicks in the order of their batches. */
  streamed(database: Database, wanted: StreamedWanted): Promise<readonly StreamedClick[]>;
  /** What `reclassify` would change, day by day. */
  countCulprits(database: Database, wanted: Reclassification): Promise<readonly ReclassifiedDay[]>;
  /** Marks clicks as a program's, day by day; statistics follow. */
  reclassify(database: Database, wanted: Reclassification): AsyncGenerator<ReclassifiedDay>;
  /** Drops the days that are older than so many. */
  dropOld(database: Database, daysKept: number): Promise<void>;
  /** Deletes the environment's clicks that PostgreSQL does not hold, and what was counted of them. Returns how many. */
  erase(database: Queryable, environmentNumber: number): Promise<number>;
  /** How many clicks there are, and how many ids they have, day by day (UTC). One id more than once is a fault. */
  audit(database: Queryable, span: Span): Promise<readonly AuditedDay[]>;
  /** Adds up the clicks of some links, where no figures tell them. Returns false if there is nothing to add up; null where they do. */
  readonly addUpLinks: ((database: Queryable, nowMs: number) => Promise<boolean>) | null;
  /** Counts the clicks of days that are over, some at a time. Returns false if there is nothing to count; null where `DayGroups` does it. */
  readonly sumDays: ((database: Database, nowMs: number) => Promise<boolean>) | null;
  /** Has the sums of days counted again. Returns of how many days of environments; null where figures are rebuilt. */
  readonly forgetSums: ((database: Queryable, days: SummedDaysOf) => Promise<number>) | null;
  /** Copies PostgreSQL's clicks of a day (UTC) into the store; null where they are there. Repeated, it copies what is missing. */
  readonly copyDay: ((database: Database, day: Span) => Promise<CopiedDay>) | null;
  /** What a server other than PostgreSQL has to say; empty without one. */
  health(): Promise<readonly PartHealth[]>;
}

/** What became of PostgreSQL's clicks of a day; `busy` if another copy is under way. */
export type CopiedDay =
  | {
      readonly clicks: number;
      readonly copied: number;
      /** Clicks that were not found once they had been stored. */
      readonly missing: number;
    }
  | 'busy';

export interface AuditedDay {
  readonly day: string;
  readonly clicks: number;
  readonly ids: number;
}

export interface ClickReading {
  /** Whether sums are kept, or else counted from the clicks whenever they are asked for. */
  readonly keepsSums: boolean;
  /** Whether it counts the clicks of any days, however many they are. */
  readonly takesAnySize: boolean;
  /** How long a click may be on its way into the store while all is well. */
  readonly storedWithinMs: number;
  /** The moment up to which the clicks of the environment are in its sums. */
  asOf(window: StatsWindow): Promise<string>;
  /** Sums by day and over the days. Groups come with most clicks by people first, or most by the measure. */
  sums(wanted: SumsWanted): Promise<readonly FigureSum[]>;
  /** Whether the sums of the dimensions are too many to be added up within a request. */
  hasTooManySums(scope: FigureScope, dimensions: readonly Dimension[]): Promise<boolean>;
  /** Breakdowns of a link or a campaign: of each dimension, or each of these, the values with most clicks by people. */
  breakdowns(scope: FigureScope, top: number, dimensions?: readonly BreakdownDimension[]): Promise<readonly BreakdownEntry[]>;
  /** What people clicked on most. */
  topValues(wanted: TopValuesWanted): Promise<readonly TopEntry[]>;
  /** Clicks by people on each of the links (as `uuid`), day by day; days without are not in it. */
  linkDays(window: StatsWindow, links: readonly string[]): Promise<readonly LinkDay[]>;
  /** Clicks by people by link and campaign; null if there are no sums of the days, and the clicks have to be counted. */
  peopleSums(scope: ClicksScope, groups: PeopleGroups): Promise<ClicksOfPeople | null>;
  /** The groups of the field that are kept of days, which are all that figures have not (day-groups.ts). Days of which none are kept are not in it. */
  dayGroups(window: StatsWindow, field: ClickDimension): Promise<ReadonlyMap<string, readonly CountedGroup[]>>;
  /** Counts clicks: the groups of each grouping. */
  groups(wanted: GroupsWanted): Promise<readonly (readonly CountedGroup[])[]>;
  /** How much is read for the range, by day (UTC), latest first. */
  sizes(range: LogRange): Promise<readonly { readonly day: string; readonly bytes: number }[]>;
}
