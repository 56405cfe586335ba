import { CopiedRows } from '../../db/copied-rows.js';
import type { Queryable, Snapshot } from '../../db/database.js';
import { type Column, type ColumnField, packCodes, unpackCodes, widthOf } from '../columns/column.js';
import type { Columns } from '../columns/column-count.js';
import { packDictionary, unpackDictionary } from '../columns/dictionary.js';
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

/** The columns of a part, which are valid until the next one. */
type TakePart = (columns: Columns, day: string, part: number) => void;

interface ColumnsWanted {
  readonly environment_number: number;
  readonly days: readonly string[];
  /** The part, from 0; otherwise all parts. */
  readonly part?: number;
  readonly fields: readonly ColumnField[];
}

/**
 * Reads columns of the days, and passes on those of each part. A COPY sends bytes as they are. A query would send them as text, which takes ten
 * times as long.
 */
export async function readColumns(snapshot: Snapshot, wanted: ColumnsWanted, take: TakePart): Promise<void> {
  const { environment_number, days, part: only, fields } = wanted;
  const parts = new PartReader(take);
  const rows = new CopiedRows((bytes, from) => parts.add(bytes, from));
  const copy = `
    COPY (
      SELECT stored.day::text, part - first_part, stored.clicks, has_null, bits, field, dictionary, codes
      FROM click_columns AS stored
      JOIN click_column_days AS made USING (environment_number, day)
      WHERE environment_number = ${environment_number} AND day = ANY (${sqlTexts(days)}::date[]) AND field = ANY (${sqlTexts(fields)})
        AND ${only === undefined ? 'part >= first_part AND part < first_part + parts' : `part = first_part + ${only}`}
      ORDER BY stored.day, part
    ) TO STDOUT WITH (FORMAT binary)`;
  await snapshot.copyOut(copy, (chunk) => {
    rows.read(chunk);
    return undefined;
  });
  parts.end();
}

/** Words without special characters as an array, because COPY takes no parameters. */
function sqlTexts(words: readonly string[]): string {
  return `'{${words.join(',')}}'::text[]`;
}

/** Collects the columns of a part from rows of `readColumns`. Each field of a row is preceded by its length in four bytes. */
class PartReader {
  readonly #take: TakePart;
  /** Codes of a field, which are overwritten by those of the next part: new memory for each part would take longer to get than to fill. */
  readonly #codes = new Map<string, Uint32Array>();
  #columns = new Map<ColumnField, Column>();
  #day = '';
  #part = -1;

  constructor(take: TakePart) {
    this.#take = take;
  }

  add(bytes: Buffer, from: number): void {
    const day = bytesAfter(bytes, from + 2);
    const part = bytes.readInt32BE(day.end + 4);
    const shown = day.bytes.toString();
    if (shown !== this.#day || part !== this.#part) this.end();
    this.#day = shown;
    this.#part = part;
    const clicks = bytes.readInt32BE(day.end + 12);
    const hasNull = bytes[day.end + 20] === 1;
    const bits = bytes.readInt16BE(day.end + 25);
    const field = bytesAfter(bytes, day.end + 27);
    const dictionary = bytesAfter(bytes, field.end);
    const packed = bytesAfter(bytes, dictionary.end);
    const name = field.bytes.toString() as ColumnField;
    const codes = this.#codesOf(name, clicks);
    unpackCodes(packed.bytes, bits, codes);
    this.#columns.set(name, { dictionary: unpackDictionary(dictionary.bytes, hasNull), codes });
  }

  /** Passes on the part whose rows have all been added. */
  end(): void {
    if (this.#columns.size === 0) return;
    this.#take(this.#columns, this.#day, this.#part);
    this.#columns = new Map();
  }

  #codesOf(field: string, clicks: number): Uint32Array {
    const known = this.#codes.get(field);
    if (known !== undefined && known.length >= clicks) return known.subarray(0, clicks);
    const codes = new Uint32Array(clicks);
    this.#codes.set(field, codes);
    return codes;
  }
}

/** The bytes of the field whose length is at the place. */
function bytesAfter(bytes: Buffer, at: number): { readonly bytes: Buffer; readonly end: number } {
  const end = at + 4 + bytes.readInt32BE(at);
  return { bytes: bytes.subarray(at + 4, end), end };
}
