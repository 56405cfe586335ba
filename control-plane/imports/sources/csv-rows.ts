import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse';

/** A row by the names of its columns, in lower case. */
export type CsvRow = Readonly<Record<string, string>>;

/** The rows of a CSV file with a head, one after the other. Reads commas, semicolons and tabs, and a byte order mark. */
export async function* csvRows(file: string): AsyncIterable<CsvRow> {
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(await beginningOf(file)),
    columns: (head: readonly string[]) => head.map((name) => name.trim().toLowerCase()),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  // A stream that fails does not end the one it is piped into.
  const rows = createReadStream(file)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser) as AsyncIterable<CsvRow>;
  yield* rows;
}

/** As much of a file as a head can take. */
const HEAD_BYTES_MAX = 16 * 1024;

/** The first text of a file, without a byte order mark. */
export async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES_MAX), 0, HEAD_BYTES_MAX, 0);
    return buffer.toString('utf8', 0, bytesRead).replace('\uFEFF', '');
  } finally {
    await handle.close();
  }
}

/** What stands most often between the names of the head. */
function delimiterOf(text: string): string {
  const head = text.split(/\r?\n|\r/, 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: head.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

/** The first of the columns that holds something; '' if none does. */
export function firstOf(row: CsvRow, ...columns: readonly string[]): string {
  for (const column of columns) if (row[column] !== undefined && row[column] !== '') return row[column];
  return '';
}

/** Columns that hold something and are not among those that were read. */
export function unreadColumns(row: CsvRow, read: ReadonlySet<string>): readonly string[] {
  return Object.entries(row).flatMap(([name, value]) => (value === '' || read.has(name) ? [] : [name]));
}

export function isTrue(text: string): boolean {
  return ['true', '1', 'yes'].includes(text.toLowerCase());
}
