import Type from 'typebox';
import { EVENT_DATA_SCHEMAS } from './events.js';
import { closedObject } from './fields.js';

/** Batches that an id names, each with its transaction in 39 characters. The server that the id belongs to takes the place of one more. */
export const LAST_EVENT_ID_BATCHES_MAX = 19;
const LAST_EVENT_ID_CHARACTERS_MAX = 1024;

/**
 * An id consists of seconds, a transaction, the server after `0-`, and transactions with their batches. Numbers of
 * batches in ClickHouse are random, and most have 19 digits.
 */
const LAST_EVENT_ID = '^[0-9]{1,10}\\.[0-9]{1,18}(\\.[0-9]{1,18}-[0-9]{1,19}){0,20}$';
const IS_LAST_EVENT_ID = new RegExp(LAST_EVENT_ID);

export function isLastEventId(text: string): boolean {
  return text.length <= LAST_EVENT_ID_CHARACTERS_MAX && IS_LAST_EVENT_ID.test(text);
}

export const clickStreamQuerySchema = closedObject({
  last_event_id: Type.Optional(
    Type.String({
      pattern: LAST_EVENT_ID,
      maxLength: LAST_EVENT_ID_CHARACTERS_MAX,
      description:
        'Id of the last event that the client received, for clients that cannot set the header `Last-Event-ID`. The header takes precedence',
    }),
  ),
});

/** A click, as the stream and `click.created` show it. */
export const clickSchema = EVENT_DATA_SCHEMAS['click.created'];

/** Why a stream ended, in the `data` of its last event. */
export const STREAM_ENDS = ['max_age', 'too_slow', 'revoked', 'shutdown', 'unavailable'] as const;
export type StreamEnd = (typeof STREAM_ENDS)[number];
