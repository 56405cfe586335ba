import { CLICK_TABLE_COLUMNS } from '../../../shared/clickhouse/click-table.js';
import type { ClickHouse } from '../../../shared/clickhouse/connection.js';
import { ClickBlocks } from '../../../shared/clickhouse/row-binary.js';
import { countMissing, storeBlocks } from '../../../shared/clickhouse/store-blocks.js';
import { CopiedRows, sqlInstant } from '../../db/copied-rows.js';
import type { Database } from '../../db/database.js';
import { allowPauses } from '../../db/pauses.js';
import type { Span } from '../../local-days/span.js';
import type { CopiedDay } from '../click-store.js';
import { beginChange, endChange } from './summed-days.js';

/** Number of clicks of one insertion, about 30 MB. */
const PIECE_CLICKS = 100_000;

/**
 * Copies PostgreSQL's clicks of a day into ClickHouse, in the order in which they were stored. Leaves out clicks whose ids are there
 * already, so that a copy that was stopped can be started again. After storing each piece, checks that its clicks can be found.
 */
export async function copyDay(clickHouse: ClickHouse, database: Database, day: Span): Promise<CopiedDay> {
  const changed = { span: day, environmentNumber: null };
  await beginChange(database, changed);
  const copied = await copyClicks(clickHouse, database, day);
  // If another copy is in progress, it ends the change when it is done.
  if (copied !== 'busy') await endChange(database, changed);
  return copied;
}

function copyClicks(clickHouse: ClickHouse, database: Database, { from, to }: Span): Promise<CopiedDay> {
  return database.transaction(async (transaction) => {
    // The transaction is idle while it waits for ClickHouse.
    await allowPauses(transaction);
    const { rows: locks } = await transaction.query<{ locked: boolean }>({
      text: `SELECT pg_try_advisory_xact_lock(hashtextextended('copy of clicks', 0)) AS locked`,
      values: [],
    });
    if (locks[0]?.locked !== true) return 'busy';
    const copied = { clicks: 0, copied: 0, missing: 0 };
    let blocks = new ClickBlocks();
    let waiting = 0;
    const store = async (): Promise<void> => {
      const name = `copy/${blocks.days.map((day) => blocks.batches(day).first).join('/')}/${copied.clicks}/${waiting}`;
      copied.copied += await storeBlocks(clickHouse, blocks, { name, again: true });
      copied.missing += await countMissing(clickHouse, blocks);
      copied.clicks += waiting;
      waiting = 0;
      blocks = new ClickBlocks();
    };
    const rows = new CopiedRows((bytes, start, end) => {
      blocks.add(bytes.subarray(start, end));
      waiting++;
    });
    await transaction.copyOut(
      `COPY (SELECT ${CLICK_TABLE_COLUMNS} FROM clicks WHERE occurred_at >= ${sqlInstant(from)} AND occurred_at < ${sqlInstant(to)})
       TO STDOUT WITH (FORMAT binary)`,
      (chunk) => {
        rows.read(chunk);
        return waiting >= PIECE_CLICKS ? store() : undefined;
      },
    );
    if (waiting > 0) await store();
    return copied;
  });
}
