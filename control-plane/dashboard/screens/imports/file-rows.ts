import { parse } from 'csv-parse/browser/esm/sync';
import { CSV_HEAD_BYTES_MAX, columnNames, csvDialect, isNdjson } from '../../../../shared/base/csv-dialect.js';
import { FileFault } from './file-fault.js';

/** A file of links, row by row, as the API takes them. */
export interface FileRows {
  readonly format: 'csv' | 'ndjson';
  /** Empty for NDJSON. */
  readonly columns: readonly string[];
  readonly rows: readonly unknown[];
}

/** Reads a whole file: some tenths of a second for 50,000 links, so not where a page is drawn. Throws `FileFault`. */
export function rowsOfText(text: string): FileRows {
  const beginning = text.slice(0, CSV_HEAD_BYTES_MAX);
  const read = isNdjson(beginning) ? ndjsonRows(text) : csvRows(text, beginning);
  if (read.rows.length === 0) throw new FileFault('The file has no links.');
  return read;
}

function csvRows(text: string, beginning: string): FileRows {
  const [head, ...rows] = parsed(text, beginning);
  if (head === undefined) throw new FileFault('The file is empty.');
  const columns = columnNames(head);
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
  if (twice !== undefined) throw new FileFault(`The column "${twice}" is in the file twice.`);
  return { format: 'csv', columns, rows };
}

function parsed(text: string, beginning: string): string[][] {
  try {
    return parse(text, csvDialect(beginning)) as string[][];
  } catch (error) {
    throw new FileFault(`The file is not CSV: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function ndjsonRows(text: string): FileRows {
  const rows: unknown[] = [];
  for (const [index, line] of text.replace('\uFEFF', '').split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      rows.push(JSON.parse(line));
    } catch {
      throw new FileFault(`Line ${index + 1} of the file is not JSON.`);
    }
  }
  return { format: 'ndjson', columns: [], rows };
}
