import type { DeliveryRow } from './webhook-row.js';

/** A delivery that is sent once, whether or not it succeeds: a replay or a sample. */
export function singleAttempt(
  of: Pick<DeliveryRow, 'id' | 'webhook_id' | 'event_id' | 'event_type' | 'kind'>,
  createdAtMs: number,
): DeliveryRow {
  return {
    ...of,
    attempt: 1,
    status: 'pending',
    response_code: null,
    response_body: null,
    latency_ms: null,
    error: null,
    next_attempt_at: null,
    created_at: new Date(createdAtMs),
  };
}

/**
 * When a replay is created. It is later than the attempt that it repeats, whose time may be of another machine with a clock that is
 * ahead: the latest attempt of an event says whether it came through.
 */
export function timeOfReplay(nowMs: number, replayed: Pick<DeliveryRow, 'created_at'> | undefined): number {
  return replayed === undefined ? nowMs : Math.max(nowMs, replayed.created_at.getTime() + 1);
}
