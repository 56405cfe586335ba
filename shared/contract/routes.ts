import type { Route } from './route.js';
import { linkCreateSchema, linkListQuerySchema, linkPageSchema, linkParamsSchema, linkPatchSchema, linkSchema } from './schemas/link.js';
import { linkStatsSchema, statsQuerySchema } from './schemas/link-stats.js';
import {
  deliveryListQuerySchema,
  deliveryPageSchema,
  deliverySchema,
  webhookCreateSchema,
  webhookListQuerySchema,
  webhookPageSchema,
  webhookParamsSchema,
  webhookPatchSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from './schemas/webhook.js';

const READ_LINKS = ['links:read', 'links:write'] as const;
const WRITE_LINKS = ['links:write'] as const;
const READ_STATS = ['analytics:read'] as const;
const WEBHOOKS = ['webhooks:write'] as const;

/** The route table: one row per endpoint, keyed by its operation id. */
export const ROUTES = {
  createLink: {
    method: 'POST',
    path: '/links',
    tag: 'Links',
    summary: 'Create a link',
    description:
      'Answers the link with its full URL, which works from then on. Destinations are stored in the serialised form of the WHATWG URL standard, so that only ASCII is ever sent. The path of a deleted link stays taken for 90 days.',
    key: 'secret',
    scopes: WRITE_LINKS,
    body: linkCreateSchema,
    examples: {
      generated_path: { destinations: { web: 'https://example.com/spring' } },
      every_platform: {
        path: 'spring',
        deep_link_path: '/product/42',
        data: { product: 42 },
        utm_source: 'newsletter',
        allow_param_passthrough: true,
        destinations: {
          ios: 'https://apps.apple.com/app/id1',
          android: 'https://play.google.com/store/apps/details?id=com.example',
          web: 'https://example.com/spring',
        },
        expires_at: '2040-06-01T00:00:00+02:00',
      },
    },
    idempotent: true,
    response: { status: 201, description: 'The link', schema: linkSchema },
    problems: ['conflict', 'url_blocked'],
  },
  listLinks: {
    method: 'GET',
    path: '/links',
    tag: 'Links',
    summary: 'List links',
    key: 'secret',
    scopes: READ_LINKS,
    query: linkListQuerySchema,
    idempotent: false,
    response: { status: 200, description: 'A page of links, newest first', schema: linkPageSchema },
  },
  getLink: {
    method: 'GET',
    path: '/links/{link}',
    tag: 'Links',
    summary: 'Read a link',
    key: 'secret',
    scopes: READ_LINKS,
    params: linkParamsSchema,
    idempotent: false,
    response: { status: 200, description: 'The link', schema: linkSchema },
  },
  updateLink: {
    method: 'PATCH',
    path: '/links/{link}',
    tag: 'Links',
    summary: 'Change a link',
    description:
      'A change emits `link.updated`, and disabling emits `link.disabled`; a request that changes nothing emits nothing and leaves `updated_at` alone. A blocked link cannot be enabled (409).',
    key: 'secret',
    scopes: WRITE_LINKS,
    params: linkParamsSchema,
    body: linkPatchSchema,
    examples: {
      disable: { status: 'disabled' },
      clear_fields: { data: null, expires_at: null, destinations: { desktop: null } },
    },
    idempotent: false,
    response: { status: 200, description: 'The link after the change', schema: linkSchema },
    problems: ['conflict', 'url_blocked'],
  },
  deleteLink: {
    method: 'DELETE',
    path: '/links/{link}',
    tag: 'Links',
    summary: 'Delete a link',
    description:
      'The short URL answers 410 from then on and its path stays taken for 90 days. Emits `link.disabled`, unless the link was disabled already: for a receiver a deleted link is one that no longer works. Deleting it again is 404.',
    key: 'secret',
    scopes: WRITE_LINKS,
    params: linkParamsSchema,
    idempotent: false,
    response: { status: 204, description: 'Deleted' },
  },
  getLinkStats: {
    method: 'GET',
    path: '/links/{link}/stats',
    tag: 'Links',
    summary: 'Read the clicks of a link',
    description:
      'Counted from the click log when asked, so that a click shows within a second. Days are the project’s, also across a change of clocks.',
    key: 'secret',
    scopes: READ_STATS,
    params: linkParamsSchema,
    query: statsQuerySchema,
    idempotent: false,
    response: { status: 200, description: 'Clicks by day, platform, country and referrer', schema: linkStatsSchema },
  },
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    key: 'secret',
    scopes: WEBHOOKS,
    query: webhookListQuerySchema,
    idempotent: false,
    response: { status: 200, description: 'A page of endpoints, without secrets', schema: webhookPageSchema },
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'The URL must be https with a public host name: IP addresses, local names and names that resolve to private networks are refused. At most 20 endpoints per environment, then 409. The answer holds the signing secret, which is never shown again.',
    key: 'secret',
    scopes: WEBHOOKS,
    body: webhookCreateSchema,
    examples: { links_and_installs: { url: 'https://hooks.example.com/links', events: ['link.created', 'install.attributed'] } },
    idempotent: true,
    response: { status: 201, description: 'The endpoint with its secret', schema: webhookWithSecretSchema },
  },
  getWebhook: {
    method: 'GET',
    path: '/webhooks/{webhook}',
    tag: 'Webhooks',
    summary: 'Read a webhook endpoint',
    key: 'secret',
    scopes: WEBHOOKS,
    params: webhookParamsSchema,
    idempotent: false,
    response: { status: 200, description: 'The endpoint', schema: webhookSchema },
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/webhooks/{webhook}',
    tag: 'Webhooks',
    summary: 'Change a webhook endpoint',
    description:
      'A changed URL is checked as on creation. Enabling an endpoint again clears its failure streak; disabling it abandons what is queued for it.',
    key: 'secret',
    scopes: WEBHOOKS,
    params: webhookParamsSchema,
    body: webhookPatchSchema,
    examples: { enable_again: { status: 'active' }, rename: { description: 'Order service' } },
    idempotent: false,
    response: { status: 200, description: 'The endpoint after the change', schema: webhookSchema },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/{webhook}',
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'Deletes the endpoint and its delivery log for good; events queued for it are dropped.',
    key: 'secret',
    scopes: WEBHOOKS,
    params: webhookParamsSchema,
    idempotent: false,
    response: { status: 204, description: 'Deleted' },
  },
  listDeliveries: {
    method: 'GET',
    path: '/webhooks/{webhook}/deliveries',
    tag: 'Webhooks',
    summary: 'List deliveries',
    description: 'The log of attempts, kept for 30 days. The window is at most 30 days wide.',
    key: 'secret',
    scopes: WEBHOOKS,
    params: webhookParamsSchema,
    query: deliveryListQuerySchema,
    idempotent: false,
    response: { status: 200, description: 'A page of deliveries, newest first', schema: deliveryPageSchema },
  },
  testWebhook: {
    method: 'POST',
    path: '/webhooks/{webhook}/test',
    tag: 'Webhooks',
    summary: 'Send a sample event',
    description:
      "Queues a sample event of the endpoint's first subscribed type, labelled test data, as a single attempt without retries. Where the server has no job queue connection the answer is 503 and nothing is written.",
    key: 'secret',
    scopes: WEBHOOKS,
    params: webhookParamsSchema,
    idempotent: true,
    connection: 'queue',
    response: { status: 202, description: 'The queued delivery', schema: deliverySchema },
  },
} as const satisfies Record<string, Route>;

export type Routes = typeof ROUTES;
export type OperationId = keyof Routes;
export const OPERATION_IDS = Object.keys(ROUTES) as readonly OperationId[];

/** The row as the general type, for code that treats all rows alike. */
export function routeOf(operation: OperationId): Route {
  return ROUTES[operation];
}
