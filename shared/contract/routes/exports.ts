import { clickExportQuerySchema, EXPORT_TYPES, exportQuerySchema, linkExportQuerySchema } from '../schemas/export.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS } from './scopes.js';

const WHOLE =
  'The file is sent while it is read, for ten minutes at most. If it cannot be completed, the connection is closed, so that a partial file is never mistaken for a complete one. An environment can run one export at a time; 429 means that another one is running.';

const files = [EXPORT_TYPES.csv, EXPORT_TYPES.ndjson] as const;

export const EXPORT_ROUTES = {
  exportLinks: {
    method: 'GET',
    path: '/exports/links',
    summary: 'Export links',
    description: `Every link that is not deleted, including archived ones, or those that the query selects. The newest link comes first. Each link has the clicks that it had before it was imported. \`linkd export links\` writes the same file, and \`linkd import csv\` or \`ndjson\` reads it. It contains no passwords. ${WHOLE}`,
    scopes: READ_LINKS,
    query: linkExportQuerySchema,
    response: { status: 200, description: 'The file', files },
  },
  exportCampaigns: {
    method: 'GET',
    path: '/exports/campaigns',
    summary: 'Export all campaigns',
    description: `Every campaign, newest first. \`linkd export campaigns\` writes the same file, and \`linkd import campaigns\` reads it. ${WHOLE}`,
    scopes: READ_LINKS,
    query: exportQuerySchema,
    response: { status: 200, description: 'The file', files },
  },
  exportClicks: {
    method: 'GET',
    path: '/exports/clicks',
    summary: 'Export clicks',
    description: `Every click of the given days, including those of bots, oldest first. \`linkd export clicks\` writes the same file. \`resource_type\` is the key of the resource type of an item. Addresses and visitors are hashes whose key changes. If the log holds too many clicks of those days for this call, it is refused; \`linkd export clicks\` reads any number. ${WHOLE}`,
    scopes: ['analytics:read'],
    query: clickExportQuerySchema,
    response: { status: 200, description: 'The file', files },
  },
} as const satisfies Record<string, UntaggedRoute>;
