/** The counts of previews and calls, which are the columns of `metadata_figures`. */
export const FIGURE_COLUMNS = [
  'previews_served',
  'previews_from_memory',
  'previews_from_database',
  'previews_from_negative_cache',
  'previews_stale',
  'previews_fallback',
  'previews_redirected',
  'previews_called',
  'calls_ok',
  'calls_missing',
  'calls_error',
  'calls_timeout',
  'calls_invalid',
  'skipped_breaker_open',
  'skipped_throttled',
  'latency_ms_sum',
  'latency_lt_100',
  'latency_lt_300',
  'latency_lt_1000',
  'latency_ge_1000',
] as const;
export type FigureColumn = (typeof FIGURE_COLUMNS)[number];

/** Counts of one resource type; columns that are 0 are left out. */
export interface FigureRow {
  readonly resource_type_id: string;
  readonly counts: { readonly [Column in FigureColumn]?: number };
}

/** Counts by resource type, since they were last taken. */
export class Figures {
  readonly #types = new Map<string, { [Column in FigureColumn]?: number }>();

  count(resourceTypeId: string, column: FigureColumn, by = 1): void {
    let counts = this.#types.get(resourceTypeId);
    if (counts === undefined) {
      counts = {};
      this.#types.set(resourceTypeId, counts);
    }
    counts[column] = (counts[column] ?? 0) + by;
  }

  /** Adds the counts of another instance. */
  add(rows: readonly FigureRow[]): void {
    for (const { resource_type_id, counts } of rows)
      for (const column of FIGURE_COLUMNS) if (counts[column] !== undefined) this.count(resource_type_id, column, counts[column]);
  }

  isEmpty(): boolean {
    return this.#types.size === 0;
  }

  /** Returns all counts, and starts again from zero. */
  take(): readonly FigureRow[] {
    const rows = Array.from(this.#types, ([resource_type_id, counts]) => ({ resource_type_id, counts }));
    this.#types.clear();
    return rows;
  }
}

/** Returns the latency column for the duration of a call. */
export function latencyColumn(milliseconds: number): FigureColumn {
  if (milliseconds < 100) return 'latency_lt_100';
  if (milliseconds < 300) return 'latency_lt_300';
  return milliseconds < 1000 ? 'latency_lt_1000' : 'latency_ge_1000';
}
