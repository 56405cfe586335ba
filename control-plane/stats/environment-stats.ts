import { compareBytes } from '../../shared/base/compare-bytes.js';
import { uuidToId } from '../../shared/base/ids.js';
import type { EnvironmentStats } from '../../shared/contract/schemas/environment-stats.js';
import {
  ENVIRONMENT_STATS_RANGES,
  type EnvironmentStatsRange,
  STATS_TOP_MAX,
  type StatsInterval,
} from '../../shared/contract/schemas/stats.js';
import { addCounts, countsOf } from '../click-figures/counts.js';
import type { FigureSum } from '../click-figures/reading/sums.js';
import type { TopEntry } from '../click-figures/reading/top-values.js';
import { readPeriods } from '../local-days/periods.js';
import { readWindow, shownDays } from '../local-days/window.js';
import { breakdowns, topLinks } from './breakdowns.js';
import { readTypeKeys } from './names.js';
import { seriesOf } from './series.js';
import { readStatistics, type StatsSource } from './source.js';

export interface EnvironmentStatsWanted {
  readonly range: EnvironmentStatsRange;
  readonly interval: StatsInterval;
}

/** Clicks of the environment over the range. */
export function environmentStats(
  source: StatsSource,
  environmentId: string,
  { range, interval }: EnvironmentStatsWanted,
  nowMs: number,
): Promise<EnvironmentStats> {
  return readStatistics(source, async (snapshot, clicks) => {
    const window = await readWindow(snapshot, environmentId, { days: ENVIRONMENT_STATS_RANGES[range] }, nowMs);
    const scope = { window };
    const sums = await clicks.sums({
      scope,
      daily: interval === 'hour' ? ['total', 'hour'] : ['total'],
      total: ['platform', 'country', 'type'],
      top: Number.MAX_SAFE_INTEGER,
    });
    const tops = await clicks.topValues({ scope, lists: ['link', 'item', 'referrer', 'campaign'], top: STATS_TOP_MAX });
    const top_links = await topLinks(
      snapshot,
      environmentId,
      tops.filter(({ dimension }) => dimension === 'link'),
    );
    const typeKeys = await readTypeKeys(snapshot, environmentId);
    const days = sums.filter(({ dimension }) => dimension === 'total');
    const periods = await readPeriods(snapshot, window, interval, new Date(nowMs));
    const countries = sums.filter(({ dimension }) => dimension === 'country').slice(0, STATS_TOP_MAX);
    const groups = [...sums.filter(({ dimension }) => dimension === 'platform'), ...countries, ...tops];
    return {
      range,
      interval,
      ...shownDays(window),
      as_of: await clicks.asOf(window),
      totals: addCounts(days),
      series: seriesOf(periods, interval === 'hour' ? sums.filter(({ dimension }) => dimension === 'hour') : days),
      ...breakdowns(groups),
      campaigns: tops
        .filter(({ dimension }) => dimension === 'campaign')
        .map((group) => ({ campaign: group.campaign, ...countsOf(group) })),
      types: typesOf(sums, typeKeys),
      top_links,
      top_items: topItems(tops, typeKeys),
    };
  });
}

/** Clicks by type, in the order of `sums`. Types that the environment does not have are left out. */
function typesOf(sums: readonly FigureSum[], typeKeys: ReadonlyMap<string, string>): EnvironmentStats['types'] {
  return sums.flatMap((sum) => {
    const key = sum.dimension === 'type' ? typeKeys.get(uuidToId('resourceType', sum.subject_id)) : undefined;
    return key === undefined ? [] : [{ resource_type: key, ...countsOf(sum) }];
  });
}

/** The most clicked items over all types. They are among the most clicked items of each type. */
function topItems(tops: readonly TopEntry[], typeKeys: ReadonlyMap<string, string>): EnvironmentStats['top_items'] {
  return tops
    .filter(({ dimension }) => dimension === 'item')
    .flatMap((item) => {
      const key = typeKeys.get(uuidToId('resourceType', item.subject_id));
      return key === undefined ? [] : [{ resource_type: key, id: item.value, ...countsOf(item) }];
    })
    .toSorted((a, b) => b.human - a.human || compareBytes(a.resource_type, b.resource_type) || compareBytes(a.id, b.id))
    .slice(0, STATS_TOP_MAX);
}
