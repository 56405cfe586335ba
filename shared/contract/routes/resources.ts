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
    summary: 'Clear the cached answers of items',
    description:
      'The next preview calls the metadata API again. The answer to a call that had already begun is discarded. The response is sent when every engine that is connected to the database has cleared the items, usually within milliseconds and after 5 seconds at most: from then on no preview shows the old answers. Copies that chat apps and social networks keep are not refreshed by this call. An unknown `resource_type` is 422. A type without a metadata API has no cached answers.',
    scopes: WRITE_LINKS,
    body: resourceInvalidateSchema,
    examples: { two_items: { resource_type: 'product', ids: ['42', '43'] } },
    response: { status: 200, description: 'How many answers were cleared', schema: resourceInvalidateResultSchema },
  },
  previewResource: {
    method: 'POST',
    path: '/resources/preview',
    summary: 'Preview the card of a shared URL',
    description:
      'Resolves the URL with the same code that serves visitors, calls the metadata API with the saved configuration, and returns the card that a preview bot would see, with the state of the shared cache. If the API gives no usable answer, the card shows the cached one. Nothing is cached or counted.',
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
      'Clicks are counted up to the last one in the click log. Figures of previews and calls are written every few seconds, so the last seconds may be missing. Days are those of the project’s time zone, also when clocks change. The default range is 7 days.',
    scopes: ['analytics:read'],
    query: statsQuerySchema,
    response: { status: 200, description: 'Figures of every type', schema: resourceStatsSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
