import type { ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import { CopiedRows, sqlInstant, sqlIntegers } from '../../db/copied-rows.js';
import type { Snapshot } from '../../db/database.js';
import type { LogRange } from '../click-groups.js';
import { PartBuilder } from '../columns/part-builder.js';
import { columnSql } from './count-groups.js';
import { readWaitingBatches } from './waiting.js';

/** The clicks of a part, about. They take some 50 MB while all columns are made of them, and a call counts them in some milliseconds. */
export const PART_CLICKS = 250_000;

interface PartWanted {
  readonly range: LogRange;
  /** The part, from 0, of how many. */
  readonly part: number;
  readonly parts: number;
  readonly fields: readonly ClickFilter[];
  readonly textBytesMax?: number | undefined;
}

/** Reads the counted clicks of the range, or those of one part of its visitors, to make columns of them. */
export async function readLogPart(snapshot: Snapshot, { range, part, parts, fields, textBytesMax }: PartWanted): Promise<PartBuilder> {
  const builder = new PartBuilder(fields, textBytesMax);
  const rows = new CopiedRows((bytes, from) => builder.add(bytes, from));
  const texts = fields.map((field) => `, (${columnSql(field)})::text`).join('');
  const waiting = await readWaitingBatches(snapshot, range.environment_number);
  const copy = `
    COPY (
      SELECT visitor_hash, bot, occurred_at${texts} FROM clicks
      WHERE occurred_at >= ${sqlInstant(range.from)} AND occurred_at < ${sqlInstant(range.to)}
        AND environment_number = ${range.environment_number}
        AND visitor_hash BETWEEN '${firstVisitor(part, parts)}' AND '${firstVisitor(part + 1, parts) - 1n}'
        AND batch_id <> ALL (${sqlIntegers(waiting, 'bigint')})
    ) TO STDOUT WITH (FORMAT binary)`;
  await snapshot.copyOut(copy, (chunk) => {
    rows.read(chunk);
    return undefined;
  });
  return builder;
}

/** The lowest hash of a visitor of the part. The hashes are spread evenly over all values of `bigint`. */
function firstVisitor(part: number, parts: number): bigint {
  return -(2n ** 63n) + (2n ** 64n * BigInt(part)) / BigInt(parts);
}
