import Type from 'typebox';
import { oneOf, text, timestamp } from './fields.js';
import {
  clickCounts,
  STATS_INTERVALS,
  STATS_TOP_MAX,
  statsBreakdowns,
  statsDate,
  statsPeriod,
  statsTopLinks,
  statsTotals,
} from './stats.js';

export const environmentStatsSchema = Type.Object(
  {
    range: oneOf(['1d', '7d', '30d'], 'The range asked for'),
    interval: oneOf(STATS_INTERVALS, 'What one entry of `series` covers'),
    ...statsPeriod,
    totals: statsTotals,
    series: Type.Array(
      Type.Object({ start: timestamp('When the hour or day begins'), date: statsDate('Day of the project'), ...clickCounts }),
      {
        description:
          'Every day of the range, or every hour up to now, including those without clicks, oldest first. Hours are those of the project’s time zone; when clocks change, one of them is shorter. `unique` of an hour counts the visitors of that hour, so a visitor who clicks in two hours counts in both.',
      },
    ),
    ...statsBreakdowns,
    campaigns: Type.Array(Type.Object({ campaign: text('Key of the campaign', { examples: ['spring'] }), ...clickCounts }), {
      description: `The ${STATS_TOP_MAX} campaigns with most clicks by people`,
    }),
    types: Type.Array(Type.Object({ resource_type: text('Key of the type', { examples: ['product'] }), ...clickCounts }), {
      description: 'Clicks on items by resource type, most clicks by people first',
    }),
    top_links: statsTopLinks,
    top_items: Type.Array(
      Type.Object({
        resource_type: text('Key of the type', { examples: ['product'] }),
        id: text('The item, as it appeared in the URL'),
        ...clickCounts,
      }),
      { description: `The ${STATS_TOP_MAX} items with most clicks by people, of all types` },
    ),
  },
  { description: 'Clicks of an environment up to the moment `as_of`' },
);

export type EnvironmentStats = Type.Static<typeof environmentStatsSchema>;
