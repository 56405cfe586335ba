import type { ClickFilter } from '../../../shared/contract/schemas/clicks-query.js';
import { CopiedRows } from '../../db/copied-rows.js';
import type { Queryable, Snapshot } from '../../db/database.js';
import { daysOf, type StatsWindow } from '../../local-days/window.js';
import { type Column, type ColumnField, unpackCodes } from '../columns/column.js';
import type { Columns } from '../columns/column-count.js';
import { unpackDictionary } from '../columns/dictionary.js';
import type { StoredGroup } from '../columns/field-groups.js';
import { hasFigures } from '../kept-days.js';

/** A day whose clicks can be counted from columns (prepared/day-columns.ts). A day without clicks has no parts. */
export interface ColumnDay {
  readonly parts: number;
  readonly clicks: number;
  /** The groups that are asked for, if they are stored. */
  readonly groups: readonly StoredGroup[] | null;
}

/** Groups of all clicks by a field, or only the one without a value. */
export interface DayGroupsWanted {
  readonly field: ClickFilter;
  readonly nullOnly: boolean;
}

/** Returns the days of the window that have columns of the fields, or no clicks. */
export async function readColumnDays(
  snapshot: Queryable,
  window: StatsWindow,
  fields: readonly ColumnField[],
  nowMs: number,
  groups: DayGroupsWanted | null = null,
): Promise<ReadonlyMap<string, ColumnDay>> {
  const days = daysOf(window).filter((day) => hasFigures(day, nowMs));
  if (days.length === 0) return new Map();
  const { rows } = await snapshot.query<ColumnDay & { readonly day: string }>({
    text: `
      SELECT asked.day::text, coalesce(made.parts, 0) AS parts, coalesce(made.clicks, 0)::float8 AS clicks, stored.groups
      FROM unnest($2::date[]) AS asked (day)
      LEFT JOIN (
        SELECT day, clicks, human, visitors FROM click_figures WHERE environment_number = $1 AND dimension = 'total' AND day = ANY ($2::date[])
      ) AS total USING (day)
      LEFT JOIN click_column_days AS made ON made.environment_number = $1 AND made.day = asked.day AND made.fields @> $3::text[]
        AND (made.clicks, made.human, made.visitors) = (total.clicks, total.human, total.visitors)
      LEFT JOIN click_day_groups AS stored ON (stored.environment_number, stored.day) = (made.environment_number, made.day)
        AND stored.field = $4 AND (stored.is_whole OR $5)
      WHERE total.day IS NULL OR made.day IS NOT NULL`,
    values: [window.environment_number, days, fields, groups?.field ?? null, groups?.nullOnly ?? false],
  });
  return new Map(rows.map(({ day, ...kept }) => [day, kept]));
}

interface ColumnsWanted {
  readonly environment_number: number;
  readonly days: readonly string[];
  readonly fields: readonly ColumnField[];
}

/**
 * Reads columns of the days, and passes on those of each part; they are valid until the next part. A COPY sends bytes as they are. A query
 * would send them as text, which takes ten times as long.
 */
export async function readColumns(
  snapshot: Snapshot,
  { environment_number, days, fields }: ColumnsWanted,
  take: (columns: Columns) => void,
): Promise<void> {
  const parts = new PartReader(take);
  const rows = new CopiedRows((bytes, from) => parts.add(bytes, from));
  const copy = `
    COPY (
      SELECT day, part, clicks, has_null, bits, field, dictionary, codes FROM click_columns
      WHERE environment_number = ${environment_number} AND day = ANY (${sqlTexts(days)}::date[]) AND field = ANY (${sqlTexts(fields)})
      ORDER BY day, part
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
  readonly #take: (columns: Columns) => void;
  /** Codes of a field, which are overwritten by those of the next part: new memory for each part would take longer to get than to fill. */
  readonly #codes = new Map<string, Uint32Array>();
  #columns = new Map<ColumnField, Column>();
  #day = 0;
  #part = -1;

  constructor(take: (columns: Columns) => void) {
    this.#take = take;
  }

  add(bytes: Buffer, from: number): void {
    const day = bytes.readInt32BE(from + 6);
    const part = bytes.readInt32BE(from + 14);
    if (day !== this.#day || part !== this.#part) this.end();
    this.#day = day;
    this.#part = part;
    const clicks = bytes.readInt32BE(from + 22);
    const hasNull = bytes[from + 30] === 1;
    const bits = bytes.readInt16BE(from + 35);
    const field = bytesAfter(bytes, from + 37);
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
    this.#take(this.#columns);
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
