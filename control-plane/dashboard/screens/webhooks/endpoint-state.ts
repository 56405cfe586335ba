import type { Delivery, Webhook } from '../../../../shared/contract/schemas/webhook.js';
import { text } from '../../language/text.js';

/** The service changes states by itself when deliveries fail or succeed. */
export const ENDPOINT_REFRESH_MS = 15_000;

type EndpointState = Pick<Webhook, 'status' | 'failing_since'>;

/** Since when no delivery has succeeded, if the endpoint is active. One that is disabled keeps the time, but is not about to be disabled. */
export function failsSince({ status, failing_since: failing }: EndpointState): string | null {
  return status === 'active' ? failing : null;
}

/** The state of an endpoint, as a single word. `failing` means that it is active and no delivery succeeds. */
export function endpointState(webhook: EndpointState): string {
  return failsSince(webhook) === null ? webhook.status : 'failing';
}

/**
 * The reasons that the service itself stores when an endpoint is disabled. The words for its state say the same, in the language of the
 * page.
 */
const OWN_REASONS: readonly (string | null)[] = ['disabled over the API', 'no successful delivery for 3 days', null];

/** Why an endpoint is disabled, unless its state already says so. */
export function reasonBeyondState({ disabled_reason: reason }: Pick<Webhook, 'disabled_reason'>): string | null {
  return OWN_REASONS.includes(reason) ? null : reason;
}

type LoggedAttempt = Pick<Delivery, 'event_id' | 'kind' | 'attempt' | 'status' | 'latency_ms' | 'next_attempt_at'>;

/** A summary of the newest attempts of the last day. */
export interface RecentAttempts {
  /** Attempts that have ended. */
  readonly ended: number;
  readonly succeeded: number;
  /** The time of the next retry; null if none is scheduled. */
  readonly nextAttemptAt: string | null;
}

export function recentAttempts(deliveries: readonly LoggedAttempt[]): RecentAttempts {
  // What was queued when the endpoint was disabled, or waited too long, was abandoned without an attempt.
  const ended = deliveries.filter(({ status, latency_ms }) => status !== 'pending' && latency_ms !== null);
  // The log of an attempt keeps its state and the time of the next attempt after that attempt has begun.
  const placeOf = ({ event_id, kind }: LoggedAttempt, attempt: number) => `${event_id} ${kind} ${attempt}`;
  const begun = new Set(deliveries.map((delivery) => placeOf(delivery, delivery.attempt)));
  const waiting = deliveries.filter((delivery) => delivery.status === 'retrying' && !begun.has(placeOf(delivery, delivery.attempt + 1)));
  const next = waiting.flatMap(({ next_attempt_at: at }) => at ?? []).sort();
  return { ended: ended.length, succeeded: ended.filter(({ status }) => status === 'succeeded').length, nextAttemptAt: next[0] ?? null };
}

/** The health of an endpoint, in one sentence. */
export function healthWords(webhook: EndpointState, { ended, succeeded }: RecentAttempts): string {
  if (webhook.status === 'auto_disabled') return text('Disabled after three days without a successful delivery.');
  if (webhook.status === 'disabled') return text('Disabled: nothing is sent.');
  if (ended === 0) return webhook.failing_since === null ? text('Nothing was sent in the last day.') : text('No delivery succeeds.');
  if (succeeded === ended)
    return ended === 1 ? text('The one attempt of the last day succeeded.') : text('All {ended} attempts succeeded.', { ended });
  if (succeeded === 0)
    return ended === 1 ? text('The one attempt of the last day failed.') : text('None of {ended} attempts succeeded.', { ended });
  // Rounded down, so that a share below 100 % does not look like all of them.
  return text('{percent}% of {ended} attempts succeeded.', { percent: Math.floor((succeeded / ended) * 100), ended });
}
