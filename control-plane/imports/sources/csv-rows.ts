import { parse } from 'csv-parse';
import { columnNames, csvDialect, isBlankRow } from '../../../shared/base/csv-dialect.js';
import type { CsvRow, OnRead } from './source-link.js';
import { beginningOf, checkUtf8, readStream } from './text-file.js';

/**
 * The rows of a CSV file with a head, one after the other, each as `rowOfCells` reads it for the API too. Throws `SyntaxError` before
 * the first of them if the file is not UTF-8, or if the head names none of the columns that are `known`; it is then said to name none
 * `such` column.
 */
export async function* csvRows(
  file: string,
  known: ReadonlySet<string>,
  onRead: OnRead = () => {},
  such = 'known column',
): AsyncIterable<CsvRow> {
  await checkUtf8(file);
  const parser = parse(csvDialect(await beginningOf(file)));
  // A stream that fails does not end the one it is piped into.
  const records = (await readStream(file, onRead)).on('error', (error) => parser.destroy(error)).pipe(parser) as AsyncIterable<
    readonly string[]
  >;
  let columns: readonly string[] | null = null;
  for await (const cells of records) {
    if (isBlankRow(cells)) continue;
    if (columns === null) columns = knownHead(columnKeys(cells), known, such);
    else yield rowOfCells(columns, cells) as CsvRow;
  }
}

/** A file of another kind, or without a head, would become links that lead nowhere. */
function knownHead(columns: readonly string[], known: ReadonlySet<string>, such: string): readonly string[] {
  if (columns.some((name) => known.has(name))) return columns;
  throw new SyntaxError(`its first line has no ${such}, such as ${[...known].slice(0, 3).join(', ')}`);
}

/**
 * What the cells of each column are called, by a head. Of two columns with one name the second is called by its place as well, and
 * one without a name by its place alone: so nothing reads them, and what they hold is told as lost.
 */
export function columnKeys(head: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return columnNames(head).map((name, at) => {
    const key = name === '' ? placeOf(at) : seen.has(name) ? `${name} (${placeOf(at)})` : name;
    seen.add(name);
    return key;
  });
}

function placeOf(at: number): string {
  return `column ${at + 1}`;
}

/** The first of the columns that holds something; '' if none does. */
export function firstOf(row: CsvRow, ...columns: readonly string[]): string {
  for (const column of columns) if (row[column] !== undefined && row[column] !== '') return row[column];
  return '';
}

/** Columns that hold something and are not among those that were read: `enabled` may say with 0 what a link is. */
export function unreadColumns(row: CsvRow, read: ReadonlySet<string>): readonly string[] {
  return Object.keys(row).filter((name) => row[name] !== '' && !read.has(name));
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Members of a source's object, or columns of its export, that say something and are not among those that were read. An `enabled`
 * that nobody knows may say with `false` or 0 what a link is. `plainIfFalse` names those that are documented, and of which `false` and 0
 * are what every plain link has.
 */
export function unreadMembers(members: object, read: ReadonlySet<string>, plainIfFalse = NONE): readonly string[] {
  const unread: string[] = [];
  // Not by entries: an import of a million links asks this of each.
  for (const name of Object.keys(members)) {
    if (read.has(name)) continue;
    const value = (members as Readonly<Record<string, unknown>>)[name];
    if (!isEmpty(value) && !(isFalse(value) && plainIfFalse.has(name))) unread.push(name);
  }
  return unread;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
  return value === undefined || value === '';
}

function isFalse(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'string' && ['false', '0', 'no'].includes(value.trim().toLowerCase()));
}

/** A row of cells by what its columns are called; null if it is not a list of texts. A cell past the columns is called by its place. */
export function rowOfCells(columns: readonly string[], cells: unknown): CsvRow | null {
  if (!Array.isArray(cells) || !cells.every((cell) => typeof cell === 'string')) return null;
  return Object.fromEntries(cells.map((cell: string, at) => [columns[at] ?? placeOf(at), cell]));
}
