import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse';
import { CSV_HEAD_BYTES_MAX, columnNames, csvDialect } from '../../../shared/base/csv-dialect.js';
import type { CsvRow } from './source-link.js';

/** The rows of a CSV file with a head, one after the other. */
export async function* csvRows(file: string): AsyncIterable<CsvRow> {
  const parser = parse({
    ...csvDialect(await beginningOf(file)),
    columns: columnNames,
  });
  // A stream that fails does not end the one it is piped into.
  const rows = createReadStream(file)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser) as AsyncIterable<CsvRow>;
  yield* rows;
}

/** The first text of a file, without a byte order mark. */
export async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(CSV_HEAD_BYTES_MAX), 0, CSV_HEAD_BYTES_MAX, 0);
    return buffer.toString('utf8', 0, bytesRead).replace('\uFEFF', '');
  } finally {
    await handle.close();
  }
}

/** The first of the columns that holds something; '' if none does. */
export function firstOf(row: CsvRow, ...columns: readonly string[]): string {
  for (const column of columns) if (row[column] !== undefined && row[column] !== '') return row[column];
  return '';
}

/** Columns that hold something and are not among those that were read. */
export function unreadColumns(row: CsvRow, read: ReadonlySet<string>): readonly string[] {
  return Object.keys(row).filter((name) => row[name] !== '' && !read.has(name));
}

export function isTrue(text: string): boolean {
  return ['true', '1', 'yes'].includes(text.toLowerCase());
}

/** A row of cells by the names of its columns; null if it is not a list of texts. A cell past the columns is called by its place. */
export function rowOfCells(columns: readonly string[], cells: unknown): CsvRow | null {
  if (!Array.isArray(cells) || !cells.every((cell) => typeof cell === 'string')) return null;
  return Object.fromEntries(cells.map((cell: string, at) => [columns[at] ?? `column ${at + 1}`, cell]));
}
