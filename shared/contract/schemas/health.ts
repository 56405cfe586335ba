import Type from 'typebox';
import { HEALTH_QUEUE_COUNT_MAX } from '../../base/limits.js';
import { count, nullable, oneOf, timestamp } from './fields.js';

/** The parts of the service that a customer uses, in the order in which they are shown. */
export const SERVICE_PARTS = ['redirects', 'configuration', 'clicks', 'webhooks', 'previews', 'api'] as const;

export type ServicePart = (typeof SERVICE_PARTS)[number];

const partSchema = Type.Object({
  part: oneOf(
    SERVICE_PARTS,
    '`redirects`: link hosts answer. `configuration`: changes reach the link hosts, and none takes longer than 10 seconds. `clicks`: clicks are stored, and counted within a minute. `webhooks`: deliveries go out. `previews`: preview cards are built and cached. `api`: the API responds, and tasks with a due time run, such as the end of a campaign',
  ),
  ok: Type.Boolean({ description: 'Whether it works on every host' }),
  since: nullable(timestamp('Since when it has not worked; null if it works, or if the time is not known')),
});

export const healthSchema = Type.Object(
  {
    status: oneOf(['ok', 'degraded'], '`ok`: every part works'),
    checked_at: timestamp('When the state was read'),
    parts: Type.Array(partSchema, {
      minItems: SERVICE_PARTS.length,
      maxItems: SERVICE_PARTS.length,
      description: 'All parts of the service, always in this order',
    }),
    webhook_queue: Type.Object(
      {
        due: count('Deliveries of this environment that are to be sent now or are under way'),
        scheduled: count('Deliveries of this environment that wait for a later attempt'),
        due_since: nullable(timestamp('Since when the oldest of them has been due; null if none is due')),
      },
      { description: `Counted up to ${HEALTH_QUEUE_COUNT_MAX} per endpoint` },
    ),
  },
  { description: 'The health of the service' },
);

export type Health = Type.Static<typeof healthSchema>;
