import { type EventOrigin, type EventRow, eventColumns } from '../../shared/webhooks/body.js';
import type { Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';

interface TimedCall {
  readonly caller: Caller;
  readonly nowMs: number;
}

/** The environment whose events the call causes, and their time. */
export function eventOriginOf({ caller, nowMs }: TimedCall): EventOrigin {
  const { environment } = caller;
  return { environment_id: environment.id, environment: environment.name, at_ms: nowMs };
}

/**
 * How many events a statement inserts. With 20 endpoints it also inserts 5,000 deliveries, which takes a small part of the time that
 * a statement may take, also on a busy server.
 */
const EVENTS_PER_STATEMENT = 250;

/** Inserts the events, and their deliveries to the endpoints that subscribe to them. More than a few hundred take a transaction. */
export async function insertEvents(database: Queryable, events: readonly EventRow[]): Promise<void> {
  for (let at = 0; at < events.length; at += EVENTS_PER_STATEMENT)
    await database.query({
      name: 'insert_events',
      text: 'SELECT insert_events($1, $2, $3, $4, $5)',
      values: eventColumns(events.slice(at, at + EVENTS_PER_STATEMENT)),
    });
}
