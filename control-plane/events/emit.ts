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

/** Inserts the events, and their deliveries to the endpoints that subscribe to them. */
export async function insertEvents(database: Queryable, events: readonly EventRow[]): Promise<void> {
  if (events.length === 0) return;
  await database.query({
    name: 'insert_events',
    text: 'SELECT insert_events($1, $2, $3, $4, $5)',
    values: eventColumns(events),
  });
}
