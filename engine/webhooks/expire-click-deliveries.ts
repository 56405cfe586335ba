import type { Pool, PoolClient } from 'pg';
import { WEBHOOK_BACKLOG_HOURS } from '../../shared/base/limits.js';
import { inTransaction } from '../database/transaction.js';
import { growBacklogs } from './backlog-sql.js';

/**
 * Abandons up to `rowsMax` deliveries of clicks that have waited for more than WEBHOOK_BACKLOG_HOURS and were never tried, and
 * counts them in the backlogs of their endpoints, as clicks for which there was no room. Returns how many.
 */
export function expireClickDeliveries(pool: Pool, rowsMax: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    const expired = await abandonWaiting(client, WEBHOOK_BACKLOG_HOURS, rowsMax);
    if (expired.size === 0) return 0;
    const growth = [...expired].map(([webhook_id, count]) => ({ webhook_id, queued: -count, dropped: count }));
    await growBacklogs(client, growth);
    return growth.reduce((sum, { dropped }) => sum + dropped, 0);
  });
}

/** `error` of a click's delivery that waited too long to be sent at all. */
const EXPIRED = 'expired';

/** Returns the number for each endpoint. A delivery that was tried is on the retry ladder and ends with it. */
async function abandonWaiting(client: PoolClient, hours: number, rowsMax: number): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ webhook_id: string; count: number }>({
    name: 'expire_clicks',
    text: `
      WITH waiting AS MATERIALIZED (
        SELECT delivery.id, delivery.created_at
        FROM webhook_backlogs AS backlog
        JOIN webhook_deliveries AS delivery ON delivery.webhook_id = backlog.webhook_id AND delivery.due_at < statement_timestamp() - make_interval(hours => $1)
        WHERE backlog.queued > 0 AND delivery.event_type = 'click.created' AND delivery.kind = 'automatic'
          AND delivery.status = 'pending' AND delivery.attempt = 1
          AND (delivery.leased_until IS NULL OR delivery.leased_until <= statement_timestamp())
        LIMIT $2
        FOR UPDATE OF delivery SKIP LOCKED
      ), expired AS (
        UPDATE webhook_deliveries AS delivery
        SET status = 'abandoned', error = $3, due_at = NULL, leased_until = NULL, claim_id = NULL
        FROM waiting
        WHERE delivery.id = waiting.id AND delivery.created_at = waiting.created_at
        RETURNING delivery.webhook_id
      )
      SELECT webhook_id, count(*)::integer AS count FROM expired GROUP BY webhook_id`,
    values: [hours, rowsMax, EXPIRED],
  });
  return new Map(rows.map((row) => [row.webhook_id, row.count]));
}
