import { keyListQuerySchema, keyPageSchema, keySchema } from '../schemas/key.js';
import { SCOPES } from '../schemas/scopes.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS } from './scopes.js';

export const KEY_ROUTES = {
  getKey: {
    method: 'GET',
    path: '/key',
    summary: 'Read what the key may do',
    scopes: SCOPES,
    response: { status: 200, description: 'The key of the call', schema: keySchema },
  },
  listKeys: {
    method: 'GET',
    path: '/keys',
    summary: 'List keys',
    description:
      'The keys of the environment, revoked ones too, with what they may do and when they were last used. A key itself is shown to nobody after it was made. Keys are made and revoked on the command line of the service.',
    scopes: READ_LINKS,
    query: keyListQuerySchema,
    response: { status: 200, description: 'A page of keys, newest first', schema: keyPageSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
