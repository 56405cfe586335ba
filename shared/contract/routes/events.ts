import { eventListQuerySchema, eventPageSchema, eventTriggerSchema, triggeredEventSchema } from '../schemas/event.js';
import {
  trackedEventCreateSchema,
  trackedEventListQuerySchema,
  trackedEventPageSchema,
  trackedEventSchema,
} from '../schemas/tracked-event.js';
import type { UntaggedRoute } from './route.js';
import { WEBHOOKS, WRITE_LINKS } from './scopes.js';

export const EVENT_ROUTES = {
  listEvents: {
    method: 'GET',
    path: '/events',
    summary: 'List events',
    description:
      'Events of the environment, whether or not they were sent to an endpoint. The window is at most 30 days wide. Clicks become events only while an endpoint is subscribed to `click.created`, and for a minute after each call with `type=click.created`, up to about a hundred per second.',
    scopes: WEBHOOKS,
    query: eventListQuerySchema,
    response: { status: 200, description: 'A page of events, newest first', schema: eventPageSchema },
  },
  triggerEvent: {
    method: 'POST',
    path: '/events/trigger',
    summary: 'Make a sample event',
    description:
      'Creates a sample event of the type, marked with `test`, and queues it once for every enabled endpoint that is subscribed to the type. Failed attempts are not retried. If the server has no job queue connection, the response is 503 and nothing is stored.',
    scopes: WEBHOOKS,
    body: eventTriggerSchema,
    examples: { link_created: { type: 'link.created' } },
    connection: 'queue',
    response: { status: 202, description: 'The event and its queued deliveries', schema: triggeredEventSchema },
  },
  listTrackedEvents: {
    method: 'GET',
    path: '/tracked-events',
    summary: 'List tracked events',
    description:
      'What apps and servers have sent by `POST /sdk/events` and `POST /events`, with the link, the campaign and the click that each of them is counted for. The window is at most 30 days wide.',
    scopes: ['analytics:read'],
    query: trackedEventListQuerySchema,
    response: { status: 200, description: 'A page of tracked events, the most recently stored first', schema: trackedEventPageSchema },
  },
  trackEvent: {
    method: 'POST',
    path: '/events',
    summary: 'Store an event that happened on your server',
    description:
      'Stores the event and emits `event.tracked`. It is counted for the link of the click with the id `click_id`, or else for the link that its installation came from. If the click happened within the last half minute and is not stored yet, the call waits for it for up to 2 seconds. A `currency` requires a `value` and must be an ISO 4217 code. `click_id` must have the form of a click’s id; if no link host has issued it, the event is stored without it. `occurred_at` may lie any time back, and at most five minutes ahead.',
    scopes: WRITE_LINKS,
    body: trackedEventCreateSchema,
    examples: {
      purchase: { name: 'purchase', click_id: 'clk_01jd4v6xq8e5s0m3k7n9p2r4tw', value: 19.9, currency: 'EUR', properties: { sku: 'A-1' } },
    },
    response: { status: 201, description: 'The event as it was stored', schema: trackedEventSchema, location: false },
  },
} as const satisfies Record<string, UntaggedRoute>;
