import { idAt, idTimeMs, isId } from '../../shared/base/ids.js';
import { WEBHOOK_ENDPOINTS_MAX } from '../../shared/base/limits.js';
import { randomBase62 } from '../../shared/base/random-text.js';
import type { Delivery, Webhook, WebhookPatch, WebhookWithSecret } from '../../shared/contract/schemas/webhook.js';
import { WEBHOOK_CHANNEL } from '../../shared/feed/channel.js';
import type { OutboundUrlCheck } from '../../shared/net/public-host.js';
import { type SecretKeys, seal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { sampleEvent } from '../../shared/webhooks/body.js';
import type { Database, Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import { type Cursors, cursorErrors, pageOf, pageRequest } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { refuse } from '../http/problems.js';
import { deliveryWindow, deliveryWindowErrors, webhookUrlErrors } from './rules.js';
import * as sql from './sql.js';
import { type DeliveryRow, deliveryOfRow, type WebhookRow, webhookOfRow } from './webhook-row.js';

export interface WebhookDependencies {
  readonly cursors: Cursors;
  readonly secretKeys: SecretKeys;
  readonly outbound: OutboundUrlCheck;
}

type WebhookOperations = Pick<
  Operations,
  'listWebhooks' | 'createWebhook' | 'getWebhook' | 'updateWebhook' | 'deleteWebhook' | 'listDeliveries' | 'testWebhook'
>;

export function webhookOperations(dependencies: WebhookDependencies): WebhookOperations {
  const { cursors, outbound } = dependencies;
  return {
    listWebhooks: {
      check: (call) => cursorErrors(cursors, webhookList(call.caller), 'webhook', call.query.cursor),
      async handle(call, database) {
        const page = pageRequest(cursors, webhookList(call.caller), 'webhook', call.query);
        const rows = await sql.listWebhooks(database, call.caller.environment.id, page);
        const items = rows.map((row) => shown(call, row));
        return { body: pageOf(cursors, webhookList(call.caller), 'webhook', { items, limit: page.limit }) };
      },
    },
    createWebhook: {
      check: (call) => webhookUrlErrors(call.body.url, outbound),
      async handle(call, database) {
        const webhook = await createWebhook(call, database, dependencies.secretKeys);
        return { body: webhook, location: `/webhooks/${webhook.id}` };
      },
    },
    getWebhook: {
      handle: async (call, database) => ({ body: shown(call, await requireWebhook(call, database)) }),
    },
    updateWebhook: {
      check: (call) => webhookUrlErrors(call.body.url, outbound),
      handle: async (call, database) => ({ body: await updateWebhook(call, database) }),
    },
    deleteWebhook: {
      async handle(call, database) {
        await deleteWebhook(call, database);
        return { body: undefined };
      },
    },
    listDeliveries: {
      check: ({ caller, params, query, nowMs }) => [
        ...cursorErrors(cursors, deliveryList(caller, params.webhook as string), 'delivery', query.cursor),
        ...deliveryWindowErrors(query, nowMs),
      ],
      handle: (call, database) => listDeliveries(call, database, cursors),
    },
    testWebhook: {
      handle: async (call, database) => ({ body: await testWebhook(call, database) }),
    },
  };
}

interface WebhookCall {
  readonly caller: Caller;
  readonly params: { readonly webhook: string };
  readonly nowMs: number;
}

function noSuchWebhook() {
  return refuse('not_found', 'There is no such webhook endpoint in this environment.');
}

async function requireWebhook(call: WebhookCall, database: Queryable, read = sql.findWebhook): Promise<WebhookRow> {
  const { webhook } = call.params;
  const row = isId('webhook', webhook) ? await read(database, call.caller.environment.id, webhook) : null;
  if (row === null) throw noSuchWebhook();
  return row;
}

function shown(call: { readonly caller: Caller; readonly nowMs: number }, row: WebhookRow): Webhook {
  return webhookOfRow(row, call.caller.environment.name, call.nowMs);
}

function webhookList(caller: Caller): string {
  return `listWebhooks/${caller.environment.id}`;
}

function deliveryList(caller: Caller, webhookId: string): string {
  return `listDeliveries/${caller.environment.id}/${webhookId}`;
}

const SECRET_CHARACTERS = 32;

async function createWebhook(call: Call<'createWebhook'>, database: Database, secretKeys: SecretKeys): Promise<WebhookWithSecret> {
  const { caller, body, nowMs } = call;
  const environmentId = caller.environment.id;
  const created = new Date(nowMs);
  const secret = `whsec_${randomBase62(SECRET_CHARACTERS)}`;
  const row: WebhookRow = {
    id: idAt('webhook', nowMs),
    url: body.url,
    description: body.description ?? null,
    events: body.events,
    status: 'active',
    disabled_at: null,
    disabled_reason: null,
    failing_since: null,
    previous_secret_expires_at: null,
    created_at: created,
    updated_at: created,
  };
  await database.transaction(async (transaction) => {
    await sql.lockEnvironment(transaction, environmentId);
    if ((await sql.countWebhooks(transaction, environmentId)) >= WEBHOOK_ENDPOINTS_MAX)
      throw refuse('conflict', `An environment has at most ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints.`);
    await sql.insertWebhook(transaction, environmentId, row, seal(secretKeys, webhookSecretPlace(row.id), secret));
  });
  return { ...shown(call, row), secret };
}

/** What is queued for an endpoint that was disabled is abandoned by the dispatcher, which alone knows what is under way. */
async function updateWebhook(call: Call<'updateWebhook'>, database: Database): Promise<Webhook> {
  return database.transaction(async (transaction) => {
    const before = await requireWebhook(call, transaction, sql.lockWebhook);
    const after = patchedWebhook(before, call.body, call.nowMs);
    if (after !== before) await sql.updateWebhook(transaction, after);
    return shown(call, after);
  });
}

/** The row after a change, or the same row where nothing differs. */
function patchedWebhook(row: WebhookRow, patch: WebhookPatch, nowMs: number): WebhookRow {
  const fields = {
    url: patch.url ?? row.url,
    description: patch.description === undefined ? row.description : patch.description,
    events: patch.events ?? row.events,
  };
  const status = patch.status === undefined || patch.status === row.status ? {} : movedTo(patch.status, nowMs);
  const patched = { ...row, ...fields, ...status };
  if (JSON.stringify(patched) === JSON.stringify(row)) return row;
  return { ...patched, updated_at: new Date(Math.max(row.updated_at.getTime(), nowMs)) };
}

function movedTo(status: 'active' | 'disabled', nowMs: number): Partial<WebhookRow> {
  return status === 'active'
    ? { status, disabled_at: null, disabled_reason: null, failing_since: null }
    : { status, disabled_at: new Date(nowMs), disabled_reason: 'disabled over the API' };
}

/** No statement of a deletion touches more rows than this, whatever the size of the log. */
const DELETE_ROWS = 5_000;

/**
 * The endpoint first, so that nothing is queued for it any more; then its log, in statements of their own: one
 * transaction over both would hold the endpoint while it waits for rows that a worker holds the other way round. Should
 * this process die in between, the dispatcher's janitor deletes what is left of a log without an endpoint.
 */
async function deleteWebhook(call: Call<'deleteWebhook'>, database: Database): Promise<void> {
  const row = await requireWebhook(call, database);
  if (!(await sql.deleteWebhook(database, row.id))) throw noSuchWebhook();
  while ((await sql.deleteDeliveries(database, row.id, DELETE_ROWS)) > 0);
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

/** An event's row is made within this time of the moment its id carries. */
const EVENT_TIME_SLACK_MS = 86_400_000;

async function eventBodies(database: Queryable, rows: readonly DeliveryRow[]): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const ids = [...new Set(rows.map((row) => row.event_id))];
  const times = ids.map((id) => idTimeMs('event', id) as number);
  return sql.findEventBodies(database, ids, Math.min(...times) - EVENT_TIME_SLACK_MS, Math.max(...times) + EVENT_TIME_SLACK_MS);
}

async function testWebhook(call: Call<'testWebhook'>, queue: Database): Promise<Delivery> {
  const { caller, nowMs } = call;
  const webhook = await requireWebhook(call, queue);
  const { id: environment_id, name: environment } = caller.environment;
  const event = sampleEvent({ environment_id, environment, at_ms: nowMs }, webhook.events[0] as Webhook['events'][number]);
  const delivery: DeliveryRow = {
    id: idAt('delivery', nowMs),
    webhook_id: webhook.id,
    event_id: event.id,
    event_type: event.type,
    kind: 'test',
    attempt: 1,
    status: 'pending',
    response_code: null,
    response_body: null,
    latency_ms: null,
    error: null,
    next_attempt_at: null,
    created_at: new Date(nowMs),
  };
  await sql.insertTestDelivery(queue, delivery, event, WEBHOOK_CHANNEL);
  return deliveryOfRow(delivery, event.body);
}
