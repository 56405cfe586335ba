import { LATENCY_BUCKETS, type LatencyBucket, type ResourceTypeStats } from '../../shared/contract/schemas/resources.js';
import type { Queryable } from '../db/database.js';
import type { StatsWindow } from '../local-days/window.js';

const PREVIEW_FIGURES = ['served', 'from_memory', 'from_database', 'from_negative_cache', 'stale', 'fallback', 'redirected'] as const;
const CALL_FIGURES = ['ok', 'missing', 'errors', 'timeouts', 'invalid', 'breaker_open', 'throttled'] as const;
/** `called`: previews that called the API themselves. */
const FIGURES = [...PREVIEW_FIGURES, 'called', ...CALL_FIGURES, 'latency_ms_sum', ...LATENCY_BUCKETS] as const;

/** Sums of `metadata_figures` over a range, for one type. */
export type FigureRow = Readonly<Record<(typeof FIGURES)[number], number>>;

export const NO_FIGURES = Object.fromEntries(FIGURES.map((figure) => [figure, 0])) as FigureRow;

/** By the id of the resource type. A type without figures is absent. An interval belongs to the day on which it begins. */
export async function readFigures(
  database: Queryable,
  environmentId: string,
  window: StatsWindow,
): Promise<ReadonlyMap<string, FigureRow>> {
  const { rows } = await database.query<FigureRow & { readonly resource_type_id: string }>({
    name: 'read_metadata_figures',
    text: `
      SELECT resource_type_id, sum(previews_served)::float8 AS served, sum(previews_from_memory)::float8 AS from_memory,
        sum(previews_from_database)::float8 AS from_database, sum(previews_from_negative_cache)::float8 AS from_negative_cache,
        sum(previews_stale)::float8 AS stale, sum(previews_fallback)::float8 AS fallback,
        sum(previews_redirected)::float8 AS redirected, sum(previews_called)::float8 AS called,
        sum(calls_ok)::float8 AS ok, sum(calls_missing)::float8 AS missing, sum(calls_error)::float8 AS errors,
        sum(calls_timeout)::float8 AS timeouts, sum(calls_invalid)::float8 AS invalid,
        sum(skipped_breaker_open)::float8 AS breaker_open, sum(skipped_throttled)::float8 AS throttled,
        sum(latency_ms_sum)::float8 AS latency_ms_sum, sum(latency_lt_100)::float8 AS lt_100, sum(latency_lt_300)::float8 AS lt_300,
        sum(latency_lt_1000)::float8 AS lt_1000, sum(latency_ge_1000)::float8 AS ge_1000
      FROM metadata_figures
      WHERE resource_type_id IN (SELECT id FROM resource_types WHERE environment_id = $1)
        AND interval_start >= $2 AND interval_start < $3
        AND (interval_start AT TIME ZONE $4)::date BETWEEN $5::date AND $6::date
      GROUP BY resource_type_id`,
    values: [environmentId, window.from_at, window.to_at, window.time_zone, window.from, window.to],
  });
  return new Map(rows.map(({ resource_type_id, ...figures }) => [resource_type_id, figures]));
}

/** Rounds to three decimals, because a share of a hundred thousand calls is not more precise. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 1000;
}

/** The latency class of the call at the 95th percentile (nearest rank); null without calls. */
export function p95Bucket(counts: Readonly<Record<LatencyBucket, number>>): LatencyBucket | null {
  const total = LATENCY_BUCKETS.reduce((sum, bucket) => sum + counts[bucket], 0);
  const rank = Math.ceil(total * 0.95);
  let seen = 0;
  for (const bucket of LATENCY_BUCKETS) {
    seen += counts[bucket];
    if (seen > 0 && seen >= rank) return bucket;
  }
  return null;
}

/** The figures as the API shows them. */
export function shownFigures(row: FigureRow): Pick<ResourceTypeStats, 'previews' | 'metadata_api'> {
  const { served, from_memory, from_database, from_negative_cache, stale, fallback, redirected } = row;
  const { ok, missing, errors, timeouts, invalid, breaker_open, throttled } = row;
  const calls = ok + missing + errors + timeouts + invalid;
  const timed = row.lt_100 + row.lt_300 + row.lt_1000 + row.ge_1000;
  return {
    previews: {
      served,
      from_memory,
      from_database,
      from_negative_cache,
      stale,
      fallback,
      redirected,
      cache_hit_rate: share(served - row.called, served),
    },
    metadata_api: {
      calls,
      ok,
      missing,
      errors,
      timeouts,
      invalid,
      breaker_open,
      throttled,
      error_rate: share(errors + timeouts, calls),
      avg_latency_ms: timed === 0 ? null : Math.round(row.latency_ms_sum / timed),
      p95_bucket: p95Bucket(row),
    },
  };
}
