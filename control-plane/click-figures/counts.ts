import type { ClickMeasure } from '../../shared/contract/schemas/clicks-query.js';

/** How often something was clicked on. */
export interface ClickCounts {
  readonly all: number;
  readonly human: number;
  readonly unique: number;
}

/** The counts of a row of figures or sums, as SQL. */
export const COUNT_COLUMNS = 'clicks::float8 AS "all", human::float8 AS human, visitors::float8 AS "unique"';

/** The sums of the counts of such rows, as SQL. */
export const SUM_COLUMNS = 'sum(clicks) AS clicks, sum(human) AS human, sum(visitors) AS visitors';

/** The counts of nothing. */
export const NO_CLICKS: ClickCounts = { all: 0, human: 0, unique: 0 };

export function addCounts(counts: readonly ClickCounts[]): ClickCounts {
  return counts.reduce(
    (sum, { all, human, unique }) => ({ all: sum.all + all, human: sum.human + human, unique: sum.unique + unique }),
    NO_CLICKS,
  );
}

/** Returns only the counts of something that has more. */
export function countsOf({ all, human, unique }: ClickCounts): ClickCounts {
  return { all, human, unique };
}

/** The counts by which groups are ordered for each measure, those with more first: the next one if they have as many of one. */
export const MEASURED_BY: Readonly<Record<ClickMeasure, readonly (keyof ClickCounts)[]>> = {
  human: ['human', 'all'],
  unique: ['unique', 'human', 'all'],
  all: ['all', 'human'],
};

/** The first part of an `ORDER BY`; `columns` names the counts in the statement. */
export function mostFirst(measure: ClickMeasure, columns: Readonly<Record<keyof ClickCounts, string>>): string {
  return MEASURED_BY[measure].map((count) => `${columns[count]} DESC`).join(', ');
}

/** Compares two groups in the same order. Returns a number below 0 if the first has more. */
export function compareCounts(measure: ClickMeasure, one: ClickCounts, other: ClickCounts): number {
  const differing = MEASURED_BY[measure].find((count) => one[count] !== other[count]);
  return differing === undefined ? 0 : other[differing] - one[differing];
}

export function isSameCounts(one: ClickCounts, other: ClickCounts): boolean {
  return one.all === other.all && one.human === other.human && one.unique === other.unique;
}
