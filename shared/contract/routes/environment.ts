import { environmentPatchSchema, environmentSchema } from '../schemas/environment.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const ENVIRONMENT_ROUTES = {
  getEnvironment: {
    method: 'GET',
    path: '/environment',
    summary: 'Read the environment of the key',
    scopes: READ_LINKS,
    response: { status: 200, description: 'The environment', schema: environmentSchema, etag: true },
  },
  updateEnvironment: {
    method: 'PATCH',
    path: '/environment',
    summary: 'Change the environment of the key',
    description:
      'Link hosts use the new settings within moments. Projects, link hosts and keys are created by the operator of the service and cannot be changed here. An open host that belongs to another environment is 409.',
    scopes: WRITE_LINKS,
    body: environmentPatchSchema,
    examples: {
      destinations: { default_destinations: { web: 'https://example.com{deep_link_path}', ios: 'https://apps.apple.com/app/id1' } },
      apps: {
        ios_apps: [{ team_id: 'A1B2C3D4E5', bundle_id: 'com.example.shop', uri_scheme: 'shop' }],
        android_apps: [
          {
            package_name: 'com.example.shop',
            sha256_cert_fingerprints: ['14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5'],
          },
        ],
      },
      browsers: { web_origins: ['https://www.example.com'], attribution_window_minutes: 60 },
    },
    response: { status: 200, description: 'The environment after the change', schema: environmentSchema, etag: true },
    problems: ['conflict', 'url_blocked'],
  },
} as const satisfies Record<string, UntaggedRoute>;
