import { healthSchema } from '../schemas/health.js';
import { SCOPES } from '../schemas/scopes.js';
import type { UntaggedRoute } from './route.js';

export const HEALTH_ROUTES = {
  getHealth: {
    method: 'GET',
    path: '/health',
    summary: 'Read the health of the service',
    description:
      'The state of each part of the service, and of the webhook queue of the environment. Link hosts report their state every two seconds. A link host that has not reported for 10 seconds counts as one that does not redirect, although it may still do so. The status is always 200. The operator finds more on the admin port of the control plane, and with `linkd health`.',
    scopes: SCOPES,
    response: {
      status: 200,
      description: 'Every part of the service, and the webhook queue',
      schema: healthSchema,
    },
  },
} as const satisfies Record<string, UntaggedRoute>;
