import type { Collision, ImportedRow, ImportOutcome } from '../../../../shared/contract/schemas/link-import.js';
import { text } from '../../language/text.js';

/** A summary of the results so far, for display. */
export interface Tally {
  readonly done: number;
  readonly counts: Readonly<Record<ImportOutcome, number>>;
  /** The number of rows that lost some of their data. */
  readonly withLosses: number;
  /** For each field, the number of rows that lost it. */
  readonly lost: Readonly<Record<string, number>>;
  /** The first rows for which no link was created. */
  readonly problems: readonly ImportedRow[];
}

/** If all rows of a file are wrong, they usually have the same fault. The report has all rows. */
export const PROBLEMS_SHOWN_MAX = 50;
/** Limits the fields that are counted, because every object of a file can have members with other names. */
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
  const isImported = ({ outcome }: ImportedRow) => outcome !== 'failed' && outcome !== 'skipped';
  const imported = rows.filter(isImported);
  const more = rows.filter((row) => !isImported(row));
  return {
    done: before.done + rows.length,
    counts,
    withLosses: before.withLosses + imported.filter(({ lost }) => lost.length > 0).length,
    lost: lostFields(before.lost, imported),
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
 * Corrects the results of a dry run for rows with the same address as an earlier row of the file, or with the same path here. The API judges
 * each call separately and creates nothing, so it cannot detect these. `seen` has the first row by what the source calls its link, and by
 * the path of the link.
 */
export function withoutDoubles(rows: readonly ImportedRow[], seen: Map<string, ImportedRow>, collision: Collision): readonly ImportedRow[] {
  return rows.map((row) => {
    const { host, path } = placeOf(row);
    // No link is called by two slashes and a path.
    const keys = path === null ? [row.id] : [row.id, `//${path}`];
    const first = keys.flatMap((key) => seen.get(key) ?? [])[0];
    for (const key of keys) if (!seen.has(key)) seen.set(key, row);
    if (first === undefined || (row.outcome !== 'created' && row.outcome !== 'aliased')) return row;
    const isSameAddress = first.id === row.id;
    if (!isSameAddress && collision === 'alias' && placeOf(first).host !== host) return { ...row, outcome: 'aliased', url: null };
    const values = { first: first.row };
    const reason = isSameAddress
      ? text('Row {first} of the file has the same address.', values)
      : text('Row {first} of the file has the same path.', values);
    return { ...row, outcome: collision === 'skip' ? 'skipped' : 'failed', url: null, reason };
  });
}

/** The host and the path that a link would have that is to be created. */
function placeOf({ outcome, url }: ImportedRow): { readonly host: string | null; readonly path: string | null } {
  const [, host = null, path = null] = (outcome === 'created' && /^https?:\/\/([^/]+)\/(.+)$/.exec(url ?? '')) || [];
  return { host, path };
}

/** The hosts that the rows contain, for links or for aliases, the most frequent first. */
export function hostsOf(rows: readonly Pick<ImportedRow, 'hosts'>[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { hosts } of rows) for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([host]) => host);
}
