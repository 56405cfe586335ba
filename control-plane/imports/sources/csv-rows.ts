import { parse } from 'csv-parse';
import { CsvLines, columnNames, csvDialect, isBlankRow, isJsonArray } from '../../../shared/base/csv-dialect.js';
import { type CsvRow, numbered, type OnRead, type SourceLink } from './source-link.js';
import { beginningOf, checkUtf8, readStream } from './text-file.js';

/**
 * The rows of a CSV file with a header, one after the other, each as `rowOfCells` reads it for the API too. Throws `SyntaxError` before the
 * first row if the file is not UTF-8, is JSON, or if its header has none of the `known` columns. The error then says that there is no `such`.
 */
export async function* csvRows(
  file: string,
  known: ReadonlySet<string>,
  onRead: OnRead = () => {},
  such = 'known column',
): AsyncIterable<CsvRow> {
  await checkUtf8(file);
  const beginning = await beginningOf(file);
  if (isJsonArray(beginning))
    throw new SyntaxError(
      'it is a JSON array: save it as CSV, or write one object per line, for example with jq -c ".[]", and import that file',
    );
  const lines = new CsvLines();
  const parser = parse({ ...csvDialect(beginning), on_record: lines.on_record });
  // A stream that fails does not end the stream into which it is piped.
  const records = (await readStream(file, onRead)).on('error', (error) => parser.destroy(error)).pipe(parser) as AsyncIterable<
    readonly string[]
  >;
  let columns: readonly string[] | null = null;
  try {
    for await (const cells of records) {
      if (isBlankRow(cells)) continue;
      if (columns === null) columns = knownHead(columnKeys(cells), known, such);
      else yield rowOfCells(columns, cells) as CsvRow;
    }
  } catch (error) {
    const found = lines.of(error);
    if (found === null) throw error;
    // The parser's message goes on with its own line number.
    const [reason] = (error as Error).message.split(' at line ');
    throw new SyntaxError(
      found.isOpenQuote ? `the row in line ${found.line} has a quote that is never closed` : `line ${found.line} is not CSV: ${reason}`,
    );
  }
}

/** The links of the rows of a file, each with the number of its row. A row for which `ofRow` returns null is left out. */
export async function* linksOfRows(
  rows: AsyncIterable<CsvRow>,
  ofRow: (row: CsvRow, number: number) => SourceLink | null,
): AsyncIterable<SourceLink> {
  let number = 0;
  for await (const row of rows) {
    const link = ofRow(row, ++number);
    if (link !== null) yield numbered(link, number);
  }
}

/** Refuses files of another kind or without a header, which would become links that lead nowhere. */
function knownHead(columns: readonly string[], known: ReadonlySet<string>, such: string): readonly string[] {
  if (columns.some((name) => known.has(name))) return columns;
  throw new SyntaxError(`its first line has no ${such}, such as ${[...known].slice(0, 3).join(', ')}`);
}

/**
 * The keys of the columns, from the names in a header. If two columns have the same name, the key of the second one also has its position.
 * The key of a column without a name is its position. So nothing reads these columns, and what they contain is reported as lost.
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

/** The first of these cells that is not empty; '' if all are. */
export function firstOf(row: CsvRow, ...columns: readonly string[]): string {
  for (const column of columns) if (row[column] !== undefined && row[column] !== '') return row[column];
  return '';
}

/**
 * Columns that are not empty and were not read. A 0 is not empty, because an unknown column such as `enabled` may say something about the
 * link with it.
 */
export function unreadColumns(row: CsvRow, read: ReadonlySet<string>): readonly string[] {
  return Object.keys(row).filter((name) => row[name] !== '' && !read.has(name));
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Members of a source's object, or columns of its export, that have a value and were not read. `false` and 0 are values too, because an
 * unknown `enabled` may say something about the link with them. `plainIfFalse` names documented members for which every plain link has
 * `false` or 0.
 */
export function unreadMembers(members: object, read: ReadonlySet<string>, plainIfFalse = NONE): readonly string[] {
  const unread: string[] = [];
  // Not from entries, because an import of a million links calls this for each of them.
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

/** A row of cells, by the keys of its columns; null if it is not a list of strings. The key of a cell past the columns is its position. */
export function rowOfCells(columns: readonly string[], cells: unknown): CsvRow | null {
  if (!Array.isArray(cells) || !cells.every((cell) => typeof cell === 'string')) return null;
  return Object.fromEntries(cells.map((cell: string, at) => [columns[at] ?? placeOf(at), cell]));
}
