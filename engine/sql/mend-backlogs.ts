import type { Pool } from 'pg';

/**
 * Removes backlogs of endpoints that are gone, and empties those that count something though nothing is queued: whoever
 * repairs a queue by hand does not know of the count, and a backlog that is full for ever would never be sent a click again.
 */
export async function mendBacklogs(pool: Pool): Promise<void> {
  await pool.query({
    name: 'mend_backlogs',
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
