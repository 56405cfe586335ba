import type { Queryable } from '../db/database.js';
import type { Breakdown, Figure } from './day-count.js';
import { DIMENSION_NAMES } from './dimensions.js';
import { growDayPrefixes } from './top-prefixes.js';

export const FIGURE_COLUMNS = 'environment_number, day, dimension, subject_id, campaign, value, clicks, human, visitors';

/** Object ids of PostgreSQL's types (src/include/catalog/pg_type.dat), which its binary form of an array names. */
const INTEGER_OID = 23;
const TEXT_OID = 25;
const UUID_OID = 2950;
const ARRAY_HEADER_BYTES = 20;

export interface ChangedFigures {
  readonly day: string;
  readonly figures: readonly Figure[];
  /** The prefixes of the day's long lists change with them; otherwise there must be none. */
  readonly growsDayPrefixes: boolean;
}

/** Puts the figures in the place of those of the day that there are. An environment that is gone has none. */
export async function storeFigures(database: Queryable, { day, figures, growsDayPrefixes }: ChangedFigures): Promise<void> {
  if (figures.length === 0) return;
  // Rows go in by the order of their key: half the time of any other.
  await database.query({
    text: `
      WITH stored AS (
        INSERT INTO click_figures (${FIGURE_COLUMNS})
        SELECT environment_number, $2::date, ($1::click_dimension[])[dimension + 1] AS dimension, subject_id, campaign, value, clicks, human, visitors
        FROM unnest($3::integer[], $4::text[], $5::uuid[], $6::integer[], $7::text[], $8::integer[], $9::integer[], $10::integer[])
          AS changed (environment_number, campaign, subject_id, dimension, value, clicks, human, visitors)
        WHERE environment_number IN (SELECT number FROM environments)
        ORDER BY environment_number, dimension, campaign COLLATE "C", subject_id, value COLLATE "C"
        ON CONFLICT (environment_number, dimension, campaign, subject_id, value, day) DO UPDATE
        SET clicks = excluded.clicks, human = excluded.human, visitors = excluded.visitors
        ${growsDayPrefixes ? `RETURNING ${FIGURE_COLUMNS}\n    ), ${growDayPrefixes('stored')}` : ')'}
      SELECT`,
    values: [
      DIMENSION_NAMES,
      day,
      ...keysOf(figures),
      integers(figures.map(({ dimension }) => dimension)),
      texts(
        figures.map(({ value }) => value),
        TEXT_OID,
      ),
      integers(figures.map(({ clicks }) => clicks)),
      integers(figures.map(({ human }) => human)),
      integers(figures.map(({ visitors }) => visitors)),
    ],
  });
}

/** Puts whole breakdowns in the place of those of the day that there are and of their changes, and adds the changes of others. */
export async function storeBreakdowns(database: Queryable, day: string, breakdowns: readonly Breakdown[]): Promise<void> {
  const wholes = breakdowns.filter(({ change }) => change === 0);
  const changes = breakdowns.filter(({ change }) => change > 0);
  if (wholes.length > 0) {
    await database.query({
      text: `
        DELETE FROM click_breakdown_changes AS changed
        USING unnest($2::integer[], $3::text[], $4::uuid[]) AS whole (environment_number, campaign, subject_id)
        WHERE (changed.environment_number, changed.campaign, changed.subject_id, changed.day) = (whole.environment_number, whole.campaign, whole.subject_id, $1::date)`,
      values: [day, ...keysOf(wholes)],
    });
    await database.query({
      text: `
        INSERT INTO click_breakdowns (environment_number, day, campaign, subject_id, figures)
        SELECT environment_number, $1::date, campaign, subject_id, figures
        FROM unnest($2::integer[], $3::text[], $4::uuid[], $5::text[]) AS whole (environment_number, campaign, subject_id, figures)
        WHERE environment_number IN (SELECT number FROM environments)
        ORDER BY environment_number, campaign COLLATE "C", subject_id
        ON CONFLICT (environment_number, campaign, subject_id, day) DO UPDATE SET figures = excluded.figures`,
      values: [day, ...keysOf(wholes), linesOf(wholes)],
    });
  }
  if (changes.length > 0)
    await database.query({
      text: `
        INSERT INTO click_breakdown_changes (environment_number, day, campaign, subject_id, figures, change)
        SELECT environment_number, $1::date, campaign, subject_id, figures, change
        FROM unnest($2::integer[], $3::text[], $4::uuid[], $5::text[], $6::integer[]) AS changed (environment_number, campaign, subject_id, figures, change)
        WHERE environment_number IN (SELECT number FROM environments)
        ORDER BY environment_number, campaign COLLATE "C", subject_id`,
      values: [day, ...keysOf(changes), linesOf(changes), integers(changes.map(({ change }) => change))],
    });
}

/** Environments, campaigns and subjects. */
function keysOf(rows: readonly (Breakdown | Figure)[]): readonly [Buffer, Buffer, Buffer] {
  return [
    integers(rows.map(({ environment_number }) => environment_number)),
    texts(
      rows.map(({ campaign }) => campaign),
      TEXT_OID,
    ),
    texts(
      rows.map(({ subject_id }) => subject_id),
      UUID_OID,
    ),
  ];
}

function linesOf(breakdowns: readonly Breakdown[]): Buffer {
  return texts(
    breakdowns.map(({ figures }) => figures),
    TEXT_OID,
  );
}

/** Numbers as an array in PostgreSQL's binary form: its text form would be made and read again at a microsecond a value. */
function integers(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(ARRAY_HEADER_BYTES + values.length * 8);
  let at = writeHeader(bytes, INTEGER_OID, values.length);
  for (const value of values) {
    bytes.writeInt32BE(4, at);
    bytes.writeInt32BE(value, at + 4);
    at += 8;
  }
  return bytes;
}

function texts(values: readonly (string | Buffer)[], oid: number): Buffer {
  let length = ARRAY_HEADER_BYTES;
  for (const text of values) length += 4 + text.length;
  const bytes = Buffer.allocUnsafe(length);
  let at = writeHeader(bytes, oid, values.length);
  for (const text of values) {
    bytes.writeInt32BE(text.length, at);
    if (typeof text === 'string') bytes.write(text, at + 4, 'latin1');
    else bytes.set(text, at + 4);
    at += 4 + text.length;
  }
  return bytes;
}

/** One dimension, no nulls, the type of the elements, how many there are, the first of them being number 1. */
function writeHeader(bytes: Buffer, oid: number, length: number): number {
  for (const [index, value] of [1, 0, oid, length, 1].entries()) bytes.writeInt32BE(value, index * 4);
  return ARRAY_HEADER_BYTES;
}
