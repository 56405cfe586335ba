import { clicksAnswerSchema, clicksQuerySchema } from '../schemas/clicks-query.js';
import { environmentStatsSchema } from '../schemas/environment-stats.js';
import { environmentStatsQuerySchema } from '../schemas/stats.js';
import type { Route } from './route.js';

export const STATS_ROUTES = {
  getStats: {
    method: 'GET',
    path: '/stats',
    tag: 'Statistics',
    summary: 'Read the clicks of the environment',
    description:
      'Clicks of all links and items, over time and by what they came from, counted up to the moment `as_of`, usually a second ago. Days are the project’s, also across a change of clocks. Lists go by clicks of people.',
    key: 'secret',
    scopes: ['analytics:read'],
    query: environmentStatsQuerySchema,
    response: {
      status: 200,
      description: 'Clicks by time, platform, country, referrer, campaign, type, link and item',
      schema: environmentStatsSchema,
    },
  },
  getClicks: {
    method: 'GET',
    path: '/stats/clicks',
    tag: 'Statistics',
    summary: 'Query the clicks of the environment',
    description:
      'Clicks of any days that the click log keeps, with filters that stack: `?country=DE&platform=ios&breakdown=link`. An empty filter, `?campaign=`, is for clicks without a value. Figures without filter and breakdown come from sums; all others are counted from the log, which takes longer the more clicks those days have: where that could take more than 5 seconds the call is refused with the first day that can be asked for.',
    key: 'secret',
    scopes: ['analytics:read'],
    query: clicksQuerySchema,
    response: { status: 200, description: 'The clicks that the filters let through', schema: clicksAnswerSchema },
  },
} as const satisfies Record<string, Route>;
