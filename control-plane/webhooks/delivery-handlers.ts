import { idAt, idTimeMs, isId } from '../../shared/base/ids.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { Delivery, Webhook } from '../../shared/contract/schemas/webhook.js';
import { sampleEvent } from '../../shared/webhooks/body.js';
import type { Database, Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import { type Cursors, cursorErrors, pageOf, pageRequest } from '../http/cursor.js';
import type { Answer, Call, Operations, UncheckedCall } from '../http/operation.js';
import { fieldError, refuse, refuseFields } from '../http/problems.js';
import { failureList, replayFailures } from './replay-failures.js';
import { requireWebhook } from './require-webhook.js';
import { createdBetween, deliveryWindow, deliveryWindowErrors } from './rules.js';
import { singleAttempt, timeOfReplay } from './single-attempt.js';
import * as sql from './sql.js';
import { type DeliveryRow, deliveryOfRow, type WebhookRow } from './webhook-row.js';

export interface DeliveryDependencies {
  readonly cursors: Cursors;
}

type DeliveryOperations = Pick<Operations, 'listDeliveries' | 'testWebhook' | 'replayDelivery' | 'replayFailures'>;

export function deliveryOperations({ cursors }: DeliveryDependencies): DeliveryOperations {
  return {
    listDeliveries: {
      check: ({ caller, params, query, nowMs }) => [
        ...cursorErrors(cursors, deliveryList(caller, params.webhook as string), 'delivery', query.cursor),
        ...deliveryWindowErrors(query, nowMs),
      ],
      handle: (call, database) => listDeliveries(call, database, cursors),
    },
    testWebhook: {
      check: testedTypeErrors,
      handle: async (call, queue) => ({ body: await testWebhook(call, queue), committed: { deliveries: true } }),
    },
    replayFailures: {
      check: ({ caller, params, body, nowMs }) => [
        ...cursorErrors(cursors, failureList(caller, params.webhook as string), 'delivery', body.cursor, 'body'),
        ...deliveryWindowErrors(body, nowMs, 'body'),
      ],
      handle: async (call, queue) => ({ body: await replayFailures(call, queue, cursors), committed: { deliveries: true } }),
    },
    replayDelivery: {
      handle: replayDelivery,
    },
  };
}

function deliveryList(caller: Caller, webhookId: string): string {
  return `listDeliveries/${caller.environment.id}/${webhookId}`;
}

async function listDeliveries(call: Call<'listDeliveries'>, database: Queryable, cursors: Cursors) {
  const webhook = await requireWebhook(call, database);
  const { query, caller } = call;
  const list = deliveryList(caller, webhook.id);
  const page = pageRequest(cursors, list, 'delivery', query);
  const filter = { status: query.status ?? null, eventType: query.event_type ?? null, ...deliveryWindow(query, call.nowMs) };
  const rows = await sql.listDeliveries(database, webhook.id, filter, page);
  const bodies = await eventBodies(database, rows);
  const items = rows.map((row) => deliveryOfRow(row, bodies.get(row.event_id) ?? null));
  return { body: pageOf(cursors, list, 'delivery', { items, limit: page.limit }) };
}

async function eventBodies(database: Queryable, rows: readonly DeliveryRow[]): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const ids = [...new Set(rows.map((row) => row.event_id))];
  return sql.findEventBodies(database, ids, createdBetween('event', ids));
}

/** Finds a type that the endpoint is not subscribed to. The endpoint may be changed afterwards, so the type is checked again. */
async function testedTypeErrors({ body, caller, params }: UncheckedCall, queue: Queryable): Promise<readonly FieldError[]> {
  const { event_type: type } = body;
  const id = params.webhook ?? '';
  const webhook = typeof type === 'string' && isId('webhook', id) ? await sql.findWebhook(queue, caller.environment.id, id) : null;
  // The handler reports that there is no such endpoint.
  return webhook === null || webhook.events.some((name) => name === type) ? [] : [notSubscribed(webhook)];
}

function notSubscribed({ events }: Pick<WebhookRow, 'events'>): FieldError {
  return fieldError('body', '/event_type', 'invalid_value', `must be a type that the endpoint is subscribed to: ${events.join(', ')}`);
}

async function testWebhook(call: Call<'testWebhook'>, queue: Database): Promise<Delivery> {
  const { caller, nowMs } = call;
  const webhook = await requireWebhook(call, queue);
  const { id: environment_id, name: environment } = caller.environment;
  const type = call.body.event_type ?? (webhook.events[0] as Webhook['events'][number]);
  if (!webhook.events.includes(type)) throw refuseFields([notSubscribed(webhook)]);
  const event = sampleEvent({ environment_id, environment, at_ms: nowMs }, type);
  const delivery = singleAttempt(
    { id: idAt('delivery', nowMs), webhook_id: webhook.id, event_id: event.id, event_type: event.type, kind: 'test' },
    nowMs,
  );
  await sql.insertTriggeredEvent(queue, event, [delivery]);
  return deliveryOfRow(delivery, event.body);
}

/**
 * Locks neither the delivery nor its event: a finished row never changes again, and if the partition of the event is dropped at this very
 * moment, the delivery fails and says so. An endpoint that is deleted in the meantime leaves a row that the dispatcher's janitor removes.
 */
async function replayDelivery(call: Call<'replayDelivery'>, queue: Database): Promise<Answer<Delivery>> {
  const { caller, nowMs } = call;
  const webhook = await requireWebhook(call, queue);
  const replayed = await findDelivery(queue, webhook.id, call.params.delivery);
  if (replayed === null) throw refuse('not_found', 'There is no such delivery in the log of this endpoint.');
  if (replayed.status === 'pending') throw refuse('conflict', 'The delivery is not finished yet: replay it once it is.');
  if (replayed.queued)
    throw refuse('conflict', 'The attempt failed and will be followed by another one: replay it once that one has begun.');
  const body = (await eventBodies(queue, [replayed])).get(replayed.event_id);
  if (body === undefined) throw refuse('conflict', 'The event of this delivery is no longer kept.');
  const { event_id, event_type } = replayed;
  const queuedAtMs = timeOfReplay(nowMs, replayed);
  const id = idAt('delivery', queuedAtMs);
  const delivery = singleAttempt({ id, webhook_id: webhook.id, event_id, event_type, kind: 'replay' }, queuedAtMs);
  await sql.insertDelivery(queue, caller.environment.id, delivery);
  const installId = installOfEvent(body);
  return {
    body: deliveryOfRow(delivery, body),
    ...(installId === null ? {} : { installId }),
    committed: { deliveries: true },
  };
}

/** The installation that the event is about; null for none. */
function installOfEvent(body: string): string | null {
  const { data } = JSON.parse(body) as { readonly data?: { readonly install_id?: unknown } };
  return typeof data?.install_id === 'string' ? data.install_id : null;
}

async function findDelivery(database: Queryable, webhookId: string, deliveryId: string): Promise<sql.FoundDelivery | null> {
  if (idTimeMs('delivery', deliveryId) === null) return null;
  return sql.findDelivery(database, webhookId, deliveryId, createdBetween('delivery', [deliveryId]));
}
