import type { Pool, PoolClient } from 'pg';
import { OF_CURRENT_EPOCH } from './sql.js';

export interface AbandonedDeliveries {
  readonly webhook_id: string;
  readonly count: number;
  /** How many of these are deliveries of clicks. */
  readonly clicks: number;
}

/**
 * Abandons up to `rowsMax` automatic rows in the queue of endpoints that are not active, or that were queued before their endpoint was
 * last disabled. Returns the number per endpoint. A leased
 * row is left to its worker, which writes the real outcome (`recordOutcomes` writes no retry for such an endpoint). When its
 * lease has ended, it is abandoned like the others. Batches keep locks short, even with a backlog of millions of rows.
 */
export async function abandonQueue(
  client: PoolClient,
  webhookIds: readonly string[],
  rowsMax: number,
): Promise<readonly AbandonedDeliveries[]> {
  const { rows } = await client.query<AbandonedDeliveries>({
    name: 'abandon_queue',
    text: `
      WITH queued AS MATERIALIZED (
        SELECT delivery.id, delivery.created_at
        FROM webhook_endpoints AS endpoint
        JOIN webhook_deliveries AS delivery ON delivery.webhook_id = endpoint.id AND delivery.due_at IS NOT NULL
        WHERE endpoint.id = ANY ($1::text[]) AND (endpoint.status <> 'active' OR NOT ${OF_CURRENT_EPOCH}) AND delivery.kind = 'automatic'
          AND (delivery.leased_until IS NULL OR delivery.leased_until <= statement_timestamp())
        LIMIT $2
        FOR UPDATE OF delivery SKIP LOCKED
      ), abandoned AS (
        UPDATE webhook_deliveries AS delivery
        SET status = 'abandoned', due_at = NULL, next_attempt_at = NULL, leased_until = NULL, claim_id = NULL
        FROM queued
        WHERE delivery.id = queued.id AND delivery.created_at = queued.created_at
        RETURNING delivery.webhook_id, delivery.event_type
      )
      SELECT webhook_id, count(*)::integer AS count, (count(*) FILTER (WHERE event_type = 'click.created'))::integer AS clicks
      FROM abandoned
      GROUP BY webhook_id`,
    values: [webhookIds, rowsMax],
  });
  return rows;
}

const AUTO_DISABLED_REASON = 'no successful delivery for 3 days';

/**
 * Disables the endpoints whose failure streak has lasted for `hours`, by the database's clock; returns their ids. Endpoints that
 * are locked, for example by the outcomes of their deliveries, are left to the next time.
 */
export async function autoDisableEndpoints(pool: Pool, hours: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'auto_disable_endpoints',
    text: `
      WITH failing AS MATERIALIZED (
        SELECT id FROM webhook_endpoints
        WHERE status = 'active' AND failing_since <= statement_timestamp() - make_interval(hours => $1)
        FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE webhook_endpoints AS endpoint
      SET status = 'auto_disabled', disabled_at = statement_timestamp(), disabled_reason = $2, updated_at = greatest(updated_at, statement_timestamp()),
        queue_epoch = queue_epoch + 1
      FROM failing
      WHERE endpoint.id = failing.id
      RETURNING endpoint.id`,
    values: [hours, AUTO_DISABLED_REASON],
  });
  return rows.map((row) => row.id);
}

/** Returns the ids of the endpoints that were disabled and may have more to abandon, whether or not they are active again. */
export async function unsweptIds(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'unswept_ids',
    text: 'SELECT id FROM webhook_endpoints WHERE swept_epoch < queue_epoch',
  });
  return rows.map((row) => row.id);
}

/**
 * Notes which of the endpoints have nothing left in their queues from before they were last disabled. A delivery that is under way
 * is still in the queue: its outcome may be written by a statement that does not see yet that the endpoint was disabled.
 */
export async function noteSwept(pool: Pool, webhookIds: readonly string[]): Promise<void> {
  await pool.query({
    name: 'note_swept',
    text: `
      UPDATE webhook_endpoints AS endpoint
      SET swept_epoch = queue_epoch
      WHERE endpoint.id = ANY ($1::text[]) AND endpoint.swept_epoch < endpoint.queue_epoch
        AND NOT EXISTS (
          SELECT 1 FROM webhook_deliveries AS delivery
          WHERE delivery.webhook_id = endpoint.id AND delivery.due_at IS NOT NULL AND delivery.kind = 'automatic' AND NOT ${OF_CURRENT_EPOCH}
        )`,
    values: [webhookIds],
  });
}

/**
 * Deletes up to `rowsMax` rows, queued or not, of endpoints that no longer exist; returns how many. The statement checks that
 * itself: an id that is given by mistake deletes nothing.
 */
export async function dropDeliveries(pool: Pool, webhookIds: readonly string[], rowsMax: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'drop_deliveries',
    text: `
      WITH ownerless AS MATERIALIZED (
        SELECT delivery.id, delivery.created_at
        FROM unnest($1::text[]) AS deleted (webhook_id)
        JOIN webhook_deliveries AS delivery ON delivery.webhook_id = deleted.webhook_id
        WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoints AS endpoint WHERE endpoint.id = deleted.webhook_id)
        LIMIT $2
        FOR UPDATE OF delivery SKIP LOCKED
      )
      DELETE FROM webhook_deliveries AS delivery
      USING ownerless
      WHERE delivery.id = ownerless.id AND delivery.created_at = ownerless.created_at`,
    values: [webhookIds, rowsMax],
  });
  return rowCount ?? 0;
}

/**
 * Removes backlogs of endpoints that are gone, and empties those that count something although nothing is queued. An operator who
 * repairs a queue by hand does not know of the count, and an endpoint whose backlog counted as full would never be sent a click
 * again.
 */
export async function reconcileBacklogs(pool: Pool): Promise<void> {
  await pool.query({
    name: 'reconcile_backlogs',
    text: `
      WITH removed AS (
        DELETE FROM webhook_backlogs AS backlog
        WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoints AS endpoint WHERE endpoint.id = backlog.webhook_id)
      )
      UPDATE webhook_backlogs AS backlog
      SET queued = 0
      WHERE backlog.queued > 0
        AND EXISTS (SELECT 1 FROM webhook_endpoints AS endpoint WHERE endpoint.id = backlog.webhook_id)
        AND NOT EXISTS (
          SELECT 1 FROM webhook_deliveries AS delivery
          WHERE delivery.webhook_id = backlog.webhook_id AND delivery.due_at IS NOT NULL AND delivery.event_type = 'click.created'
        )`,
  });
}

/**
 * Returns ids in the delivery log whose endpoint is gone. This is a loose index scan of webhook_deliveries_newest: one probe for
 * each endpoint in the log, not one for each row.
 */
export async function deletedWebhookIds(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ webhook_id: string }>({
    name: 'deleted_webhook_ids',
    text: `
      WITH RECURSIVE logged AS (
        (SELECT webhook_id FROM webhook_deliveries ORDER BY webhook_id LIMIT 1)
        UNION ALL
        SELECT following.webhook_id
        FROM logged
        CROSS JOIN LATERAL (
          SELECT webhook_id FROM webhook_deliveries WHERE webhook_id > logged.webhook_id ORDER BY webhook_id LIMIT 1
        ) AS following
      )
      SELECT logged.webhook_id
      FROM logged
      WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoints AS endpoint WHERE endpoint.id = logged.webhook_id)`,
  });
  return rows.map((row) => row.webhook_id);
}
