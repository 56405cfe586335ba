import { idAt } from '../../shared/base/ids.js';
import type { Event, TriggeredEvent } from '../../shared/contract/schemas/event.js';
import { sampleEvent } from '../../shared/webhooks/body.js';
import type { Database, Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import { type Cursors, cursorErrors, pageOf, pageRequest } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { deliveryWindow, deliveryWindowErrors } from '../webhooks/rules.js';
import { singleAttempt } from '../webhooks/single-attempt.js';
import { insertTriggeredEvent } from '../webhooks/sql.js';
import { deliveryOfRow } from '../webhooks/webhook-row.js';
import { eventOriginOf } from './emit.js';
import { planTrackedEvent, type TrackedEventDependencies } from './plan-tracked-event.js';
import * as sql from './sql.js';
import { trackedEventErrors } from './tracked-event.js';
import { listTrackedEvents, trackedListName } from './tracked-list.js';

export interface EventDependencies extends TrackedEventDependencies {
  readonly cursors: Cursors;
}

type EventOperations = Pick<Operations, 'listEvents' | 'triggerEvent' | 'trackEvent' | 'listTrackedEvents'>;

export function eventOperations({ cursors, ...dependencies }: EventDependencies): EventOperations {
  return {
    listEvents: {
      check: ({ caller, query, nowMs }) => [
        ...cursorErrors(cursors, listName(caller), 'event', query.cursor),
        ...deliveryWindowErrors(query, nowMs),
      ],
      handle: (call, database) => listEvents(call, database, cursors),
    },
    listTrackedEvents: {
      check: ({ caller, query, nowMs }) => [
        ...cursorErrors(cursors, trackedListName(caller), 'event', query.cursor),
        ...deliveryWindowErrors(query, nowMs),
      ],
      handle: (call, database) => listTrackedEvents(call, database, cursors),
    },
    triggerEvent: {
      handle: async (call, queue) => ({ body: await triggerEvent(call, queue), committed: { deliveries: true } }),
    },
    trackEvent: {
      check: ({ body, nowMs }) => trackedEventErrors(body, nowMs),
      plan: (call, database) => planTrackedEvent(call, database, 'server', dependencies),
    },
  };
}

function listName(caller: Caller): string {
  return `listEvents/${caller.environment.id}`;
}

/** After a client has listed clicks, clicks become events for this long. */
const CLICKS_LISTENED_MS = 60_000;

async function listEvents(call: Call<'listEvents'>, database: Queryable, cursors: Cursors) {
  const { query, caller, nowMs } = call;
  if (query.type === 'click.created') await sql.listenToClicks(database, caller.environment.id, CLICKS_LISTENED_MS);
  const page = pageRequest(cursors, listName(caller), 'event', query);
  const filter = { type: query.type ?? null, ...deliveryWindow(query, nowMs) };
  const bodies = await sql.listEventBodies(database, caller.environment.id, filter, page);
  return { body: pageOf(cursors, listName(caller), 'event', { items: bodies.map(eventOfBody), limit: page.limit }) };
}

/** Parses a stored body of an event. The body has `test` only if it is true. */
function eventOfBody(body: string): Event {
  const event = JSON.parse(body) as Omit<Event, 'test'> & { readonly test?: true };
  const { id, type, created_at, environment, data } = event;
  return { id, type, created_at, environment, test: event.test === true, data };
}

async function triggerEvent(call: Call<'triggerEvent'>, queue: Database): Promise<TriggeredEvent> {
  const { body, nowMs } = call;
  const event = sampleEvent(eventOriginOf(call), body.type);
  const deliveries = await queue.transaction(async (transaction) => {
    const webhookIds = await sql.findSubscribers(transaction, event.environment_id, body.type);
    const rows = webhookIds.map((webhook_id) =>
      singleAttempt({ id: idAt('delivery', nowMs), webhook_id, event_id: event.id, event_type: event.type, kind: 'test' }, nowMs),
    );
    await insertTriggeredEvent(transaction, event, rows);
    return rows;
  });
  return { ...eventOfBody(event.body), deliveries: deliveries.map((row) => deliveryOfRow(row, event.body)) };
}
