import { idAt } from '../../shared/base/ids.js';
import type { Event, TriggeredEvent } from '../../shared/contract/schemas/event.js';
import { sampleEvent } from '../../shared/webhooks/body.js';
import type { Database, Queryable } from '../db/database.js';
import { type Cursors, type PagedList, type PageRequest, pagedList } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { deliveryWindow, deliveryWindowErrors } from '../webhooks/rules.js';
import { singleAttempt } from '../webhooks/single-attempt.js';
import { insertTriggeredEvent } from '../webhooks/sql.js';
import { deliveryOfRow } from '../webhooks/webhook-row.js';
import { eventOriginOf } from './emit.js';
import { planTrackedEvent, type TrackedEventDependencies } from './plan-tracked-event.js';
import * as sql from './sql.js';
import { trackedEventErrors } from './tracked-event.js';
import { listTrackedEvents } from './tracked-list.js';

export interface EventDependencies extends TrackedEventDependencies {
  readonly cursors: Cursors;
}

type EventOperations = Pick<Operations, 'listEvents' | 'triggerEvent' | 'trackEvent' | 'listTrackedEvents'>;

export function eventOperations({ cursors, ...dependencies }: EventDependencies): EventOperations {
  const events = pagedList(cursors, 'listEvents', 'event');
  const tracked = pagedList(cursors, 'listTrackedEvents', 'event');
  return {
    listEvents: {
      check: (call) => [...events.errors(call), ...deliveryWindowErrors(call.query, call.nowMs)],
      handle: (call, database) => listEvents(call, database, events),
    },
    listTrackedEvents: {
      check: (call) => [...tracked.errors(call), ...deliveryWindowErrors(call.query, call.nowMs)],
      handle: (call, database) => listTrackedEvents(call, database, tracked),
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

/** After a client has listed clicks, clicks become events for this long. */
const CLICKS_LISTENED_MS = 60_000;

async function listEvents(call: Call<'listEvents'>, database: Queryable, list: PagedList) {
  const { query, caller, nowMs } = call;
  if (query.type === 'click.created') await sql.listenToClicks(database, caller.environment.id, CLICKS_LISTENED_MS);
  const filter = { type: query.type ?? null, ...deliveryWindow(query, nowMs) };
  const select = async (page: PageRequest) => (await sql.listEventBodies(database, caller.environment.id, filter, page)).map(eventOfBody);
  return { body: await list.page(call, select, (event) => event) };
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
