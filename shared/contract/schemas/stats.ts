import Type from 'typebox';
import { PLATFORMS } from '../../resolve/recognise-visitor.js';
import { closedObject, count, id, nullable, oneOf, text, timestamp } from './fields.js';

/** Days of a range, today included. */
export const STATS_RANGES = { '7d': 7, '30d': 30 } as const;
export type StatsRange = keyof typeof STATS_RANGES;
export const STATS_RANGE_DEFAULT: StatsRange = '7d';

/** The ranges of an environment's statistics. */
export const ENVIRONMENT_STATS_RANGES = { '1d': 1, ...STATS_RANGES } as const;
export type EnvironmentStatsRange = keyof typeof ENVIRONMENT_STATS_RANGES;

export const STATS_INTERVALS = ['hour', 'day'] as const;
export type StatsInterval = (typeof STATS_INTERVALS)[number];

/** Entries of a breakdown. */
export const STATS_TOP_MAX = 10;

function range<const Range extends string>(ranges: Readonly<Record<Range, number>>) {
  return Type.Optional(
    Type.Unsafe<Range>({
      type: 'string',
      enum: Object.keys(ranges),
      default: STATS_RANGE_DEFAULT,
      description: 'Days of the project that are counted, today included',
    }),
  );
}

export const statsQuerySchema = closedObject({ range: range(STATS_RANGES) });

export const environmentStatsQuerySchema = closedObject({
  range: range(ENVIRONMENT_STATS_RANGES),
  interval: Type.Optional(oneOf(STATS_INTERVALS, 'What one entry of `series` covers; by default `hour` for `1d` and `day` otherwise')),
});

/** Every count has three values. */
export const clickCounts = {
  all: count('All clicks, including those of bots'),
  human: count('Clicks by people: without bots and prefetches'),
  unique: Type.Integer({
    minimum: 0,
    description:
      'Unique visitors among the clicks by people. A visitor is a hash of address and user agent whose key changes every day: somebody who comes on three days counts three times',
  }),
};

export const statsDate = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-20'] });

/** What every answer says about the days it covers. */
export const statsPeriod = {
  from: statsDate('First day, in the project’s time zone'),
  to: statsDate('Today, in the project’s time zone'),
  timezone: text('Time zone of the project', { examples: ['Europe/Berlin'] }),
  as_of: timestamp(
    'Time up to which clicks are counted, usually a second ago. If clicks come faster than they can be counted, it falls behind and catches up later',
  ),
};

export const statsTotals = Type.Object(clickCounts, { description: 'Over the whole range: the sum of its days' });

export const statsSeries = Type.Array(Type.Object({ date: statsDate('Day of the project'), ...clickCounts }), {
  description: 'Every day of the range, oldest first; a day without clicks has zeros',
});

/** Breakdowns by properties of the visitors. Every answer contains them. */
export const statsBreakdowns = {
  platforms: Type.Array(Type.Object({ platform: oneOf(PLATFORMS, 'What the visitor’s device runs'), ...clickCounts }), {
    description: 'By platform, most clicks by people first',
  }),
  countries: Type.Array(Type.Object({ country: nullable(text('ISO 3166-1 alpha-2; null if it is not known')), ...clickCounts }), {
    description: `The ${STATS_TOP_MAX} countries with most clicks by people`,
  }),
  referrers: Type.Array(
    Type.Object({ referrer_host: nullable(text('Host of the page that led to the link; null if there was none')), ...clickCounts }),
    { description: `The ${STATS_TOP_MAX} referrers with most clicks by people` },
  ),
};

export const statsTopLinks = Type.Array(
  Type.Object({
    link: id('lnk_', 'Id of the link'),
    path: nullable(text('Its path; null if the link was deleted for good')),
    ...clickCounts,
  }),
  { description: `The ${STATS_TOP_MAX} links with most clicks by people` },
);
