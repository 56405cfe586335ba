import type { ClientBase } from 'pg';

/** Makes the partitions of the days (`2026-11-20`, UTC) where they are missing. A transaction of its own: making one locks the whole table for a moment. */
export async function ensureDayPartitions(
  client: ClientBase,
  table: 'clicks' | 'open_clicks' | 'events' | 'webhook_deliveries',
  days: readonly string[],
): Promise<void> {
  await client.query({
    name: 'ensure_day_partitions',
    text: 'SELECT ensure_day_partition($1, day) FROM unnest($2::date[]) AS day',
    values: [table, days],
  });
}
