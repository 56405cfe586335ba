import Type from 'typebox';
import { id, oneOf } from './fields.js';
import { statsBreakdowns, statsPeriod, statsSeries, statsTotals } from './stats.js';

export const linkStatsSchema = Type.Object(
  {
    link: id('lnk_', 'Id of the link'),
    range: oneOf(['7d', '30d'], 'The range asked for'),
    ...statsPeriod,
    totals: statsTotals,
    series: statsSeries,
    ...statsBreakdowns,
  },
  { description: 'Clicks of a link up to the moment `as_of`' },
);

export type LinkStats = Type.Static<typeof linkStatsSchema>;
