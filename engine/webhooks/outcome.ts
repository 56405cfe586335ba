import { retryDelayMs } from '../../shared/webhooks/retry-delay.js';
import type { DeliveryKind, StreakChange } from './sql.js';

/** The outcome of one attempt, as a delivery thread reports it. */
export interface AttemptResult {
  readonly response_code: number | null;
  /** The first 2 KB; null if nothing arrived. */
  readonly response_body: string | null;
  /** A stable word if there was no complete HTTP answer; null if there was one, whatever its status. */
  readonly error: string | null;
  readonly latency_ms: number;
  /** By the monotonic clock of the process. */
  readonly finished_at_ms: number;
}

export interface Attempt {
  readonly webhook_id: string;
  readonly kind: DeliveryKind;
  /** Starts at 1. */
  readonly attempt: number;
}

export type NextState =
  | { readonly status: 'succeeded' | 'failed' | 'abandoned'; readonly retry_after_ms: null }
  /** How long after the end of the attempt the next one is due. */
  | { readonly status: 'retrying'; readonly retry_after_ms: number };

/** `error` of a delivery whose event is no longer stored. No retry would find it. */
export const EVENT_MISSING = 'event_missing';

/** `error` of a delivery whose endpoint's signing secret cannot be decrypted. It is retried, because the operator may repair that. */
export const SECRET_UNREADABLE = 'secret_unreadable';

/**
 * `error` of a delivery that ended or hung the thread that sent it alone, or was claimed again and again without an outcome.
 * Whether anything reached the receiver is unknown. It is retried, because the next release may be able to send it.
 */
export const SENDER_FAILED = 'sender_failed';

const OWN_FAILURES = [EVENT_MISSING, SECRET_UNREADABLE, SENDER_FAILED] as const;
export type OwnFailure = (typeof OWN_FAILURES)[number];

/** Whether the service is at fault, so that nothing was learned about the endpoint: neither its streak nor its cap changes. */
export function saysNothingOfEndpoint(result: AttemptResult): boolean {
  return (OWN_FAILURES as readonly (string | null)[]).includes(result.error);
}

/** Returns the result of a delivery that the service itself could not send, with the reason. */
export function notSent(error: OwnFailure, atMs: number): AttemptResult {
  return { response_code: null, response_body: null, error, latency_ms: 0, finished_at_ms: atMs };
}

/** Whether there was a complete response with a 2xx status in time. Everything else is a failure, including a redirect. */
export function isSuccess(result: AttemptResult): boolean {
  const code = result.response_code;
  return result.error === null && code !== null && code >= 200 && code < 300;
}

/**
 * Returns the state of a delivery after its attempt. Automatic: `retrying` while attempts remain, `abandoned` after the eighth. A
 * replay or a test is a single attempt. Whether the endpoint has been disabled meanwhile is checked where the outcome is written,
 * in the same statement.
 */
export function nextState(
  attempt: Attempt,
  result: AttemptResult,
  delaysSeconds: readonly number[],
  random: () => number = Math.random,
): NextState {
  if (isSuccess(result)) return { status: 'succeeded', retry_after_ms: null };
  if (attempt.kind !== 'automatic') return { status: 'failed', retry_after_ms: null };
  if (result.error === EVENT_MISSING) return { status: 'abandoned', retry_after_ms: null };
  const delayMs = retryDelayMs(attempt.attempt, delaysSeconds, random);
  if (delayMs === null) return { status: 'abandoned', retry_after_ms: null };
  return { status: 'retrying', retry_after_ms: delayMs };
}

/**
 * Returns what a batch of outcomes changes about the failure streaks of its endpoints, ordered by endpoint so that two writers
 * lock rows in the same order. `nowMs` is the current time of the clock by which the attempts ended. A success of any kind ends a
 * streak; a failed automatic attempt begins one; a failed replay or test does neither.
 */
export function streakChanges(
  outcomes: readonly { readonly attempt: Attempt; readonly result: AttemptResult }[],
  nowMs: number,
): readonly StreakChange[] {
  const changes = new Map<string, StreakChange>();
  const inTime = outcomes.toSorted((a, b) => a.result.finished_at_ms - b.result.finished_at_ms);
  for (const { attempt, result } of inTime) {
    const { webhook_id } = attempt;
    const change = changes.get(webhook_id);
    if (isSuccess(result)) {
      changes.set(webhook_id, { webhook_id, succeeded: true, failed_ms_ago: null });
    } else if (attempt.kind === 'automatic' && !saysNothingOfEndpoint(result)) {
      const failed_ms_ago = change?.failed_ms_ago ?? nowMs - result.finished_at_ms;
      changes.set(webhook_id, { webhook_id, succeeded: change?.succeeded ?? false, failed_ms_ago });
    }
  }
  return [...changes.values()].sort((a, b) => (a.webhook_id < b.webhook_id ? -1 : 1));
}
