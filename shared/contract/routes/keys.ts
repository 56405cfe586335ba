import { keySchema } from '../schemas/key.js';
import { SCOPES } from '../schemas/scopes.js';
import type { Route } from './route.js';

export const KEY_ROUTES = {
  getKey: {
    method: 'GET',
    path: '/key',
    tag: 'Environment',
    summary: 'Read what the key may do',
    key: 'secret',
    scopes: SCOPES,
    response: { status: 200, description: 'The key of the call', schema: keySchema },
  },
} as const satisfies Record<string, Route>;
