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
} as const satisfies Record<string, Route>;
