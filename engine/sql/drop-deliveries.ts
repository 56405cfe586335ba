import type { Pool } from 'pg';

/**
 * Deletes up to `rowsMax` rows, queued or not, of endpoints that no longer exist; answers how many. The check is part of
 * the statement: an id that is wrongly given deletes nothing.
 */
export async function dropDeliveries(pool: Pool, webhookIds: readonly string[], rowsMax: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'drop_deliveries',
    text: `
      WITH orphan AS MATERIALIZED (
        SELECT delivery.id, delivery.created_at
        FROM unnest($1::text[]) AS deleted (webhook_id)
        JOIN webhook_deliveries AS delivery ON delivery.webhook_id = deleted.webhook_id
        WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoints AS endpoint WHERE endpoint.id = deleted.webhook_id)
        LIMIT $2
        FOR UPDATE OF delivery SKIP LOCKED
      )
      DELETE FROM webhook_deliveries AS delivery
      USING orphan
      WHERE delivery.id = orphan.id AND delivery.created_at = orphan.created_at`,
    values: [webhookIds, rowsMax],
  });
  return rowCount ?? 0;
}
