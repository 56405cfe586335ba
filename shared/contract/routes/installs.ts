import { installListQuerySchema, installPageSchema, installParamsSchema, installSchema } from '../schemas/install.js';
import type { UntaggedRoute } from './route.js';
import { WRITE_LINKS } from './scopes.js';

export const INSTALL_ROUTES = {
  listInstalls: {
    method: 'GET',
    path: '/installs',
    summary: 'List installations',
    description:
      'Installations whose first open the app has reported, and what each came from. The service knows nothing about the user except what the app sent.',
    scopes: ['analytics:read'],
    query: installListQuerySchema,
    response: { status: 200, description: 'A page of installations, newest first', schema: installPageSchema },
  },
  getInstall: {
    method: 'GET',
    path: '/installs/{install}',
    summary: 'Read an installation',
    description: 'The first open of the installation, and what it came from.',
    scopes: ['analytics:read'],
    params: installParamsSchema,
    response: { status: 200, description: 'The installation', schema: installSchema, etag: true },
  },
  deleteInstall: {
    method: 'DELETE',
    path: '/installs/{install}',
    summary: 'Erase an installation',
    description:
      'Deletes what the service knows about the installation: its first open, its later opens, the events that it reported or that name it, and the responses that are stored for an `Idempotency-Key`. A request that is repeated after that is a new one. A delivery of such an event that is still waiting is never sent: when it is due, it fails with the error `event_missing`, as `abandoned`, or `failed` if it is a replay. The click that the installation was matched to stays in the log, but nothing connects it with the installation any more. If the app goes on using the `install_id`, it is a new installation.',
    scopes: WRITE_LINKS,
    params: installParamsSchema,
    response: { status: 204, description: 'Erased' },
  },
} as const satisfies Record<string, UntaggedRoute>;
