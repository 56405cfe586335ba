import type { EventType } from '../../shared/contract/schemas/events.js';
import type { EventRow } from '../../shared/webhooks/body.js';
import type { Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import type { PageRequest } from '../http/cursor.js';
import type { DeliveryRow, WebhookRow } from './webhook-row.js';

const COLUMNS = `id, url, description, events, status, disabled_at, disabled_reason, failing_since, previous_secret_expires_at,
  created_at, updated_at,
  coalesce((SELECT dropped FROM webhook_backlogs WHERE webhook_id = webhook_endpoints.id), 0)::float8 AS events_dropped,
  (SELECT dropped_at FROM webhook_backlogs WHERE webhook_id = webhook_endpoints.id) AS events_dropped_at`;

const DELIVERY_COLUMNS = `id, webhook_id, event_id, event_type, kind, attempt, status, response_code, response_body, latency_ms, error,
  next_attempt_at, created_at`;

/** The URLs of all endpoints of the environment. */
export async function listWebhookUrls(
  database: Queryable,
  environmentId: string,
): Promise<readonly { readonly id: string; readonly url: string }[]> {
  const { rows } = await database.query<{ id: string; url: string }>({
    text: 'SELECT id, url FROM webhook_endpoints WHERE environment_id = $1 ORDER BY id',
    values: [environmentId],
  });
  return rows;
}

export async function insertWebhook(database: Queryable, environmentId: string, row: WebhookRow, sealedSecret: Buffer): Promise<void> {
  await database.query({
    text: `INSERT INTO webhook_endpoints (id, environment_id, url, description, events, secret, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    values: [row.id, environmentId, row.url, row.description, row.events, sealedSecret, row.created_at.toISOString()],
  });
}

const SELECT_WEBHOOK = `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $2 AND environment_id = $1`;

export const findWebhook = rowReader<WebhookRow>({ text: SELECT_WEBHOOK });

/** Reads the same row, and locks it against other changes until the transaction ends. */
export const lockWebhook = rowReader<WebhookRow>({ text: `${SELECT_WEBHOOK} FOR UPDATE` });

export async function listWebhooks(database: Queryable, environmentId: string, page: PageRequest): Promise<readonly WebhookRow[]> {
  const { rows } = await database.query<WebhookRow>({
    text: `SELECT ${COLUMNS} FROM webhook_endpoints WHERE environment_id = $1 AND ($2::text IS NULL OR id < $2)
           ORDER BY id DESC LIMIT $3`,
    values: [environmentId, page.belowId, page.limit + 1],
  });
  return rows;
}

export async function updateWebhook(database: Queryable, row: WebhookRow): Promise<void> {
  await database.query({
    text: `UPDATE webhook_endpoints SET url = $2, description = $3, events = $4, status = $5, disabled_at = $6, disabled_reason = $7,
             failing_since = $8, updated_at = $9,
             queue_epoch = CASE WHEN status = 'active' AND $5 <> 'active' THEN queue_epoch + 1 ELSE queue_epoch END
           WHERE id = $1`,
    values: [
      row.id,
      row.url,
      row.description,
      row.events,
      row.status,
      row.disabled_at?.toISOString() ?? null,
      row.disabled_reason,
      row.failing_since?.toISOString() ?? null,
      row.updated_at.toISOString(),
    ],
  });
}

/** Sets the row's times and a sealed secret. The current secret becomes the previous one. */
export async function rotateSecret(database: Queryable, row: WebhookRow, sealedSecret: Buffer): Promise<void> {
  await database.query({
    text: `UPDATE webhook_endpoints SET previous_secret = secret, secret = $2, previous_secret_expires_at = $3, updated_at = $4 WHERE id = $1`,
    values: [row.id, sealedSecret, row.previous_secret_expires_at?.toISOString() ?? null, row.updated_at.toISOString()],
  });
}

/** Returns false if another call has already deleted it. */
export async function deleteWebhook(database: Queryable, webhookId: string): Promise<boolean> {
  const { rowCount } = await database.query({ text: 'DELETE FROM webhook_endpoints WHERE id = $1', values: [webhookId] });
  return rowCount === 1;
}

/**
 * Deletes some of an endpoint's log. Returns the number of rows; call it until it returns 0, so that no statement runs long. Rows that a
 * dispatcher has locked are skipped: it locks them in another order, so the two could deadlock.
 */
export async function deleteDeliveries(database: Queryable, webhookId: string, rowsMax: number): Promise<number> {
  const { rowCount } = await database.query({
    text: `WITH logged AS MATERIALIZED (
             SELECT id, created_at FROM webhook_deliveries WHERE webhook_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED
           )
           DELETE FROM webhook_deliveries AS delivery
           USING logged
           WHERE delivery.id = logged.id AND delivery.created_at = logged.created_at`,
    values: [webhookId, rowsMax],
  });
  return rowCount;
}

export interface DeliveryFilter {
  readonly status: string | null;
  readonly eventType: EventType | null;
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** Newest first by keyset; the window prunes the day partitions. */
export async function listDeliveries(
  database: Queryable,
  webhookId: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<readonly DeliveryRow[]> {
  const { rows } = await database.query<DeliveryRow>({
    text: `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries
           WHERE webhook_id = $1 AND created_at >= $2::timestamptz AND ($3::timestamptz IS NULL OR created_at <= $3)
             AND ($4::text IS NULL OR status = $4) AND ($5::text IS NULL OR event_type = $5) AND ($6::text IS NULL OR id < $6)
           ORDER BY id DESC LIMIT $7`,
    values: [
      webhookId,
      new Date(filter.fromMs).toISOString(),
      filter.toMs === null ? null : new Date(filter.toMs).toISOString(),
      filter.status,
      filter.eventType,
      page.belowId,
      page.limit + 1,
    ],
  });
  return rows;
}

/** The times of creation between which rows are looked for, which prunes the day partitions. */
export interface CreatedBetween {
  readonly fromMs: number;
  readonly toMs: number;
}

export function bounds({ fromMs, toMs }: CreatedBetween): readonly [string, string] {
  return [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
}

/** The bodies of the events, by id. Events that are no longer kept are left out. */
export async function findEventBodies(
  database: Queryable,
  eventIds: readonly string[],
  created: CreatedBetween,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ id: string; body: string }>({
    text: 'SELECT id, body FROM events WHERE id = ANY ($1) AND created_at BETWEEN $2::timestamptz AND $3::timestamptz',
    values: [eventIds, ...bounds(created)],
  });
  return new Map(rows.map((row) => [row.id, row.body]));
}

/** Inserts a delivery of an event that is already stored, due at once. */
export async function insertDelivery(database: Queryable, environmentId: string, delivery: DeliveryRow): Promise<void> {
  await database.query({
    text: `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp())`,
    values: [
      delivery.id,
      delivery.created_at.toISOString(),
      delivery.webhook_id,
      environmentId,
      delivery.event_id,
      delivery.event_type,
      delivery.kind,
      delivery.attempt,
      delivery.status,
    ],
  });
}

/** A row of an endpoint's log, and whether it is in the queue: an attempt waits to be sent, or to be followed by the next one. */
export interface FoundDelivery extends DeliveryRow {
  readonly queued: boolean;
}

export async function findDelivery(
  database: Queryable,
  webhookId: string,
  deliveryId: string,
  created: CreatedBetween,
): Promise<FoundDelivery | null> {
  const { rows } = await database.query<FoundDelivery>({
    text: `SELECT ${DELIVERY_COLUMNS}, due_at IS NOT NULL AS queued FROM webhook_deliveries
           WHERE id = $2 AND webhook_id = $1 AND created_at BETWEEN $3::timestamptz AND $4::timestamptz`,
    values: [webhookId, deliveryId, ...bounds(created)],
  });
  return rows[0] ?? null;
}

/** Inserts an event and its deliveries, all of one kind and due at once. It does not use `insert_events`, whose deliveries are retried. */
export async function insertTriggeredEvent(database: Queryable, event: EventRow, deliveries: readonly DeliveryRow[]): Promise<void> {
  await database.query({
    text: `WITH event AS (
             INSERT INTO events (id, created_at, environment_id, type, body) VALUES ($1, $2, $3, $4, $5)
           )
           INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at)
           SELECT delivery.id, $2, delivery.webhook_id, $3, $1, $4, 'test', 1, 'pending', clock_timestamp()
           FROM unnest($6::text[], $7::text[]) AS delivery (id, webhook_id)`,
    values: [
      event.id,
      new Date(event.created_at_ms).toISOString(),
      event.environment_id,
      event.type,
      event.body,
      deliveries.map(({ id }) => id),
      deliveries.map(({ webhook_id }) => webhook_id),
    ],
  });
}
