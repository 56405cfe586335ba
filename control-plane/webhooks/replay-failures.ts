import { idAt } from '../../shared/base/ids.js';
import { formatInstant } from '../../shared/base/instant.js';
import { REPLAYED_EVENTS_MAX } from '../../shared/base/limits.js';
import type { Database } from '../db/database.js';
import type { Call, ResponseBody } from '../http/operation.js';
import * as sql from './replay-sql.js';
import { requireWebhook } from './require-webhook.js';
import { createdBetween, deliveryWindow } from './rules.js';
import { timeOfReplay } from './single-attempt.js';

/** The final states of a failed event. `retrying` means that another attempt will follow. */
const FAILURES = ['failed', 'abandoned'] as const;

/**
 * Sends the events of a window again whose last attempt failed. Of two calls for one endpoint at the same time, the second one waits, sees
 * what the first one has queued and leaves it out.
 */
export async function replayFailures(call: Call<'replayFailures'>, queue: Database): Promise<ResponseBody<'replayFailures'>> {
  return queue.transaction(async (transaction) => {
    const webhook = await requireWebhook(call, transaction);
    await sql.lockReplays(transaction, webhook.id);
    const { fromMs, toMs } = deliveryWindow(call.body, call.nowMs);
    const { status, event_type: eventType = null } = call.body;
    const filter = { statuses: status === undefined ? FAILURES : [status], eventType, fromMs, toMs };
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
    if (next === undefined) return { ...counts, next_from: null, next_to: null };
    // What is queued here must not be in the window of the next call, which would send it again as long as the endpoint is down.
    const nextTo = Math.min(toMs ?? queuedAtMs, queuedAtMs - 1);
    return { ...counts, next_from: formatInstant(next.created_at.getTime()), next_to: formatInstant(nextTo) };
  });
}

async function keptEvents(database: Database, failures: readonly sql.Failure[]): Promise<sql.KeptEvents> {
  if (failures.length === 0) return new Map();
  const ids = failures.map(({ event_id }) => event_id);
  return sql.listKeptEvents(database, ids, createdBetween('event', ids));
}
