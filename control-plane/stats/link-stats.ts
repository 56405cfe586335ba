import { idToUuid } from '../../shared/base/ids.js';
import { invariant } from '../../shared/base/invariant.js';
import type { LinkStats } from '../../shared/contract/schemas/link-stats.js';
import { STATS_RANGES, STATS_TOP_MAX, type StatsRange } from '../../shared/contract/schemas/stats.js';
import { addCounts } from '../click-figures/counts.js';
import type { BreakdownEntry } from '../click-figures/reading/breakdowns.js';
import type { FigureSum } from '../click-figures/reading/sums.js';
import { sumImportedClicks } from '../links/imported-clicks.js';
import { readWindow, type StatsWindow, shownDays } from '../local-days/window.js';
import { breakdowns } from './breakdowns.js';
import { dailySeries } from './series.js';
import { readStatistics, type StatsSource } from './source.js';

/** Clicks on the link in the environment over the range. The caller must check that the link exists. */
export async function linkStats(
  source: StatsSource,
  link: { readonly id: string; readonly environment_id: string },
  range: StatsRange,
  nowMs: number,
): Promise<LinkStats> {
  const uuid = idToUuid('link', link.id);
  invariant(uuid !== null, 'stats are asked for a link that exists');
  return readStatistics(source, async (snapshot, clicks) => {
    const window = await readWindow(snapshot, link.environment_id, { days: STATS_RANGES[range] }, nowMs);
    const scope = { window, link: uuid };
    const sums = await clicks.sums({ scope, daily: ['link'], total: [], top: 0 });
    const visitors = await clicks.breakdowns(scope, STATS_TOP_MAX);
    const imported = await sumImportedClicks(snapshot, link.id);
    return linkStatsOf({ linkId: link.id, range, window, asOf: await clicks.asOf(window), imported }, sums, visitors);
  });
}

interface LinkStatsHead {
  readonly linkId: string;
  readonly range: StatsRange;
  readonly window: StatsWindow;
  /** The moment up to which the clicks are in the sums. */
  readonly asOf: string;
  readonly imported: readonly LinkStats['imported']['by_source'][number][];
}

/** Makes the API's response from the sums. Days without clicks are filled in. */
export function linkStatsOf(
  { linkId, range, window, asOf, imported }: LinkStatsHead,
  sums: readonly FigureSum[],
  visitors: readonly BreakdownEntry[],
): LinkStats {
  const series = dailySeries(
    window,
    sums.filter(({ dimension }) => dimension === 'link'),
  );
  return {
    link: linkId,
    range,
    ...shownDays(window),
    as_of: asOf,
    totals: addCounts(series),
    series,
    ...breakdowns(visitors),
    imported: { clicks: imported.reduce((sum, { clicks }) => sum + clicks, 0), by_source: [...imported] },
  };
}
