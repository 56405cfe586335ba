import { idToUuid } from '../../shared/base/ids.js';
import { invariant } from '../../shared/base/invariant.js';
import { type LinkStats, STATS_RANGES, STATS_TOP_MAX, type StatsRange } from '../../shared/contract/schemas/link-stats.js';
import type { Platform } from '../../shared/resolve/visitor.js';
import type { Queryable } from '../db/database.js';
import { daysOf, readStatsWindow, type StatsWindow } from './window.js';

/** Counts of one group: a day, or a value of a breakdown. */
export interface LinkStatsRow {
  readonly dimension: 'day' | 'platform' | 'country' | 'referrer';
  /** The day or the value; null for clicks without a value. */
  readonly value: string | null;
  readonly all: number;
  readonly human: number;
  readonly unique: number;
}

/**
 * All figures of a link from the click log, in one statement and so of one moment. The clicks are read once and counted
 * four ways (GROUPING SETS). The total is the sum of the days: a visitor's hash belongs to one day. Not prepared: planned with the instants at hand, PostgreSQL leaves all partitions but the
 * range's out of the plan, where a general plan has to carry every day that is kept.
 */
export async function readLinkStats(database: Queryable, linkId: string, window: StatsWindow): Promise<readonly LinkStatsRow[]> {
  const { rows } = await database.query<LinkStatsRow>({
    text: `
      WITH click AS (
        SELECT (occurred_at AT TIME ZONE $5)::date AS day, platform, country, referrer_host, bot, visitor_hash
        FROM clicks
        WHERE subject_id = $1::uuid AND environment_number = $2 AND occurred_at >= $3 AND occurred_at < $4
      ), counted AS (
        SELECT
          CASE GROUPING(day, platform, country, referrer_host)
            WHEN 7 THEN 'day' WHEN 11 THEN 'platform' WHEN 13 THEN 'country' ELSE 'referrer'
          END AS dimension,
          coalesce(day::text, platform, country, referrer_host) AS value,
          count(*)::integer AS "all",
          (count(*) FILTER (WHERE NOT bot))::integer AS human,
          (count(DISTINCT visitor_hash) FILTER (WHERE NOT bot))::integer AS "unique"
        FROM click
        WHERE day BETWEEN $6::date AND $7::date
        GROUP BY GROUPING SETS ((day), (platform), (country), (referrer_host))
      )
      SELECT dimension, value, "all", human, "unique"
      FROM (
        SELECT *, row_number() OVER (PARTITION BY dimension ORDER BY "all" DESC, value) AS place
        FROM counted
      ) AS placed
      WHERE dimension = 'day' OR place <= $8
      ORDER BY dimension, place`,
    values: [
      idToUuid('link', linkId),
      window.environment_number,
      window.from_at,
      window.to_at,
      window.time_zone,
      window.from,
      window.to,
      STATS_TOP_MAX,
    ],
  });
  return rows;
}

/** The answer of the API from the rows. Days without clicks are filled in. */
export function linkStatsOf(linkId: string, range: StatsRange, window: StatsWindow, rows: readonly LinkStatsRow[]): LinkStats {
  const of = (dimension: LinkStatsRow['dimension']) => rows.filter((row) => row.dimension === dimension);
  const days = new Map(of('day').map((row) => [row.value, row]));
  const series = daysOf(window).map((date) => ({ date, ...countsOf(days.get(date)) }));
  return {
    link: linkId,
    range,
    from: window.from,
    to: window.to,
    timezone: window.time_zone,
    totals: totalOf(series),
    series,
    platforms: of('platform').map((row) => ({ platform: row.value as Platform, ...countsOf(row) })),
    countries: of('country').map((row) => ({ country: row.value, ...countsOf(row) })),
    referrers: of('referrer').map((row) => ({ referrer_host: row.value, ...countsOf(row) })),
  };
}

/** Clicks of the link in the environment over the range. The link's existence is the caller's to check. */
export async function linkStats(
  database: Queryable,
  link: { readonly id: string; readonly environment_id: string },
  range: StatsRange,
  nowMs: number,
): Promise<LinkStats> {
  invariant(idToUuid('link', link.id) !== null, 'stats are asked for a link that exists');
  const window = await readStatsWindow(database, link.environment_id, STATS_RANGES[range], nowMs);
  return linkStatsOf(link.id, range, window, await readLinkStats(database, link.id, window));
}

interface Counts {
  readonly all: number;
  readonly human: number;
  readonly unique: number;
}

function totalOf(days: readonly Counts[]): Counts {
  return days.reduce((sum, day) => ({ all: sum.all + day.all, human: sum.human + day.human, unique: sum.unique + day.unique }), {
    all: 0,
    human: 0,
    unique: 0,
  });
}

function countsOf(row: LinkStatsRow | undefined): Counts {
  return { all: row?.all ?? 0, human: row?.human ?? 0, unique: row?.unique ?? 0 };
}
