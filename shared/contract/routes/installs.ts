import { installListQuerySchema, installPageSchema, installParamsSchema, installSchema } from '../schemas/install.js';
import type { UntaggedRoute } from './route.js';
import { WRITE_LINKS } from './scopes.js';

export const INSTALL_ROUTES = {
  listInstalls: {
    method: 'GET',
    path: '/installs',
    summary: 'List installations',
    description:
      'Installations whose first open the app has reported, and what each came from. Nothing is known of its person but what the app sent.',
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
      'Deletes what the service knows of the installation: its first open, its later opens, the events that it reported or that name it, and the answers that are remembered for an `Idempotency-Key`. A request that is sent again after that is a new one. A delivery of such an event that still waits is `failed`. The click that the installation was matched to stays in the log: nothing ties it to the installation any more. An app that goes on using the `install_id` is a new installation.',
    scopes: WRITE_LINKS,
    params: installParamsSchema,
    response: { status: 204, description: 'Erased' },
  },
} as const satisfies Record<string, UntaggedRoute>;
