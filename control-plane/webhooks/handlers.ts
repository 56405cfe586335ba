import { idAt } from '../../shared/base/ids.js';
import { HOUR_MS, laterThan } from '../../shared/base/instant.js';
import { WEBHOOK_ENDPOINTS_MAX, WEBHOOK_SECRET_OVERLAP_HOURS } from '../../shared/base/limits.js';
import { randomBase62 } from '../../shared/base/random-text.js';
import type { Webhook, WebhookPatch, WebhookWithSecret } from '../../shared/contract/schemas/webhook.js';
import type { OutboundUrlCheck } from '../../shared/net/public-host.js';
import { type SecretKeys, seal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { type Database, DatabaseUnavailableError } from '../db/database.js';
import { lockObjectCounts } from '../environment/lock.js';
import type { Caller } from '../http/authenticate.js';
import { type Cursors, cursorErrors, pageOf, pageRequest } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { noSuch, refuse, refuseTaken } from '../http/problems.js';
import { requireWebhook } from './require-webhook.js';
import { isSameRequest, movedTo, storedUrl, webhookUrlErrors } from './rules.js';
import * as sql from './sql.js';
import { type WebhookRow, webhookOfRow, webhookState } from './webhook-row.js';

export interface WebhookDependencies {
  readonly cursors: Cursors;
  readonly secretKeys: SecretKeys;
  readonly outbound: OutboundUrlCheck;
}

type WebhookOperations = Pick<
  Operations,
  'listWebhooks' | 'createWebhook' | 'getWebhook' | 'updateWebhook' | 'deleteWebhook' | 'rotateWebhookSecret'
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
      checkWaits: true,
      async handle(call, database) {
        const webhook = await createWebhook(call, database, dependencies.secretKeys);
        return { ...answerOf(webhook), location: `/webhooks/${webhook.id}` };
      },
    },
    getWebhook: {
      handle: async (call, database) => answerOf(shown(call, await requireWebhook(call, database))),
    },
    updateWebhook: {
      check: (call) => webhookUrlErrors(call.body.url, outbound),
      handle: async (call, database) => answerOf(await updateWebhook(call, database)),
    },
    deleteWebhook: {
      async handle(call, database) {
        await deleteWebhook(call, database);
        return { body: undefined };
      },
    },
    rotateWebhookSecret: {
      handle: async (call, database) => answerOf(await rotateSecret(call, database, dependencies.secretKeys)),
    },
  };
}

function answerOf<Shown extends Webhook>(webhook: Shown) {
  return { body: webhook, state: webhookState(webhook) };
}

function webhookList(caller: Caller): string {
  return `listWebhooks/${caller.environment.id}`;
}

function shown(call: { readonly caller: Caller; readonly nowMs: number }, row: WebhookRow): Webhook {
  return webhookOfRow(row, call.caller.environment.name, call.nowMs);
}

const SECRET_CHARACTERS = 32;

function newSecret(): string {
  return `whsec_${randomBase62(SECRET_CHARACTERS)}`;
}

async function createWebhook(call: Call<'createWebhook'>, database: Database, secretKeys: SecretKeys): Promise<WebhookWithSecret> {
  const { caller, body, nowMs } = call;
  const environmentId = caller.environment.id;
  const created = new Date(nowMs);
  const secret = newSecret();
  const row: WebhookRow = {
    id: idAt('webhook', nowMs),
    url: storedUrl(body.url),
    description: body.description ?? null,
    events: body.events,
    status: 'active',
    disabled_at: null,
    disabled_reason: null,
    failing_since: null,
    previous_secret_expires_at: null,
    events_dropped: 0,
    events_dropped_at: null,
    created_at: created,
    updated_at: created,
  };
  await database.transaction(async (transaction) => {
    await lockObjectCounts(transaction, environmentId);
    const others = await sql.listWebhookUrls(transaction, environmentId);
    refuseTakenUrl(body.url, others);
    if (others.length >= WEBHOOK_ENDPOINTS_MAX)
      throw refuse('conflict', `An environment has at most ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints: delete one first.`);
    await sql.insertWebhook(transaction, environmentId, row, seal(secretKeys, webhookSecretPlace(row.id), secret));
  });
  return { ...shown(call, row), secret };
}

/**
 * An environment may have each URL only once, so that an event is sent once to each receiver, and nobody can multiply what is sent to a
 * stranger. Endpoints that shared a URL before this rule existed keep working, but no endpoint can join them.
 */
function refuseTakenUrl(url: string, others: readonly { readonly id: string; readonly url: string }[]): void {
  const holder = others.find((other) => isSameRequest(other.url, url));
  if (holder !== undefined) throw refuseTaken('/url', `The endpoint ${holder.id} of this environment already has this URL.`);
}

/** The dispatcher abandons what is queued for an endpoint that was disabled, because only it knows what is being sent. */
async function updateWebhook(call: Call<'updateWebhook'>, database: Database): Promise<Webhook> {
  return database.transaction(async (transaction) => {
    const environmentId = call.caller.environment.id;
    if (call.body.url !== undefined) await lockObjectCounts(transaction, environmentId);
    const before = await requireWebhook(call, transaction, sql.lockWebhook);
    call.requireMatch(webhookState(shown(call, before)));
    if (call.body.url !== undefined && !isSameRequest(call.body.url, before.url))
      refuseTakenUrl(call.body.url, await sql.listWebhookUrls(transaction, environmentId));
    const after = patchedWebhook(before, call.body, call.nowMs);
    if (after !== before) await sql.updateWebhook(transaction, after);
    return shown(call, after);
  });
}

/** The row after a change, or the same row if nothing differs. */
function patchedWebhook(row: WebhookRow, patch: WebhookPatch, nowMs: number): WebhookRow {
  const fields = {
    url: patch.url === undefined ? row.url : storedUrl(patch.url),
    description: patch.description === undefined ? row.description : patch.description,
    events: patch.events ?? row.events,
  };
  const status = patch.status === undefined || patch.status === row.status ? {} : movedTo(patch.status, nowMs, 'disabled over the API');
  const patched = { ...row, ...fields, ...status };
  if (JSON.stringify(patched) === JSON.stringify(row)) return row;
  return { ...patched, updated_at: laterThan(row.updated_at, nowMs) };
}

/** The largest number of rows that a statement of a deletion touches, whatever the size of the log. */
const DELETE_ROWS = 5_000;
/**
 * Deleting a log of millions of rows, for example of clicks, would keep the caller waiting for minutes. After this many statements, the
 * rest is left to the janitor.
 */
const DELETE_STATEMENTS_MAX = 20;

/**
 * Deletes the endpoint first, so that nothing more is queued for it, then its log, in separate statements: one transaction for both would
 * hold the endpoint while it waits for rows that a worker locks in the opposite order. Part of the log may remain, because it is long or
 * locked, or because this process died in between. Nobody can read it any more, and the dispatcher's janitor deletes it.
 */
async function deleteWebhook(call: Call<'deleteWebhook'>, database: Database): Promise<void> {
  const row = await database.transaction(async (transaction) => {
    const before = await requireWebhook(call, transaction, sql.lockWebhook);
    call.requireMatch(webhookState(shown(call, before)));
    if (!(await sql.deleteWebhook(transaction, before.id))) throw noSuch('webhook endpoint');
    return before;
  });
  await deleteLog(database, row.id);
}

/** The endpoint is already deleted. So if the database becomes unavailable, the call still succeeds, and the janitor deletes the rows. */
async function deleteLog(database: Database, webhookId: string): Promise<void> {
  try {
    for (let statement = 0; statement < DELETE_STATEMENTS_MAX; statement++)
      if ((await sql.deleteDeliveries(database, webhookId, DELETE_ROWS)) < DELETE_ROWS) return;
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
  }
}

/** The current secret becomes the previous one. The one that was the previous one before is gone at once. */
async function rotateSecret(call: Call<'rotateWebhookSecret'>, database: Database, secretKeys: SecretKeys): Promise<WebhookWithSecret> {
  const { nowMs } = call;
  const secret = newSecret();
  return database.transaction(async (transaction) => {
    const before = await requireWebhook(call, transaction, sql.lockWebhook);
    const after: WebhookRow = {
      ...before,
      previous_secret_expires_at: new Date(nowMs + WEBHOOK_SECRET_OVERLAP_HOURS * HOUR_MS),
      updated_at: laterThan(before.updated_at, nowMs),
    };
    await sql.rotateSecret(transaction, after, seal(secretKeys, webhookSecretPlace(after.id), secret));
    return { ...shown(call, after), secret };
  });
}
