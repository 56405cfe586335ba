import type { Route } from '../route.js';
import { trackedEventCreateSchema, trackedEventSchema } from '../schemas/tracked-event.js';
import { WRITE_LINKS } from './scopes.js';

export const EVENT_ROUTES = {
  trackEvent: {
    method: 'POST',
    path: '/events',
    tag: 'Events',
    summary: 'Store an event that happened on your server',
    description:
      'Stores the event and emits `event.tracked`. A `currency` needs a `value` and must be one of ISO 4217; `click_id` must have the form of a click’s id; `occurred_at` may be as old as wanted and at most five minutes ahead.',
    key: 'secret',
    scopes: WRITE_LINKS,
    body: trackedEventCreateSchema,
    examples: {
      purchase: { name: 'purchase', click_id: 'clk_01jd4v6xq8e5s0m3k7n9p2r4tw', value: 19.9, currency: 'EUR', properties: { sku: 'A-1' } },
    },
    idempotent: true,
    response: { status: 201, description: 'The event as it was stored', schema: trackedEventSchema, location: false },
  },
} as const satisfies Record<string, Route>;
