import type { PoolClient } from 'pg';

export interface AbandonedDeliveries {
  readonly webhook_id: string;
  readonly count: number;
  /** Of these, deliveries of clicks. */
  readonly clicks: number;
}

/**
 * Takes up to `rowsMax` automatic rows of endpoints that are not active out of the queue; answers how many of each. A row that is
 * leased is left to its worker, whose outcome says what really happened (`record-outcomes.ts` writes no retry for such an
 * endpoint); once its lease has ended it is abandoned like the others. In batches, so that a backlog of millions holds
 * no lock for long.
 */
export async function abandonQueue(
  client: PoolClient,
  webhookIds: readonly string[],
  now: Date,
  rowsMax: number,
): Promise<readonly AbandonedDeliveries[]> {
  const { rows } = await client.query<AbandonedDeliveries>({
    name: 'abandon_queue',
    text: `
      WITH queued AS MATERIALIZED (
        SELECT delivery.id, delivery.created_at
        FROM webhook_endpoints AS endpoint
        JOIN webhook_deliveries AS delivery ON delivery.webhook_id = endpoint.id AND delivery.due_at IS NOT NULL
        WHERE endpoint.id = ANY ($1::text[]) AND endpoint.status <> 'active' AND delivery.kind = 'automatic'
          AND (delivery.leased_until IS NULL OR delivery.leased_until <= $2::timestamptz)
        LIMIT $3
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
    values: [webhookIds, now, rowsMax],
  });
  return rows;
}
