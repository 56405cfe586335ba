import type { Pool } from 'pg';

/** Makes the day partitions of events and deliveries from `firstDay` (UTC, `2026-11-20`) for `days` days; those that exist stay. */
export async function ensureWebhookPartitions(pool: Pool, firstDay: string, days: number): Promise<void> {
  await pool.query({
    name: 'ensure_webhook_partitions',
    text: `
      SELECT ensure_day_partition(parent, $1::date + day)
      FROM unnest(ARRAY['events', 'webhook_deliveries']) AS parent, generate_series(0, $2::integer - 1) AS day`,
    values: [firstDay, days],
  });
}
