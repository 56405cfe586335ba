import type { Queryable } from '../db/database.js';

/**
 * Creates the partitions for the figures of the days. Call it before the transaction that counts, because creating a partition
 * locks all of them until its transaction ends.
 */
export async function ensureFigurePartitions(database: Queryable, days: readonly string[]): Promise<void> {
  await database.query({
    name: 'ensure_figure_partitions',
    text: `SELECT ensure_day_partition(parent, day)
           FROM unnest(ARRAY['click_figures', 'click_breakdowns', 'click_breakdown_changes']) AS parent, unnest($1::date[]) AS day
           ORDER BY parent, day`,
    values: [days],
  });
}
