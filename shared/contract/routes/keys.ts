import { keyListQuerySchema, keyPageSchema, keySchema } from '../schemas/key.js';
import { SCOPES } from '../schemas/scopes.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS } from './scopes.js';

export const KEY_ROUTES = {
  getKey: {
    method: 'GET',
    path: '/key',
    summary: 'Read the key of the request',
    scopes: SCOPES,
    response: { status: 200, description: 'The key of the call', schema: keySchema },
  },
  listKeys: {
    method: 'GET',
    path: '/keys',
    summary: 'List keys',
    description:
      'The keys of the environment, including revoked ones, with their scopes and the time of their last use. The key itself is shown only once, when it is created. Keys are created and revoked on the command line of the service.',
    scopes: READ_LINKS,
    query: keyListQuerySchema,
    response: { status: 200, description: 'A page of keys, newest first', schema: keyPageSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
