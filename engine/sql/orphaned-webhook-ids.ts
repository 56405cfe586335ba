import type { Pool } from 'pg';

/**
 * Ids in the delivery log whose endpoint is gone. A loose index scan of webhook_deliveries_newest, as in
 * `queued-endpoints.ts`: one probe for each endpoint in the log, not one for each row.
 */
export async function orphanedWebhookIds(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ webhook_id: string }>({
    name: 'orphaned_webhook_ids',
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
