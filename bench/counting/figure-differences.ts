import { isDeepStrictEqual } from 'node:util';
import type { EnvironmentStats } from '../../shared/contract/schemas/environment-stats.js';
import type { LinkStats } from '../../shared/contract/schemas/link-stats.js';
import { STATS_TOP_MAX } from '../../shared/contract/schemas/stats.js';
import type { VisitCounts } from './visit-counts.js';
import { REFERRER_HOSTS, VISITOR_PLATFORMS } from './visit-plan.js';

/** Where statistics differ from the visits. */
export interface FigureDifference {
  readonly figure: string;
  readonly visits: unknown;
  readonly statistics: unknown;
}

/** The three counts of a group. */
interface Counts {
  readonly all: number;
  readonly human: number;
  readonly unique: number;
}

export interface ComparedAnswers {
  readonly environment: Pick<EnvironmentStats, 'totals' | 'series' | 'platforms' | 'referrers' | 'top_links'>;
  readonly link: Pick<LinkStats, 'totals' | 'platforms' | 'referrers'>;
}

/** Compares every count. All visits are by people, and each by a different one, so the three counts of a group are equal. */
export function figureDifferences(
  visits: VisitCounts,
  linkIds: readonly string[],
  { environment, link }: ComparedAnswers,
): readonly FigureDifference[] {
  const { watched } = visits;
  const watchedTotal = visits.by_link[watched.link] as number;
  const sumOfSeries = environment.series.reduce((sum, { all }) => sum + all, 0);
  return [
    ...differences('totals', sameThrice(visits.total), countsOf(environment.totals)),
    ...differences('series', visits.total, sumOfSeries),
    ...listDifferences('platforms', VISITOR_PLATFORMS, visits.by_platform, named(environment.platforms, 'platform')),
    ...listDifferences('referrers', REFERRER_HOSTS, visits.by_referrer, named(environment.referrers, 'referrer_host')),
    ...listDifferences('top_links', linkIds, visits.by_link, named(environment.top_links, 'link')),
    ...differences('totals of one link', sameThrice(watchedTotal), countsOf(link.totals)),
    ...listDifferences('platforms of one link', VISITOR_PLATFORMS, watched.by_platform, named(link.platforms, 'platform')),
    ...listDifferences('referrers of one link', REFERRER_HOSTS, watched.by_referrer, named(link.referrers, 'referrer_host')),
  ];
}

interface Entry {
  readonly name: string;
  readonly counts: Counts;
}

function named<Key extends string>(list: readonly (Counts & Readonly<Record<Key, string | null>>)[], key: Key): readonly Entry[] {
  return list.map((entry) => ({ name: entry[key] ?? '', counts: countsOf(entry) }));
}

/**
 * Compares the first places of a list. Among groups with equal counts, any may have the last places. So each entry is
 * compared with its own group, and the counts from the first place to the last with the greatest that there are.
 */
function listDifferences(
  figure: string,
  names: readonly string[],
  counts: readonly number[],
  entries: readonly Entry[],
): readonly FigureDifference[] {
  const greatest = counts
    .filter((count) => count > 0)
    .toSorted((a, b) => b - a)
    .slice(0, STATS_TOP_MAX);
  const places = new Map(names.map((name, place) => [name, place]));
  const countOf = (name: string): number => counts[places.get(name) ?? -1] ?? 0;
  return [
    ...differences(
      `places of ${figure}`,
      greatest,
      entries.map((entry) => entry.counts.all),
    ),
    ...entries.flatMap((entry) => differences(`${figure}: ${entry.name}`, sameThrice(countOf(entry.name)), entry.counts)),
  ];
}

function differences(figure: string, visits: unknown, statistics: unknown): readonly FigureDifference[] {
  return isDeepStrictEqual(visits, statistics) ? [] : [{ figure, visits, statistics }];
}

function countsOf({ all, human, unique }: Counts): Counts {
  return { all, human, unique };
}

function sameThrice(count: number): Counts {
  return { all: count, human: count, unique: count };
}
