import Type from 'typebox';
import { PLATFORMS } from '../../resolve/visitor.js';
import { id, nullable, oneOf, text } from './fields.js';

/** Days of a range, today included. */
export const STATS_RANGES = { '7d': 7, '30d': 30 } as const;
export type StatsRange = keyof typeof STATS_RANGES;
export const STATS_RANGE_DEFAULT: StatsRange = '7d';

/** Entries of a breakdown. */
export const STATS_TOP_MAX = 10;

export const statsQuerySchema = Type.Object(
  {
    range: Type.Optional(
      Type.Unsafe<StatsRange>({
        type: 'string',
        enum: Object.keys(STATS_RANGES),
        default: STATS_RANGE_DEFAULT,
        description: 'Days of the project that are counted, today included',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Every figure comes three times. */
const counts = {
  all: Type.Integer({ minimum: 0, description: 'Clicks, programs included' }),
  human: Type.Integer({ minimum: 0, description: 'Clicks of people: no program and no prefetch' }),
  unique: Type.Integer({
    minimum: 0,
    description:
      'Visitors behind the human clicks. A visitor is an address and a user agent, told apart by a key that changes every day of the project: one who comes on three days counts three times',
  }),
};

export const statsDate = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-20'] });

export const linkStatsSchema = Type.Object(
  {
    link: id('lnk_', 'Id of the link'),
    range: oneOf(['7d', '30d'], 'The range asked for'),
    from: statsDate('First day, in the project’s time zone'),
    to: statsDate('Today, in the project’s time zone'),
    timezone: text('Time zone of the project', { examples: ['Europe/Berlin'] }),
    totals: Type.Object(counts, { description: 'Over the whole range' }),
    series: Type.Array(Type.Object({ date: statsDate('Day of the project'), ...counts }), {
      description: 'Every day of the range, oldest first; a day without clicks is there with zeros',
    }),
    platforms: Type.Array(Type.Object({ platform: oneOf(PLATFORMS, 'What the visitor’s device runs'), ...counts }), {
      description: 'By platform, most clicks first',
    }),
    countries: Type.Array(Type.Object({ country: nullable(text('ISO 3166-1 alpha-2; null where it is not known')), ...counts }), {
      description: `The ${STATS_TOP_MAX} countries with most clicks`,
    }),
    referrers: Type.Array(
      Type.Object({ referrer_host: nullable(text('Host of the page that led to the link; null where none was named')), ...counts }),
      {
        description: `The ${STATS_TOP_MAX} referrers with most clicks`,
      },
    ),
  },
  { description: 'Clicks of a link, counted from the click log' },
);

export type LinkStats = Type.Static<typeof linkStatsSchema>;
