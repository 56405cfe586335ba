import { DAY_MS } from '../base/instant.js';
import { CLICK_TABLE_COLUMNS } from './click-table.js';
import type { ClickHouse } from './connection.js';
import type { ClickBlocks } from './row-binary.js';

const INSERT = `INSERT INTO clicks (${CLICK_TABLE_COLUMNS}) FORMAT RowBinary`;

export interface BlocksStored {
  /** What the insertions are known by, with the day; of two insertions with one name the first one counts. */
  readonly name: string;
  /** Whether they were tried before: what is stored of their batches is looked for, since the server remembers tokens for a while only. */
  readonly again: boolean;
  readonly abort?: AbortSignal;
}

/** Inserts a block for each day, and resolves when all are stored. Repeated with the same clicks it stores what is missing. Returns how many it stored. */
export async function storeBlocks(clickHouse: ClickHouse, blocks: ClickBlocks, { name, again, abort }: BlocksStored): Promise<number> {
  let stored = 0;
  for (const day of blocks.days) {
    let known: ReadonlySet<string> = again ? await storedIds(clickHouse, blocks, day) : new Set<string>();
    for (let block = blocks.block(day, known); block.clicks > 0; block = blocks.block(day, known)) {
      // What another one has left out is another insertion: the token of the whole would have it passed over.
      const token = known.size === 0 ? `${name}/${day}` : `${name}/${day}/${known.size}`;
      await clickHouse.insert(INSERT, [block.bytes], token, abort);
      // Another shipper, which can read a part of the batch alone, may have used the token before: then this insertion was passed over.
      const now = await storedIds(clickHouse, blocks, day);
      stored += block.clicks - blocks.block(day, now).clicks;
      if (now.size <= known.size) break;
      known = now;
    }
  }
  return stored;
}

/** How many of the clicks are not stored. */
export async function countMissing(clickHouse: ClickHouse, blocks: ClickBlocks): Promise<number> {
  let missing = 0;
  for (const day of blocks.days) missing += blocks.block(day, await storedIds(clickHouse, blocks, day)).clicks;
  return missing;
}

/** Ids of the day's clicks that are stored, as `latin1`, and of others from the same batches. */
async function storedIds(clickHouse: ClickHouse, blocks: ClickBlocks, day: number): Promise<ReadonlySet<string>> {
  const { first, last } = blocks.batches(day);
  const rows = await clickHouse.rows<{ id: string }>(
    `SELECT hex(id) AS id FROM clicks
     WHERE occurred_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND occurred_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
       AND batch_id BETWEEN {first:Int64} AND {last:Int64}`,
    { from: day * DAY_MS, to: (day + 1) * DAY_MS, first: String(first), last: String(last) },
  );
  return new Set(rows.map(({ id }) => Buffer.from(id, 'hex').toString('latin1')));
}
