import { dayBefore } from '../../../shared/base/day-ranges.js';
import type { ClickHouse } from '../../../shared/clickhouse/connection.js';
import type { Reclassification, ReclassifiedDay } from '../../clicks/reclassify.js';
import type { Database, Queryable } from '../../db/database.js';
import { dayParts, type Span } from '../../local-days/span.js';
import { uuidOf, Values } from './sql.js';
import { beginChange, deleteDaysOf, deleteOldDays, endChange } from './summed-days.js';

/** Changes and deletes clicks by mutations. A statement returns only after its mutation has finished. */

/** Counts what `markClicks` would mark, day by day. */
export async function countSelected(clickHouse: ClickHouse, wanted: Reclassification): Promise<readonly ReclassifiedDay[]> {
  const days: ReclassifiedDay[] = [];
  for (const part of dayParts(wanted.span)) {
    const day = { day: part.day, ...(await countPart(clickHouse, wanted, part)) };
    if (day.clicks > 0) days.push(day);
  }
  return days;
}

/** Marks clicks as made by a program. Matches to apps are deleted first, so that a run that is stopped in between can be repeated. */
export async function* markClicks(clickHouse: ClickHouse, database: Database, wanted: Reclassification): AsyncGenerator<ReclassifiedDay> {
  for (const part of dayParts(wanted.span)) {
    const counted = await countPart(clickHouse, wanted, part);
    const changed = { span: part, environmentNumber: wanted.environmentNumber };
    if (counted.clicks > 0) {
      await beginChange(database, changed);
      await unmatch(clickHouse, database, wanted, part);
      const values = new Values();
      const reason = values.add('String', wanted.botReason);
      // Without a partition, a mutation would go through the parts of all days.
      const day = values.add('String', part.day.replaceAll('-', ''));
      await clickHouse.run(
        `ALTER TABLE clicks UPDATE bot = true, bot_reason = ${reason} IN PARTITION ${day} WHERE ${selectorSql(wanted, part, values)}`,
        values.values,
      );
    }
    // Even if nothing was left to mark: an earlier run may have stopped just before this call.
    await endChange(database, changed);
    yield { day: part.day, ...counted };
  }
}

function selectorSql({ selector, environmentNumber }: Reclassification, { from, to }: Span, values: Values): string {
  return [
    `occurred_at >= ${values.addTime(from)} AND occurred_at < ${values.addTime(to)} AND NOT bot`,
    ...(environmentNumber === null ? [] : [`environment_number = ${values.add('Int32', environmentNumber)}`]),
    selector.by === 'user_agent'
      ? `user_agent_hash IN ${values.addNumbers(selector.hashes.map(BigInt))}`
      : `address_hash IS NOT NULL AND reinterpretAsInt64(assumeNotNull(address_hash)) IN ${values.addNumbers(
          selector.hashes.map((hash) => hash.readBigInt64LE()),
        )}`,
  ].join(' AND ');
}

/** Counts the clicks of the part that are to be marked. */
async function countPart(clickHouse: ClickHouse, wanted: Reclassification, part: Span): Promise<Omit<ReclassifiedDay, 'day'>> {
  const values = new Values();
  const counted = await clickHouse.row<{ marked: string; visitors: string }>(
    `SELECT count() AS marked, uniqExact(visitor_hash) AS visitors FROM clicks WHERE ${selectorSql(wanted, part, values)}`,
    values.values,
  );
  return { clicks: Number(counted.marked), visitors: Number(counted.visitors) };
}

/** Number of clicks whose ids are read at once. */
const PAGE_CLICKS = 20_000;

/** Deletes what apps would be matched by, so that they are no longer matched to the clicks. */
async function unmatch(clickHouse: ClickHouse, database: Database, wanted: Reclassification, part: Span): Promise<void> {
  for (let last = '', more = true; more; ) {
    const values = new Values();
    const where = selectorSql(wanted, part, values);
    const rows: readonly { digits: string }[] = await clickHouse.rows(
      `SELECT hex(id) AS digits FROM clicks WHERE ${where} AND digits > ${values.add('String', last)}
       ORDER BY digits LIMIT ${values.add('UInt64', PAGE_CLICKS)}`,
      values.values,
    );
    await database.query({
      text: `WITH marked AS MATERIALIZED (SELECT unnest($1::uuid[]) AS id),
             unmatched AS (
               DELETE FROM open_clicks AS candidate USING marked
               WHERE candidate.id = marked.id AND candidate.occurred_at >= $2 AND candidate.occurred_at < $3
             )
             DELETE FROM click_devices AS device USING marked
             WHERE device.click_id = marked.id AND device.occurred_at >= $2 AND device.occurred_at < $3`,
      values: [rows.map(({ digits }) => uuidOf(digits)), part.from, part.to],
    });
    last = rows.at(-1)?.digits ?? last;
    more = rows.length === PAGE_CLICKS;
  }
}

/** Drops the days (UTC) that are more than `daysKept` days old. First makes sure that sums of days that overlap them are no longer read. */
export async function dropOldDays(clickHouse: ClickHouse, database: Queryable, daysKept: number, nowMs: number): Promise<void> {
  const first = dayBefore(nowMs, daysKept);
  await deleteOldDays(database, new Date(first));
  await dropPartitions(clickHouse, 'clicks', first.replaceAll('-', ''));
  await dropPartitions(clickHouse, 'click_sums', first.slice(0, 7).replace('-', ''));
}

/** Without this a server refuses to drop a partition of more than 50 GB, and a busy day has more. */
const DROP_ANY_SIZE = { max_partition_size_to_drop: '0' } as const;

async function dropPartitions(clickHouse: ClickHouse, table: 'clicks' | 'click_sums', first: string): Promise<void> {
  const old = await clickHouse.rows<{ partition: string }>(
    `SELECT DISTINCT partition FROM system.parts
     WHERE active AND database = currentDatabase() AND table = {table:String} AND partition < {first:String} ORDER BY partition`,
    { table, first },
  );
  for (const { partition } of old)
    await clickHouse.run(`ALTER TABLE ${table} DROP PARTITION {partition:String}`, { partition }, DROP_ANY_SIZE);
}

/** Deletes the environment's clicks and sums. Returns how many clicks there were. */
export async function eraseEnvironment(clickHouse: ClickHouse, database: Queryable, environmentNumber: number): Promise<number> {
  const values = { environment: environmentNumber };
  const counted = await clickHouse.row<{ erased: string }>(
    'SELECT count() AS erased FROM clicks WHERE environment_number = {environment:Int32}',
    values,
  );
  const erased = Number(counted.erased);
  if (erased > 0) await clickHouse.run('ALTER TABLE clicks DELETE WHERE environment_number = {environment:Int32}', values);
  // A count in progress may have read these clicks. When it ends, its row is gone, so its sums are never read.
  await deleteDaysOf(database, environmentNumber);
  await clickHouse.run('ALTER TABLE click_sums DELETE WHERE environment_number = {environment:Int32}', values);
  return erased;
}
