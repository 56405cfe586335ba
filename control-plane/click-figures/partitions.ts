import type { Queryable } from '../db/database.js';

/**
 * Creates the partitions for the figures of the days. Call it before the transaction that counts, because creating a partition
 * locks all of them until its transaction ends.
 */
export async function ensureFigurePartitions(database: Queryable, days: readonly string[]): Promise<void> {
  await database.query({
    name: 'ensure_figure_partitions',
    text: `SELECT ensure_day_partition('click_figures', day), ensure_day_partition('click_breakdowns', day),
             ensure_day_partition('click_breakdown_changes', day)
           FROM unnest($1::date[]) AS day`,
    values: [days],
  });
}
