import { CLICK_TABLE_COLUMNS } from './click-table.js';
import type { ClickHouse } from './connection.js';
import type { ClickBlocks } from './row-binary.js';

const INSERT = `INSERT INTO clicks (${CLICK_TABLE_COLUMNS}) FORMAT RowBinary`;
const DAY_MS = 86_400_000;

export interface BlocksStored {
  /** What the batch's insertions are known by, with the day; of two insertions with one name the first one counts. */
  readonly batchId: string;
  /** Whether the batch was tried before: what is stored of it is looked for, since the server remembers tokens for a while only. */
  readonly again: boolean;
  readonly abort?: AbortSignal;
}

/** Inserts a block for each day, and returns when all are stored. Repeated with the same batch it stores what is missing. */
export async function storeBlocks(clickHouse: ClickHouse, blocks: ClickBlocks, { batchId, again, abort }: BlocksStored): Promise<void> {
  for (const day of blocks.days) {
    const known = again ? await storedIds(clickHouse, batchId, day) : new Set<string>();
    const { clicks, bytes } = blocks.block(day, known);
    if (clicks === 0) continue;
    // What another one has left out is another insertion: the token of the whole would have it passed over.
    const token = known.size === 0 ? `${batchId}/${day}` : `${batchId}/${day}/${known.size}`;
    await clickHouse.insert(INSERT, [bytes], token, abort);
  }
}

/** Ids of the batch's clicks of the day that are stored, as `latin1`. */
async function storedIds(clickHouse: ClickHouse, batchId: string, day: number): Promise<ReadonlySet<string>> {
  const rows = await clickHouse.rows<{ id: string }>(
    `SELECT hex(id) AS id FROM clicks
     WHERE occurred_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND occurred_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
       AND batch_id = {batch:Int64}`,
    { from: day * DAY_MS, to: (day + 1) * DAY_MS, batch: batchId },
  );
  return new Set(rows.map(({ id }) => Buffer.from(id, 'hex').toString('latin1')));
}
