import Type from 'typebox';
import { HEALTH_QUEUE_COUNT_MAX } from '../../base/limits.js';
import { count, nullable, oneOf, timestamp } from './fields.js';

/** What the service does for a customer, in the order it is shown in. */
export const SERVICE_PARTS = ['redirects', 'configuration', 'clicks', 'webhooks', 'previews', 'api'] as const;

export type ServicePart = (typeof SERVICE_PARTS)[number];

const partSchema = Type.Object({
  part: oneOf(
    SERVICE_PARTS,
    '`redirects`: link hosts answer. `configuration`: changes reach the link hosts, and none takes longer than 10 seconds. `clicks`: clicks are stored, and counted within a minute. `webhooks`: deliveries go out. `previews`: preview cards are made and remembered. `api`: the API answers, and does by itself what comes due, such as the end of a campaign',
  ),
  ok: Type.Boolean({ description: 'Whether it works everywhere' }),
  since: nullable(timestamp('Since when it does not; null if it does, or if that is not known')),
});

export const healthSchema = Type.Object(
  {
    status: oneOf(['ok', 'degraded'], '`ok`: every part works'),
    checked_at: timestamp('When this was looked up'),
    parts: Type.Array(partSchema, {
      minItems: SERVICE_PARTS.length,
      maxItems: SERVICE_PARTS.length,
      description: 'Every part of the service, always all of them and in this order',
    }),
    webhook_queue: Type.Object(
      {
        due: count('Deliveries of this environment that are to be sent now or are under way'),
        scheduled: count('Deliveries of this environment that wait for a later attempt'),
        due_since: nullable(timestamp('Since when the earliest of them has been due; null if none is')),
      },
      { description: `Counted up to ${HEALTH_QUEUE_COUNT_MAX} an endpoint` },
    ),
  },
  { description: 'How the service is' },
);

export type Health = Type.Static<typeof healthSchema>;
