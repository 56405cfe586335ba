import type { Queryable } from '../db/database.js';
import { ensureDayPartitions } from '../db/day-partitions.js';

/**
 * Creates the partitions for the figures of the days. Call it before the transaction that counts, because creating a partition
 * locks all of them until its transaction ends. For the same reason each table has a statement of its own: one for all of them, and
 * a transaction that counts, could wait for each other.
 */
export async function ensureFigurePartitions(database: Queryable, days: readonly string[]): Promise<void> {
  for (const table of ['click_figures', 'click_breakdowns', 'click_breakdown_changes']) await ensureDayPartitions(database, table, days);
}
