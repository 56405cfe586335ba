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

/** Figures as rows. The values are those of `figureValues`; `$2` is the day. */
export const FIGURE_ROWS = `
  SELECT environment_number, $2::date AS day, ($1::click_dimension[])[dimension + 1] AS dimension, subject_id, campaign COLLATE "C" AS campaign,
    value COLLATE "C" AS value, clicks, human, visitors
  FROM unnest($3::integer[], $4::text[], $5::uuid[], $6::integer[], $7::text[], $8::integer[], $9::integer[], $10::integer[])
    AS changed (environment_number, campaign, subject_id, dimension, value, clicks, human, visitors)
  WHERE environment_number IN (SELECT number FROM environments)`;
export const FIGURE_KEY = 'environment_number, dimension, campaign, subject_id, value';

/** Inserts rows in the order of their key, which takes half the time of any other order. */
const INSERT_FIGURES = `
  INSERT INTO click_figures (${FIGURE_COLUMNS})
  SELECT ${FIGURE_COLUMNS} FROM (${FIGURE_ROWS}) AS figure
  ORDER BY ${FIGURE_KEY}`;

/** Inserts or replaces figures of the day, also in the prefixes of its long lists. Skips figures of environments that no longer exist. */
export async function storeFigures(database: Queryable, day: string, figures: readonly Figure[]): Promise<void> {
  if (figures.length === 0) return;
  await database.query({
    text: `
      WITH stored AS (
        ${INSERT_FIGURES}
        ON CONFLICT (${FIGURE_KEY}, day) DO UPDATE
        SET clicks = excluded.clicks, human = excluded.human, visitors = excluded.visitors
        RETURNING ${FIGURE_COLUMNS}
      ), ${growDayPrefixes('stored')}
      SELECT`,
    values: figureValues(day, figures),
  });
}

/** Stores the figures of a day that has none yet. Skips figures of environments that no longer exist. */
export async function insertFigures(database: Queryable, day: string, figures: readonly Figure[]): Promise<void> {
  await database.query({ text: INSERT_FIGURES, values: figureValues(day, figures) });
}

export function figureValues(day: string, figures: readonly Figure[]): readonly unknown[] {
  return [
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
  ];
}

/** Inserts whole breakdowns, or replaces those stored of the day together with their changes; adds the changes of other breakdowns. */
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

/** Arrays of the environments, campaigns and subjects of the rows. */
export function keysOf(rows: readonly (Breakdown | Figure)[]): readonly [Buffer, Buffer, Buffer] {
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

export function linesOf(breakdowns: readonly Breakdown[]): Buffer {
  return texts(
    breakdowns.map(({ figures }) => figures),
    TEXT_OID,
  );
}

/** Encodes numbers as an array in PostgreSQL's binary format. Writing and parsing the text format would cost a microsecond per value. */
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

/** Writes the header of an array: one dimension, no nulls, the element type, the number of elements, and 1 as the first index. */
function writeHeader(bytes: Buffer, oid: number, length: number): number {
  for (const [index, value] of [1, 0, oid, length, 1].entries()) bytes.writeInt32BE(value, index * 4);
  return ARRAY_HEADER_BYTES;
}
