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
      'Clicks of all links and items, over time and by what they came from, counted to the last click that was stored, which takes less than a second. Days are the project’s, also across a change of clocks. Lists go by clicks of people. 503 where clicks come faster than they can be counted: the figures catch up.',
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
