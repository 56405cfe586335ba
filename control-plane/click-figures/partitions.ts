import type { Queryable } from '../db/database.js';

/**
 * Makes the partitions that figures of the days need. Before the transaction that counts: one that is made locks all of
 * them until its transaction ends.
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
