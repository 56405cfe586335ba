import Type from 'typebox';
import { REPLAYED_EVENTS_MAX } from '../../base/limits.js';
import { urlText } from './destination-fields.js';
import { EVENT_TYPES } from './events.js';
import { closedObject, count, environmentName, id, nullable, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';

const WEBHOOK_STATUSES = ['active', 'disabled', 'auto_disabled'] as const;
const DELIVERY_KINDS = ['automatic', 'replay', 'test'] as const;
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'retrying', 'abandoned'] as const;

const webhookFields = {
  id: id('wh_', 'Id of the endpoint'),
  environment: environmentName,
  url: text('Where events are sent', { format: 'uri' }),
  description: nullable(text('For people')),
  events: Type.Array(oneOf(EVENT_TYPES, 'An event type'), { description: 'Event types the endpoint is sent' }),
  status: oneOf(WEBHOOK_STATUSES, '`auto_disabled` after three days without a successful delivery'),
  disabled_at: nullable(timestamp('When it was disabled')),
  disabled_reason: nullable(text('Why it was disabled')),
  failing_since: nullable(timestamp('Start of the current failure streak')),
  previous_secret_expires_at: nullable(timestamp('While set, deliveries carry signatures for both the old and the new secret')),
  events_dropped: Type.Integer({
    minimum: 0,
    description:
      'Number of `click.created` events that were never sent to the endpoint because it could not keep up: the queue was full (100,000 events, unless the operator set another number), or they had waited for 24 hours. Events of other types are never dropped.',
  }),
  events_dropped_at: nullable(timestamp('When events were last dropped')),
  created_at: timestamp('When the endpoint was made'),
  updated_at: timestamp('When the endpoint was last changed'),
};

export const webhookSchema = Type.Object(webhookFields, { description: 'A webhook endpoint, without its secret' });

export const webhookWithSecretSchema = Type.Object(
  { ...webhookFields, secret: text('Signing secret; shown here once and never again', { pattern: '^whsec_' }) },
  { description: 'A webhook endpoint with its signing secret' },
);

export type Webhook = Type.Static<typeof webhookSchema>;
export type WebhookWithSecret = Type.Static<typeof webhookWithSecretSchema>;

const urlIn = { ...urlText('https URL on a public host name; stored in ASCII'), examples: ['https://hooks.example.com/links'] };
const eventsIn = Type.Array(oneOf(EVENT_TYPES, 'An event type'), {
  minItems: 1,
  uniqueItems: true,
  description: 'Event types to be sent; `click.created` is high volume',
  examples: [['link.created', 'install.attributed']],
});
const descriptionIn = nullable(plainText('For people', 0, 500));

export const webhookCreateSchema = closedObject(
  { url: urlIn, events: eventsIn, description: Type.Optional(descriptionIn) },
  { description: 'A webhook endpoint to make' },
);
export type WebhookCreate = Type.Static<typeof webhookCreateSchema>;

export const webhookPatchSchema = closedObject(
  {
    url: Type.Optional(urlIn),
    description: Type.Optional(descriptionIn),
    events: Type.Optional(eventsIn),
    status: Type.Optional(oneOf(['active', 'disabled'], 'Disable the endpoint, or enable it again, which clears its failure streak')),
  },
  { description: 'Fields to change. An absent field keeps its value.' },
);
export type WebhookPatch = Type.Static<typeof webhookPatchSchema>;

export const webhookPageSchema = page(webhookSchema, 'A page of webhook endpoints, newest first');
export const webhookListQuerySchema = closedObject(pageQuery);
export const webhookParamsSchema = Type.Object({ webhook: id('wh_', 'Id of the endpoint') });

export const deliveryParamsSchema = Type.Object({
  webhook: id('wh_', 'Id of the endpoint'),
  delivery: id('whd_', 'Id of an attempt in the log of the endpoint'),
});

const DELIVERY_ERRORS =
  'Code of the reason why the attempt failed without a complete HTTP response: `timeout` (10 seconds for the whole attempt), `dns`, `connect`, `tls`, `blocked_address` (the host resolves to an address that is not public), `connection_lost`, `invalid_response` (not HTTP), `invalid_request` (the URL cannot be called). Codes without an attempt: `event_missing` (the event is no longer kept), `secret_unreadable` (the signing secret cannot be decrypted; ask the operator), `sender_failed` (the service failed during the attempt, so it is unknown whether anything arrived), `expired` (a click that had waited for 24 hours)';

export const deliverySchema = Type.Object(
  {
    id: id('whd_', 'Id of this attempt, which its request has in a header'),
    webhook_id: id('wh_', 'Id of the endpoint'),
    event_id: id('evt_', 'Id of the event; the same for every attempt and replay'),
    event_type: oneOf(EVENT_TYPES, 'Type of the event'),
    kind: oneOf(DELIVERY_KINDS, 'What queued it'),
    attempt: Type.Integer({ minimum: 1, description: 'Number of the attempt' }),
    status: oneOf(
      DELIVERY_STATUSES,
      'State of the attempt. `retrying`: it failed, and another attempt is made at `next_attempt_at`. It keeps this state when that attempt has been made, which is a delivery of its own',
    ),
    request_body: nullable(text('First 2 KB of the body sent')),
    response_code: nullable(Type.Integer({ description: 'HTTP status of the receiver' })),
    response_body: nullable(text('First 2 KB of the response')),
    latency_ms: nullable(Type.Integer({ minimum: 0, description: 'Milliseconds until the answer' })),
    error: nullable(text(DELIVERY_ERRORS)),
    next_attempt_at: nullable(timestamp('When the next attempt is made')),
    created_at: timestamp('When the attempt was queued'),
  },
  { description: 'An entry of the delivery log: one attempt' },
);
export type Delivery = Type.Static<typeof deliverySchema>;

export const deliveryPageSchema = page(deliverySchema, 'A page of deliveries, newest first');

export const deliveryListQuerySchema = closedObject({
  ...pageQuery,
  status: Type.Optional(oneOf(DELIVERY_STATUSES, 'Only attempts in this state')),
  event_type: Type.Optional(oneOf(EVENT_TYPES, 'Only events of this type')),
  from: Type.Optional(timestamp('Start of the window; by default 7 days before `to`. The log keeps 30 days.')),
  to: Type.Optional(timestamp('End of the window; by default now; at most 30 days after `from`')),
});
export type DeliveryListQuery = Type.Static<typeof deliveryListQuerySchema>;

export const webhookTestSchema = closedObject({
  event_type: Type.Optional(oneOf(EVENT_TYPES, 'Type of the sample. The endpoint must be subscribed to it. By default its first type')),
});

export const replayFailuresSchema = closedObject({
  from: timestamp('Start of the window: failures whose last attempt was queued then or later. The log keeps 30 days.'),
  to: timestamp('End of the window, at most 30 days after `from`'),
  status: Type.Optional(oneOf(['failed', 'abandoned'], 'Only failures of this kind; by default both')),
  event_type: Type.Optional(oneOf(EVENT_TYPES, 'Only events of this type')),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: '`next_cursor` of the previous call, to continue exactly after its last event',
    }),
  ),
});
export type ReplayFailures = Type.Static<typeof replayFailuresSchema>;

export const replayedFailuresSchema = Type.Object(
  {
    queued: count('How many events are sent again'),
    not_kept: count('How many events cannot be sent again because they are no longer kept'),
    next_from: nullable(
      timestamp(
        `If there were more than ${REPLAYED_EVENTS_MAX.toLocaleString('en')} events, pass this as \`from\` to continue; null otherwise`,
      ),
    ),
    next_to: nullable(timestamp('Pass this as `to` to continue, so that the events of this call are not queued again; null otherwise')),
    next_cursor: nullable(
      text(
        'Pass this as `cursor` to continue, together with `next_from` and `next_to`; null otherwise. Without it, events of the last millisecond are looked at again',
      ),
    ),
  },
  { description: 'What the call has queued' },
);
