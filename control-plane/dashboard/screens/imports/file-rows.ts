import { parse } from 'csv-parse/browser/esm/sync';
import {
  CSV_HEAD_BYTES_MAX,
  CsvLines,
  columnNames,
  csvDialect,
  isBlankRow,
  isCompressed,
  isJsonArray,
  isNdjson,
} from '../../../../shared/base/csv-dialect.js';
import { hasInexactIntegers } from '../../../../shared/base/exact-numbers.js';
import { message } from '../../language/text.js';
import { FileFault } from './file-fault.js';

/** A file of links, in rows as the API takes them. */
export interface FileRows {
  readonly format: 'csv' | 'ndjson';
  /** Empty for NDJSON. */
  readonly columns: readonly string[];
  readonly rows: readonly unknown[];
}

/** Decodes the text of a file. Throws `FileFault` if it is not UTF-8, because its letters would be decoded wrongly. */
export function textOfBytes(bytes: Uint8Array): string {
  if (isCompressed(bytes))
    throw new FileFault(message('The file is compressed, or a spreadsheet. Unpack it, or save it as CSV, and choose that file.'));
  // ASCII text in UTF-16 without a byte order mark is valid UTF-8 as well, with a NUL beside each letter.
  if (bytes.subarray(0, CSV_HEAD_BYTES_MAX).includes(0)) throw notUtf8();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw error instanceof TypeError ? notUtf8() : error;
  }
}

function notUtf8(): FileFault {
  return new FileFault(message('The file is not UTF-8 text. Save it as UTF-8 and choose it again.'));
}

/**
 * Reads a whole file. It takes some tenths of a second for 50,000 links, so it must not run in the page's own thread. Throws `FileFault`.
 */
export function rowsOfText(text: string): FileRows {
  const beginning = text.slice(0, CSV_HEAD_BYTES_MAX);
  if (isJsonArray(beginning))
    throw new FileFault(message('The file is a JSON array. Save it as CSV, or write one object per line, and choose that file.'));
  const read = isNdjson(beginning) ? ndjsonRows(text) : csvRows(text, beginning);
  if (read.rows.length === 0) throw new FileFault(message('The file has no links.'));
  return read;
}

function csvRows(text: string, beginning: string): FileRows {
  const [head, ...rows] = parsed(text, beginning);
  if (head === undefined) throw new FileFault(message('The file is empty.'));
  const columns = columnNames(head);
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
  if (twice !== undefined) throw new FileFault(message('The column "{column}" is in the file twice.'), { column: twice });
  return { format: 'csv', columns, rows };
}

function parsed(text: string, beginning: string): string[][] {
  const lines = new CsvLines();
  try {
    return (parse(text, { ...csvDialect(beginning), on_record: lines.on_record }) as string[][]).filter((cells) => !isBlankRow(cells));
  } catch (error) {
    throw notCsv(lines.of(error)?.line);
  }
}

/** The parser's message is in English, but the line number can be used in any language. */
function notCsv(line: number | undefined): FileFault {
  return line === undefined
    ? new FileFault(message('The file is not CSV.'))
    : new FileFault(message('The file is not CSV: see line {line}.'), { line });
}

function ndjsonRows(text: string): FileRows {
  const rows: unknown[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    try {
      const row: unknown = JSON.parse(line);
      // Parsing and writing would change such a number. The API gets the original line instead, and reports what it cannot store.
      rows.push(hasInexactIntegers(line) ? line : row);
    } catch {
      // If the first line is not JSON, the file is of another kind. Any other line fails alone.
      if (rows.length === 0) throw new FileFault(message('Line {line} of the file is not JSON.'), { line: index + 1 });
      rows.push(line);
    }
  }
  return { format: 'ndjson', columns: [], rows };
}
