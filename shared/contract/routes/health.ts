import { healthSchema } from '../schemas/health.js';
import { SCOPES } from '../schemas/scopes.js';
import type { UntaggedRoute } from './route.js';

export const HEALTH_ROUTES = {
  getHealth: {
    method: 'GET',
    path: '/health',
    summary: 'Read how the service is',
    description:
      'What the service does for its customers, part by part, and the webhook queue, which is the environment’s own. Link hosts say every two seconds how they are: one that is silent for 10 seconds may well redirect, and is told as one that does not. Answers 200 whatever it finds. The operator reads more on the admin port of the control plane, and with `linkd health`.',
    scopes: SCOPES,
    response: {
      status: 200,
      description: 'Every part of the service, and the webhook queue',
      schema: healthSchema,
    },
  },
} as const satisfies Record<string, UntaggedRoute>;
