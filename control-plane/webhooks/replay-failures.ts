import { idAt } from '../../shared/base/ids.js';
import { formatInstant } from '../../shared/base/instant.js';
import { REPLAYED_EVENTS_MAX } from '../../shared/base/limits.js';
import type { Database } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import type { Cursors, ListName } from '../http/cursor.js';
import type { Call, ResponseBody } from '../http/operation.js';
import * as sql from './replay-sql.js';
import { requireWebhook } from './require-webhook.js';
import { createdBetween, deliveryWindow } from './rules.js';
import { timeOfReplay } from './single-attempt.js';

/** The name of the list that cursors of replays belong to. Its place is the time of an attempt in milliseconds. */
export function failureList({ environment }: Caller, webhookId: string): ListName {
  return `replayFailures/${environment.id}/${webhookId}`;
}

/** The final states of a failed event. `retrying` means that another attempt will follow. */
const FAILURES = ['failed', 'abandoned'] as const;

/**
 * Sends the events of a window again whose last attempt failed. Of two calls for one endpoint at the same time, the second one waits, sees
 * what the first one has queued and leaves it out.
 */
export async function replayFailures(
  call: Call<'replayFailures'>,
  queue: Database,
  cursors: Cursors,
): Promise<ResponseBody<'replayFailures'>> {
  return queue.transaction(async (transaction) => {
    const webhook = await requireWebhook(call, transaction);
    await sql.lockReplays(transaction, webhook.id);
    const { fromMs, toMs } = deliveryWindow(call.body, call.nowMs);
    const { status, event_type: eventType = null, cursor } = call.body;
    const list = failureList(call.caller, webhook.id);
    const after = cursor === undefined ? null : cursors.decode(list, 'delivery', cursor);
    const filter = { statuses: status === undefined ? FAILURES : [status], eventType, fromMs, toMs, after };
    const failures = await sql.listFailures(transaction, webhook.id, filter, REPLAYED_EVENTS_MAX + 1);
    const next = failures[REPLAYED_EVENTS_MAX];
    const chosen = failures.slice(0, REPLAYED_EVENTS_MAX);
    const kept = await keptEvents(transaction, chosen);
    const replayed = chosen.filter(({ event_id }) => kept.get(event_id)?.isSample === false);
    const queuedAtMs = timeOfReplay(call.nowMs, failures.at(-1));
    await sql.insertReplays(
      transaction,
      { id: webhook.id, environmentId: call.caller.environment.id },
      replayed.map((failure) => ({ ...failure, id: idAt('delivery', queuedAtMs) })),
      queuedAtMs,
    );
    const counts = { queued: replayed.length, not_kept: chosen.filter(({ event_id }) => !kept.has(event_id)).length };
    const last = chosen.at(-1);
    if (next === undefined || last === undefined) return { ...counts, next_from: null, next_to: null, next_cursor: null };
    // What is queued here must not be in the window of the next call, which would send it again as long as the endpoint is down.
    const nextTo = Math.min(toMs ?? queuedAtMs, queuedAtMs - 1);
    const next_cursor = cursors.encode(list, 'delivery', last.id, last.created_at.getTime());
    return { ...counts, next_from: formatInstant(next.created_at.getTime()), next_to: formatInstant(nextTo), next_cursor };
  });
}

async function keptEvents(database: Database, failures: readonly sql.Failure[]): Promise<sql.KeptEvents> {
  if (failures.length === 0) return new Map();
  const ids = failures.map(({ event_id }) => event_id);
  return sql.listKeptEvents(database, ids, createdBetween('event', ids));
}
