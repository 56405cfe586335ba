import Type from 'typebox';
import { EVENT_TYPES } from './events.js';
import { closedObject, environmentName, id, oneOf, page, pageQuery, timestamp } from './fields.js';
import { deliverySchema } from './webhook.js';

const eventFields = {
  id: id('evt_', 'Id of the event; the same in every delivery of it'),
  type: oneOf(EVENT_TYPES, 'Type of the event'),
  created_at: timestamp('When the event was made'),
  environment: environmentName,
  test: Type.Boolean({ description: 'Whether it is a sample and nothing happened' }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: "What the event is about, as its deliveries carry it: the `webhooks` section has the schema of each type's `data`",
  }),
};

const eventSchema = Type.Object(eventFields, { description: 'Something that happened in the environment' });
export type Event = Type.Static<typeof eventSchema>;

export const eventPageSchema = page(eventSchema, 'A page of events, newest first');

export const eventListQuerySchema = closedObject({
  ...pageQuery,
  type: Type.Optional(oneOf(EVENT_TYPES, 'Only events of this type')),
  from: Type.Optional(timestamp('Start of the window; by default 7 days before `to`')),
  to: Type.Optional(timestamp('End of the window; by default now; at most 30 days after `from`')),
});

export const eventTriggerSchema = closedObject(
  { type: oneOf(EVENT_TYPES, 'Type of the sample') },
  { description: 'A sample event to make' },
);

export const triggeredEventSchema = Type.Object(
  {
    ...eventFields,
    deliveries: Type.Array(deliverySchema, { description: 'One for each endpoint that is subscribed to the type' }),
  },
  { description: 'A sample event, and its deliveries as they were queued' },
);
export type TriggeredEvent = Type.Static<typeof triggeredEventSchema>;
