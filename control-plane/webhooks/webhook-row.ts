import { formatInstant, instantOrNull } from '../../shared/base/instant.js';
import { WEBHOOK_LOGGED_BYTES_MAX } from '../../shared/base/limits.js';
import { textExcerpt } from '../../shared/base/text-excerpt.js';
import type { Delivery, Webhook, WebhookWithSecret } from '../../shared/contract/schemas/webhook.js';
import type { EnvironmentName } from '../../shared/records/records.js';

/** A row of `webhook_endpoints` without its secrets. */
export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: Webhook['events'];
  readonly status: Webhook['status'];
  readonly disabled_at: Date | null;
  readonly disabled_reason: string | null;
  readonly failing_since: Date | null;
  readonly previous_secret_expires_at: Date | null;
  readonly events_dropped: number;
  readonly events_dropped_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function webhookOfRow(row: WebhookRow, environment: EnvironmentName, nowMs: number): Webhook {
  const overlap = row.previous_secret_expires_at;
  return {
    id: row.id,
    environment,
    url: row.url,
    description: row.description,
    events: row.events,
    status: row.status,
    disabled_at: instantOrNull(row.disabled_at),
    disabled_reason: row.disabled_reason,
    failing_since: instantOrNull(row.failing_since),
    previous_secret_expires_at: overlap !== null && overlap.getTime() > nowMs ? formatInstant(overlap.getTime()) : null,
    events_dropped: row.events_dropped,
    events_dropped_at: instantOrNull(row.events_dropped_at),
    created_at: formatInstant(row.created_at.getTime()),
    updated_at: formatInstant(row.updated_at.getTime()),
  };
}

/**
 * The fields of an endpoint that can be set. What the service records about its deliveries keeps changing while somebody edits the
 * endpoint, and the secret is shown once, when it is created.
 */
export function webhookState(webhook: Webhook & Partial<WebhookWithSecret>): object {
  const { secret, failing_since, previous_secret_expires_at, events_dropped, events_dropped_at, ...state } = webhook;
  return state;
}

export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: Delivery['event_type'];
  readonly kind: Delivery['kind'];
  readonly attempt: number;
  readonly status: Delivery['status'];
  readonly response_code: number | null;
  readonly response_body: string | null;
  readonly latency_ms: number | null;
  readonly error: string | null;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
}

/**
 * `eventBody` is the whole body, or null if the event is no longer kept. The log shows its first 2 KB. Without the event it does not show
 * the response either, because receivers may repeat what they were sent.
 */
export function deliveryOfRow(row: DeliveryRow, eventBody: string | null): Delivery {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event_type: row.event_type,
    kind: row.kind,
    attempt: row.attempt,
    status: row.status,
    request_body: eventBody === null ? null : textExcerpt(Buffer.from(eventBody), WEBHOOK_LOGGED_BYTES_MAX),
    response_code: row.response_code,
    response_body: eventBody === null ? null : row.response_body,
    latency_ms: row.latency_ms,
    error: row.error,
    next_attempt_at: instantOrNull(row.next_attempt_at),
    created_at: formatInstant(row.created_at.getTime()),
  };
}
