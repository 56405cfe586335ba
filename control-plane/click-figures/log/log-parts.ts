import type { ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import { CopiedRows, sqlInstant, sqlIntegers } from '../../db/copied-rows.js';
import type { Snapshot } from '../../db/database.js';
import type { LogRange } from '../click-groups.js';
import { PartBuilder } from '../columns/part-builder.js';
import { type ClickCounts, NO_CLICKS } from '../counts.js';
import { columnSql } from './count-groups.js';
import { readWaitingBatches } from './waiting.js';

/** The clicks of a part, about. They take some 50 MB while all columns are made of them, and a call counts them in some milliseconds. */
export const PART_CLICKS = 250_000;

/**
 * A day with more clicks in a part has no columns, because they could fill the memory. The clicks of a visitor are in one part, however many
 * they are. A million take some 250 MB while all columns are made of them.
 */
export const PART_CLICKS_MAX = 4 * PART_CLICKS;

interface LogPartsWanted {
  readonly range: LogRange;
  /** The number of parts into which the visitors of the range are divided. */
  readonly parts: number;
  readonly fields: readonly ClickFilter[];
  readonly textBytesMax?: number | undefined;
}

interface PartWanted extends LogPartsWanted {
  /** The part, from 0. */
  readonly part: number;
  /** Clicks of later batches are left out; null if there are none. */
  readonly lastBatch: string | null;
  readonly clicksMax: number;
}

/** Reads the counted clicks of one part of the range, to make columns of them. Returns null if they are too many. */
export async function readLogPart(snapshot: Snapshot, wanted: PartWanted): Promise<PartBuilder | null> {
  const { part, parts, fields, textBytesMax, lastBatch, clicksMax } = wanted;
  const builder = new PartBuilder(fields, textBytesMax);
  const where = [
    ...(parts === 1 ? [] : [`visitor_hash BETWEEN '${firstVisitor(part, parts)}' AND '${firstVisitor(part + 1, parts) - 1n}'`]),
    ...(lastBatch === null ? [] : [`batch_id <= ${BigInt(lastBatch)}`]),
  ];
  await copyClicks(snapshot, { ...wanted, limit: clicksMax + 1 }, where, (bytes, from) => builder.add(bytes, from));
  return builder.counts.all > clicksMax ? null : builder;
}

interface LaterWanted extends LogPartsWanted {
  /** Only clicks of later batches are read. */
  readonly after: string;
  /** Clicks of batches that are later than this one are left out. */
  readonly lastBatch?: string;
}

/** Reads the counted clicks of the range that are in later batches. Returns all parts. */
export async function readLaterParts(snapshot: Snapshot, wanted: LaterWanted): Promise<readonly PartBuilder[]> {
  const { parts, fields, textBytesMax, after, lastBatch } = wanted;
  const builders = Array.from({ length: parts }, () => new PartBuilder(fields, textBytesMax));
  const where = [`batch_id > ${BigInt(after)}`, ...(lastBatch === undefined ? [] : [`batch_id <= ${BigInt(lastBatch)}`])];
  await withBatchIndex(snapshot, () =>
    copyClicks(snapshot, wanted, where, (bytes, from) =>
      (builders[partOf(bytes.readInt32BE(from + 6), parts)] as PartBuilder).add(bytes, from),
    ),
  );
  return builders;
}

/** Counts the counted clicks of the range that are in batches after this one. */
export async function countLaterClicks(snapshot: Snapshot, range: LogRange, after: string): Promise<ClickCounts> {
  const waiting = await readWaitingBatches(snapshot, range.environment_number);
  const { rows } = await withBatchIndex(snapshot, () =>
    snapshot.query<ClickCounts>({
      text: `SELECT count(*)::float8 AS "all", count(*) FILTER (WHERE NOT bot)::float8 AS human, 0::float8 AS "unique" FROM clicks
             WHERE occurred_at >= $1 AND occurred_at < $2 AND environment_number = $3 AND batch_id > $4 AND batch_id <> ALL ($5::bigint[])`,
      values: [range.from, range.to, range.environment_number, after, waiting],
    }),
  );
  return rows[0] ?? NO_CLICKS;
}

/** Lets PostgreSQL find clicks by the index of batches, even if it knows nothing yet of a partition that is new. */
async function withBatchIndex<Result>(snapshot: Snapshot, read: () => Promise<Result>): Promise<Result> {
  const plan = (setting: 'on' | 'off') =>
    snapshot.query({ name: `seqscan_${setting}`, text: `SELECT set_config('enable_seqscan', '${setting}', true)`, values: [] });
  await plan('off');
  const result = await read();
  await plan('on');
  return result;
}

/** Reads rows as `PartBuilder.add` takes them. */
async function copyClicks(
  snapshot: Snapshot,
  { range, fields, limit = null }: LogPartsWanted & { readonly limit?: number | null },
  where: readonly string[],
  take: (bytes: Buffer, from: number) => void,
): Promise<void> {
  const rows = new CopiedRows(take);
  const texts = fields.map((field) => `, (${columnSql(field)})::text`).join('');
  const waiting = await readWaitingBatches(snapshot, range.environment_number);
  const conditions = [
    `occurred_at >= ${sqlInstant(range.from)} AND occurred_at < ${sqlInstant(range.to)}`,
    `environment_number = ${range.environment_number}`,
    ...(waiting.length === 0 ? [] : [`batch_id <> ALL (${sqlIntegers(waiting, 'bigint')})`]),
    ...where,
  ];
  const selected = `SELECT visitor_hash, bot, occurred_at${texts} FROM clicks WHERE ${conditions.join(' AND ')} LIMIT ${limit}`;
  await snapshot.copyOut(`COPY (${selected}) TO STDOUT WITH (FORMAT binary)`, (chunk) => {
    rows.read(chunk);
    return undefined;
  });
}

/** The number of values that the high half of a hash may have. The hashes are spread evenly over all values of `bigint`. */
const HIGH_HALVES = 2 ** 32;

/** The lowest hash of a visitor of the part. */
function firstVisitor(part: number, parts: number): bigint {
  return BigInt(Math.ceil((HIGH_HALVES * part) / parts) - HIGH_HALVES / 2) * BigInt(HIGH_HALVES);
}

/** The part of the visitor whose hash has this high half, as a signed number. */
function partOf(high: number, parts: number): number {
  return Math.floor(((high + HIGH_HALVES / 2) * parts) / HIGH_HALVES);
}
