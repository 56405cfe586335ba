import { DAY_MS } from '../base/instant.js';
import { CLICK_TABLE_COLUMNS } from './click-table.js';
import type { ClickHouse } from './connection.js';
import type { ClickBlocks } from './row-binary.js';

const INSERT = `INSERT INTO clicks (${CLICK_TABLE_COLUMNS}) FORMAT RowBinary`;

export interface BlocksStored {
  /** Identifies the insertions, together with the day. Of two insertions with one name only the first one counts. */
  readonly name: string;
  /**
   * Whether the insertions were tried before. Then the stored clicks of their batches are looked up, because the server
   * remembers tokens only for a while.
   */
  readonly again: boolean;
  readonly abort?: AbortSignal;
}

/**
 * Inserts a block for each day, and resolves when all are stored. If it is repeated with the same clicks, it stores
 * what is missing. Returns how many clicks it stored.
 */
export async function storeBlocks(clickHouse: ClickHouse, blocks: ClickBlocks, options: BlocksStored): Promise<number> {
  let stored = 0;
  for (const day of blocks.days) stored += await storeBlock(clickHouse, blocks, day, options);
  return stored;
}

/**
 * Another shipper that can read only a part of the batch may use the token first. ClickHouse skips the second insertion
 * with a token, whatever its rows, and answers as if it had stored them. So what is stored is looked up, and what is
 * missing is inserted.
 */
async function storeBlock(clickHouse: ClickHouse, blocks: ClickBlocks, day: number, { name, again, abort }: BlocksStored): Promise<number> {
  let known = again ? await storedIds(clickHouse, blocks, day, abort) : new Set<string>();
  for (let stored = 0; ; ) {
    const { clicks, bytes } = blocks.block(day, known);
    if (clicks === 0) return stored;
    // What another shipper has left out is a separate insertion, because with the token of the whole it would be skipped.
    const token = known.size === 0 ? `${name}/${day}` : `${name}/${day}/${known.size}`;
    await clickHouse.insert(INSERT, [bytes], token, abort);
    if (await holdsThese(clickHouse, blocks, day, abort)) return stored + clicks;
    const now = await storedIds(clickHouse, blocks, day, abort);
    // The rows of a remembered token may be gone, for example those of a day that was dropped.
    if (now.size <= known.size) return stored + clicks;
    stored += clicks - blocks.block(day, now).clicks;
    known = now;
  }
}

/** Returns how many of the clicks are not stored. */
export async function countMissing(clickHouse: ClickHouse, blocks: ClickBlocks): Promise<number> {
  let missing = 0;
  for (const day of blocks.days) missing += blocks.block(day, await storedIds(clickHouse, blocks, day)).clicks;
  return missing;
}

/**
 * Whether the clicks of the day, and no others of their batches, are stored. Compares digests, because ids are a fifth
 * of what is inserted.
 */
async function holdsThese(clickHouse: ClickHouse, blocks: ClickBlocks, day: number, abort?: AbortSignal): Promise<boolean> {
  const row = await clickHouse.row<{ clicks: string; ids: string }>(
    `SELECT toString(count()) AS clicks, toString(groupBitXor(reinterpretAsUInt64(substring(id, 9, 8)))) AS ids FROM clicks WHERE ${OF_BATCHES}`,
    parametersOf(blocks, day),
    abort,
  );
  const { clicks, ids } = blocks.digest(day);
  return row.clicks === String(clicks) && row.ids === String(ids);
}

/** Returns the ids of the day's clicks that are stored, as `latin1`, and of others from the same batches. */
async function storedIds(clickHouse: ClickHouse, blocks: ClickBlocks, day: number, abort?: AbortSignal): Promise<ReadonlySet<string>> {
  const text = `SELECT hex(id) AS id FROM clicks WHERE ${OF_BATCHES}`;
  const rows = await clickHouse.rows<{ id: string }>(text, parametersOf(blocks, day), abort);
  return new Set(rows.map(({ id }) => Buffer.from(id, 'hex').toString('latin1')));
}

const OF_BATCHES = `occurred_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND occurred_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
       AND batch_id BETWEEN {first:Int64} AND {last:Int64}`;

function parametersOf(blocks: ClickBlocks, day: number) {
  const { first, last } = blocks.batches(day);
  return { from: day * DAY_MS, to: (day + 1) * DAY_MS, first: String(first), last: String(last) };
}
