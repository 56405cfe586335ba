import type { Collision, ImportedRow, ImportOutcome } from '../../../../shared/contract/schemas/link-import.js';
import { text } from '../../language/text.js';

/** What became of rows so far, as a step shows it. */
export interface Tally {
  readonly done: number;
  readonly counts: Readonly<Record<ImportOutcome, number>>;
  /** Rows that lack something. */
  readonly withLosses: number;
  /** In how many rows each field was not carried over. */
  readonly lost: Readonly<Record<string, number>>;
  /** The first rows that were not made. */
  readonly problems: readonly ImportedRow[];
}

/** A file whose rows are all wrong usually has one fault, and the report has all rows. */
export const PROBLEMS_SHOWN_MAX = 50;
/** Objects of a file can each have members of other names. */
export const LOST_FIELDS_MAX = 50;

export const NOTHING: Tally = {
  done: 0,
  counts: { created: 0, aliased: 0, exists: 0, skipped: 0, failed: 0 },
  withLosses: 0,
  lost: {},
  problems: [],
};

export function tallied(before: Tally, rows: readonly ImportedRow[]): Tally {
  const counts = { ...before.counts };
  for (const { outcome } of rows) counts[outcome]++;
  const more = rows.filter(({ outcome }) => outcome === 'failed' || outcome === 'skipped');
  return {
    done: before.done + rows.length,
    counts,
    withLosses: before.withLosses + rows.filter(({ lost }) => lost.length > 0).length,
    lost: lostFields(before.lost, rows),
    problems: [...before.problems, ...more].slice(0, PROBLEMS_SHOWN_MAX),
  };
}

function lostFields(before: Tally['lost'], rows: readonly ImportedRow[]): Tally['lost'] {
  const counts = new Map(Object.entries(before));
  for (const { lost } of rows)
    for (const field of lost) if (counts.has(field) || counts.size < LOST_FIELDS_MAX) counts.set(field, (counts.get(field) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/**
 * Rows of a dry run whose address an earlier row of the file has: the API judges each call by itself and makes nothing, so that it
 * cannot know. `seen` has the rows so far by what the source calls them.
 */
export function withoutDoubles(rows: readonly ImportedRow[], seen: Map<string, number>, collision: Collision): readonly ImportedRow[] {
  return rows.map((row) => {
    const first = seen.get(row.id);
    if (first === undefined) seen.set(row.id, row.row);
    if (first === undefined || (row.outcome !== 'created' && row.outcome !== 'aliased')) return row;
    return {
      ...row,
      outcome: collision === 'skip' ? 'skipped' : 'failed',
      url: null,
      reason: text('Row {first} of the file has the same address.', { first }),
    };
  });
}

/** Hosts that the rows name, for their links or for aliases, the most frequent first. */
export function hostsOf(rows: readonly Pick<ImportedRow, 'hosts'>[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { hosts } of rows) for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([host]) => host);
}
