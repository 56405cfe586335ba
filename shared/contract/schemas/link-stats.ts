import Type from 'typebox';
import { count, id, oneOf, text } from './fields.js';
import { statsBreakdowns, statsPeriod, statsSeries, statsTotals } from './stats.js';

export const linkStatsSchema = Type.Object(
  {
    link: id('lnk_', 'Id of the link'),
    range: oneOf(['7d', '30d'], 'The range asked for'),
    ...statsPeriod,
    totals: statsTotals,
    series: statsSeries,
    ...statsBreakdowns,
    imported: Type.Object(
      {
        clicks: count('Clicks at all of them'),
        by_source: Type.Array(
          Type.Object({ source: text('Name of the service', { examples: ['bitly'] }), clicks: count('Clicks there') }),
          { description: 'By service, most clicks first' },
        ),
      },
      {
        description:
          'Clicks that the link had before it was imported, as `linkd import` read them from the other service. They belong to no range and are not included in any other figure',
      },
    ),
  },
  { description: 'Clicks of a link up to the moment `as_of`' },
);

export type LinkStats = Type.Static<typeof linkStatsSchema>;
