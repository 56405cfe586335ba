import type { Route } from '../route.js';
import { SCOPES } from '../route.js';
import { healthSchema } from '../schemas/health.js';

export const HEALTH_ROUTES = {
  getHealth: {
    method: 'GET',
    path: '/health',
    tag: 'Environment',
    summary: 'Read how the service is',
    description:
      'Of the whole service, but for the webhook queue, which is the environment’s own. Read from the database, where engines say how they are every two seconds: what an engine that cannot reach it does meanwhile is not known here. Answers 200 whatever it finds; monitors that ask without a key use `/health/live` and `/health/ready` of the admin ports.',
    key: 'secret',
    scopes: SCOPES,
    idempotent: false,
    response: {
      status: 200,
      description: 'Processes, how far engines follow the feed, their spools, and the webhook queue',
      schema: healthSchema,
    },
  },
} as const satisfies Record<string, Route>;
