import type { CampaignStats } from '../../shared/contract/schemas/campaign-stats.js';
import { STATS_RANGES, STATS_TOP_MAX, type StatsRange } from '../../shared/contract/schemas/stats.js';
import { addCounts } from '../click-figures/counts.js';
import { readWindow, shownDays } from '../local-days/window.js';
import { breakdowns, topLinks } from './breakdowns.js';
import { dailySeries } from './series.js';
import { readStatistics, type StatsSource } from './source.js';

/** Clicks on links that had the campaign, over the range. The caller must check that the campaign exists. */
export function campaignStats(
  source: StatsSource,
  campaign: { readonly id: string; readonly key: string; readonly environment_id: string },
  range: StatsRange,
  nowMs: number,
): Promise<CampaignStats> {
  return readStatistics(source, async (snapshot, clicks) => {
    const window = await readWindow(snapshot, campaign.environment_id, { days: STATS_RANGES[range] }, nowMs);
    const scope = { window, campaign: campaign.key };
    const sums = await clicks.sums({ scope, daily: ['campaign'], total: [], top: 0 });
    const visitors = await clicks.breakdowns(scope, STATS_TOP_MAX);
    const links = await clicks.topValues({ scope, lists: ['campaign_link'], top: STATS_TOP_MAX });
    const top_links = await topLinks(snapshot, campaign.environment_id, links);
    const series = dailySeries(window, sums);
    return {
      campaign: campaign.id,
      key: campaign.key,
      range,
      ...shownDays(window),
      as_of: await clicks.asOf(window),
      totals: addCounts(series),
      series,
      ...breakdowns(visitors),
      top_links,
    };
  });
}
