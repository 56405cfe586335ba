import {
  previewResultSchema,
  previewSchema,
  resourceInvalidateResultSchema,
  resourceInvalidateSchema,
  resourceStatsSchema,
} from '../schemas/resources.js';
import { statsQuerySchema } from '../schemas/stats.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const RESOURCE_ROUTES = {
  invalidateResources: {
    method: 'POST',
    path: '/resources/invalidate',
    summary: 'Forget what is remembered of items',
    description:
      'The next preview asks the metadata API again; an answer to a call that had begun before is thrown away. The answer waits, some milliseconds as a rule and 5 seconds at most, until every engine that is in touch with the database has forgotten the items: from then on no preview shows what was remembered before. What chat apps and social networks stored is not refreshed by this call. An unknown `resource_type` is 422; a type without a metadata API remembers nothing.',
    scopes: WRITE_LINKS,
    body: resourceInvalidateSchema,
    examples: { two_items: { resource_type: 'product', ids: ['42', '43'] } },
    response: { status: 200, description: 'How many were remembered', schema: resourceInvalidateResultSchema },
  },
  previewResource: {
    method: 'POST',
    path: '/resources/preview',
    summary: 'Preview the card of a shared URL',
    description:
      'Resolves the URL by the code that answers visitors, asks the metadata API now with the saved configuration, and answers the card a preview bot would see, with the state of the shared cache. Where the API gives no usable answer, the card shows what is remembered of the item. Nothing is cached or counted.',
    scopes: READ_LINKS,
    body: previewSchema,
    examples: { path: { path: '/p/42' }, url: { path: 'https://go.example.com/p/42?ref=mail' } },
    response: { status: 200, description: 'The preview', schema: previewResultSchema },
  },
  getResourceStats: {
    method: 'GET',
    path: '/resources/stats',
    summary: 'Read clicks, previews and metadata API calls by resource type',
    description:
      'Clicks are counted to the last one in the click log. Figures of previews and calls are written every few seconds, so that the newest moments may be missing. Days are the project’s, also across a change of clocks; the range is 7 days where it is not given.',
    scopes: ['analytics:read'],
    query: statsQuerySchema,
    response: { status: 200, description: 'Figures of every type', schema: resourceStatsSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
