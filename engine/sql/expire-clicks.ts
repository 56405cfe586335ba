import type { PoolClient } from 'pg';

/** `error` of a click's delivery that waited too long to be sent at all. */
export const EXPIRED = 'expired';

/**
 * Gives up to `rowsMax` deliveries of clicks up that have waited since before `dueBefore` and were never tried; answers how
 * many of each endpoint. One that was tried is on the retry ladder and ends by it.
 */
export async function expireClicks(client: PoolClient, dueBefore: Date, now: Date, rowsMax: number): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ webhook_id: string; count: number }>({
    name: 'expire_clicks',
    text: `
      WITH waiting AS MATERIALIZED (
        SELECT delivery.id, delivery.created_at
        FROM webhook_backlogs AS backlog
        JOIN webhook_deliveries AS delivery ON delivery.webhook_id = backlog.webhook_id AND delivery.due_at < $1::timestamptz
        WHERE backlog.queued > 0 AND delivery.event_type = 'click.created' AND delivery.kind = 'automatic'
          AND delivery.status = 'pending' AND delivery.attempt = 1
          AND (delivery.leased_until IS NULL OR delivery.leased_until <= $2::timestamptz)
        LIMIT $3
        FOR UPDATE OF delivery SKIP LOCKED
      ), expired AS (
        UPDATE webhook_deliveries AS delivery
        SET status = 'abandoned', error = $4, due_at = NULL, leased_until = NULL, claim_id = NULL
        FROM waiting
        WHERE delivery.id = waiting.id AND delivery.created_at = waiting.created_at
        RETURNING delivery.webhook_id
      )
      SELECT webhook_id, count(*)::integer AS count FROM expired GROUP BY webhook_id`,
    values: [dueBefore, now, rowsMax, EXPIRED],
  });
  return new Map(rows.map((row) => [row.webhook_id, row.count]));
}
