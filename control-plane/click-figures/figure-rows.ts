import type { Queryable } from '../db/database.js';
import type { Figure } from './day-count.js';
import { DIMENSION_NAMES } from './dimensions.js';
import { growDayPrefixes } from './top-prefixes.js';

export const FIGURE_COLUMNS = 'environment_number, day, dimension, subject_id, campaign, value, clicks, human, visitors';

/** Object ids of PostgreSQL's types (src/include/catalog/pg_type.dat), which its binary form of an array names. */
const INTEGER_OID = 23;
const TEXT_OID = 25;
const UUID_OID = 2950;
const ARRAY_HEADER_BYTES = 20;

/** Adds the figures to those of the day, and where `growsDayPrefixes` to the prefixes of its long lists, which otherwise must not exist. An environment that is gone has none. */
export async function addFigures(database: Queryable, day: string, figures: readonly Figure[], growsDayPrefixes: boolean): Promise<void> {
  if (figures.length === 0) return;
  // Rows go in by the order of their key: half the time of any other.
  await database.query({
    text: `
      WITH added AS (
        INSERT INTO click_figures AS figure (${FIGURE_COLUMNS})
        SELECT environment_number, $2::date, ($1::click_dimension[])[dimension + 1] AS dimension, subject_id, campaign, value, clicks, human, visitors
        FROM unnest($3::integer[], $4::integer[], $5::uuid[], $6::text[], $7::text[], $8::integer[], $9::integer[], $10::integer[])
          AS grown (environment_number, dimension, subject_id, campaign, value, clicks, human, visitors)
        WHERE environment_number IN (SELECT number FROM environments)
        ORDER BY environment_number, dimension, campaign COLLATE "C", subject_id, value COLLATE "C"
        ON CONFLICT (environment_number, dimension, campaign, subject_id, value, day) DO UPDATE
        SET clicks = figure.clicks + excluded.clicks, human = figure.human + excluded.human, visitors = figure.visitors + excluded.visitors
        ${growsDayPrefixes ? `RETURNING ${FIGURE_COLUMNS}\n    ), ${growDayPrefixes('added')}` : ')'}
      SELECT`,
    values: [
      DIMENSION_NAMES,
      day,
      integers(figures, 'environment_number'),
      integers(figures, 'dimension'),
      texts(figures, 'subject_id', UUID_OID),
      texts(figures, 'campaign', TEXT_OID),
      texts(figures, 'value', TEXT_OID),
      integers(figures, 'clicks'),
      integers(figures, 'human'),
      integers(figures, 'visitors'),
    ],
  });
}

/** A column as an array in PostgreSQL's binary form: its text form would be made and read again at a microsecond a value. */
function integers(figures: readonly Figure[], column: 'environment_number' | 'dimension' | 'clicks' | 'human' | 'visitors'): Buffer {
  const bytes = Buffer.allocUnsafe(ARRAY_HEADER_BYTES + figures.length * 8);
  let at = writeHeader(bytes, INTEGER_OID, figures.length);
  for (const figure of figures) {
    bytes.writeInt32BE(4, at);
    bytes.writeInt32BE(figure[column], at + 4);
    at += 8;
  }
  return bytes;
}

function texts(figures: readonly Figure[], column: 'subject_id' | 'campaign' | 'value', oid: number): Buffer {
  let length = ARRAY_HEADER_BYTES;
  for (const figure of figures) length += 4 + figure[column].length;
  const bytes = Buffer.allocUnsafe(length);
  let at = writeHeader(bytes, oid, figures.length);
  for (const figure of figures) {
    const text = figure[column];
    bytes.writeInt32BE(text.length, at);
    bytes.write(text, at + 4, 'latin1');
    at += 4 + text.length;
  }
  return bytes;
}

/** One dimension, no nulls, the type of the elements, how many there are, the first of them being number 1. */
function writeHeader(bytes: Buffer, oid: number, length: number): number {
  for (const [index, value] of [1, 0, oid, length, 1].entries()) bytes.writeInt32BE(value, index * 4);
  return ARRAY_HEADER_BYTES;
}
