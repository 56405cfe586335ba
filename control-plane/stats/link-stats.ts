import { idToUuid } from '../../shared/base/ids.js';
import { invariant } from '../../shared/base/invariant.js';
import type { LinkStats } from '../../shared/contract/schemas/link-stats.js';
import { STATS_RANGES, STATS_TOP_MAX, type StatsRange } from '../../shared/contract/schemas/stats.js';
import { addCounts, type FigureSum, readSums } from '../click-figures/sums.js';
import { readTail } from '../click-figures/tail.js';
import { readInSnapshot } from '../click-figures/transaction.js';
import { readStatsWindow, type StatsWindow } from '../click-figures/window.js';
import type { Database } from '../db/database.js';
import { breakdowns } from './breakdowns.js';
import { dailySeries } from './series.js';

/** Clicks of the link in the environment over the range. The link's existence is the caller's to check. */
export async function linkStats(
  database: Database,
  link: { readonly id: string; readonly environment_id: string },
  range: StatsRange,
  nowMs: number,
): Promise<LinkStats> {
  const uuid = idToUuid('link', link.id);
  invariant(uuid !== null, 'stats are asked for a link that exists');
  return readInSnapshot(database, async (snapshot) => {
    const window = await readStatsWindow(snapshot, link.environment_id, STATS_RANGES[range], nowMs);
    const sums = await readSums(snapshot, await readTail(snapshot, nowMs), {
      scope: { window, link: uuid },
      daily: ['link'],
      total: ['link_platform', 'link_country', 'link_referrer'],
      top: STATS_TOP_MAX,
    });
    return linkStatsOf(link.id, range, window, sums);
  });
}

/** The answer of the API from the sums. Days without clicks are filled in. */
export function linkStatsOf(linkId: string, range: StatsRange, window: StatsWindow, sums: readonly FigureSum[]): LinkStats {
  const series = dailySeries(
    window,
    sums.filter(({ dimension }) => dimension === 'link'),
  );
  return {
    link: linkId,
    range,
    from: window.from,
    to: window.to,
    timezone: window.time_zone,
    totals: addCounts(series),
    series,
    ...breakdowns(sums, 'link_platform', 'link_country', 'link_referrer'),
  };
}
