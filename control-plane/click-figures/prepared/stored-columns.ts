import { CopiedRows } from '../../db/copied-rows.js';
import type { Queryable, Snapshot } from '../../db/database.js';
import { type ColumnField, packCodes, widthOf } from '../columns/column.js';
import type { Columns } from '../columns/column-count.js';
import { packDictionary } from '../columns/dictionary.js';
import { PartReader, type TakePart } from '../columns/part-reader.js';
import type { EnvironmentDay } from '../kept-days.js';

/** Rows of `click_columns`: a field of the clicks of a part each. */

/** Stores the columns of a part of the day, under the number by which no other part of it is stored. */
export async function storeColumns(transaction: Queryable, day: EnvironmentDay, part: number, columns: Columns): Promise<void> {
  for (const [field, { dictionary, codes }] of columns) {
    const bits = widthOf(dictionary.size);
    const packed = [packDictionary(dictionary), dictionary.hasNull, bits, packCodes(codes, bits)];
    await transaction.query({
      name: 'store_column',
      text: `INSERT INTO click_columns (environment_number, day, field, part, clicks, dictionary, has_null, bits, codes)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [day.environment_number, day.day, field, part, codes.length, ...packed],
    });
  }
}

export interface ColumnsWanted {
  readonly environment_number: number;
  readonly days: readonly string[];
  /** The part, from 0; otherwise all parts. */
  readonly part?: number;
  readonly fields: readonly ColumnField[];
}

/** Reads columns of the days, and passes on those of each part. */
export async function readColumns(snapshot: Snapshot, wanted: ColumnsWanted, take: TakePart): Promise<void> {
  const parts = new PartReader(take);
  await copyColumns(snapshot, wanted, (bytes, from) => void parts.add(bytes, from));
  parts.end();
}

/**
 * Reads columns of the days as rows for a `PartReader`. A COPY sends bytes as they are. A query would send them as text, which takes ten times as
 * long. If `rest` returns a promise, no more is read before it resolves.
 */
export async function copyColumns(
  snapshot: Snapshot,
  { environment_number, days, part, fields }: ColumnsWanted,
  take: (bytes: Buffer, from: number, end: number) => void,
  rest: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  const rows = new CopiedRows(take);
  const copy = `
    COPY (
      SELECT stored.day::text, part - first_part, stored.clicks, has_null, bits, field, dictionary, codes
      FROM click_columns AS stored
      JOIN click_column_days AS made USING (environment_number, day)
      WHERE environment_number = ${environment_number} AND day = ANY (${sqlTexts(days)}::date[]) AND field = ANY (${sqlTexts(fields)})
        AND ${part === undefined ? 'part >= first_part AND part < first_part + parts' : `part = first_part + ${part}`}
      ORDER BY stored.day, part
    ) TO STDOUT WITH (FORMAT binary)`;
  await snapshot.copyOut(copy, (chunk) => {
    rows.read(chunk);
    return rest();
  });
}

/** Words without special characters as an array, because COPY takes no parameters. */
function sqlTexts(words: readonly string[]): string {
  return `'{${words.join(',')}}'::text[]`;
}
