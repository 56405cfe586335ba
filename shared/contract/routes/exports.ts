import { clickExportQuerySchema, EXPORT_TYPES, exportQuerySchema, linkExportQuerySchema } from '../schemas/export.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS } from './scopes.js';

const WHOLE =
  'The file is sent as it is read, for ten minutes at most. If it cannot be finished the connection breaks, so that a part is never taken for the whole. An environment has one export at a time; 429 says that one runs.';

const files = [EXPORT_TYPES.csv, EXPORT_TYPES.ndjson] as const;

export const EXPORT_ROUTES = {
  exportLinks: {
    method: 'GET',
    path: '/exports/links',
    summary: 'Export links',
    description: `Every link that is not deleted, archived ones included, or those of them that the query asks for, newest first, with its clicks of before it moved in: what \`linkd export links\` writes and \`linkd import csv\` or \`ndjson\` reads. Passwords are not in it. ${WHOLE}`,
    scopes: READ_LINKS,
    query: linkExportQuerySchema,
    response: { status: 200, description: 'The file', files },
  },
  exportCampaigns: {
    method: 'GET',
    path: '/exports/campaigns',
    summary: 'Export all campaigns',
    description: `Every campaign, newest first: what \`linkd export campaigns\` writes and \`linkd import campaigns\` reads. ${WHOLE}`,
    scopes: READ_LINKS,
    query: exportQuerySchema,
    response: { status: 200, description: 'The file', files },
  },
  exportClicks: {
    method: 'GET',
    path: '/exports/clicks',
    summary: 'Export clicks',
    description: `Every click of the days, programs included, oldest first: what \`linkd export clicks\` writes. \`resource_type\` is the key of the type of an item. Addresses and visitors are hashes whose key changes. Days of which the log holds too much to be read by this call are refused; \`linkd export clicks\` reads any number. ${WHOLE}`,
    scopes: ['analytics:read'],
    query: clickExportQuerySchema,
    response: { status: 200, description: 'The file', files },
  },
} as const satisfies Record<string, UntaggedRoute>;
