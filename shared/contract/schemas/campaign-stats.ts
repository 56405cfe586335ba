import Type from 'typebox';
import { id, oneOf, text } from './fields.js';
import { statsBreakdowns, statsPeriod, statsSeries, statsTopLinks, statsTotals } from './stats.js';

export const campaignStatsSchema = Type.Object(
  {
    campaign: id('cmp_', 'Id of the campaign'),
    key: text('Its key', { examples: ['spring'] }),
    range: oneOf(['7d', '30d'], 'The range asked for'),
    ...statsPeriod,
    totals: statsTotals,
    series: statsSeries,
    ...statsBreakdowns,
    top_links: statsTopLinks,
  },
  { description: 'Clicks of the links of a campaign up to the moment `as_of`' },
);

export type CampaignStats = Type.Static<typeof campaignStatsSchema>;
