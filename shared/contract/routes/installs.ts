import { installParamsSchema } from '../schemas/install.js';
import type { Route } from './route.js';
import { WRITE_LINKS } from './scopes.js';

export const INSTALL_ROUTES = {
  deleteInstall: {
    method: 'DELETE',
    path: '/installs/{install}',
    tag: 'Installs',
    summary: 'Erase an installation',
    description:
      'Deletes what the service knows of the installation: its first open, its later opens, and the events that it reported or that name it. A delivery of such an event that still waits is `failed`. The click that the installation was matched to stays in the log: nothing ties it to the installation any more. An app that goes on using the `install_id` is a new installation.',
    key: 'secret',
    scopes: WRITE_LINKS,
    params: installParamsSchema,
    ifMatch: false,
    response: { status: 204, description: 'Erased' },
  },
} as const satisfies Record<string, Route>;
