/** How CSV files of links are read, by the command line and in a browser: one library, with these options. */

/** As much of a file as a head can take. */
export const CSV_HEAD_BYTES_MAX = 16 * 1024;

/** Options of csv-parse for a file that begins so. Reads commas, semicolons and tabs, and a byte order mark. */
export function csvDialect(beginning: string) {
  return {
    bom: true,
    delimiter: delimiterOf(beginning),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  };
}

/** What stands most often between the names of the head. */
function delimiterOf(text: string): string {
  const head = text.split(/\r?\n|\r/, 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: head.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

/** Whether no cell of a row holds anything. Spreadsheets write such rows for lines that once held something: they are no links. */
export function isBlankRow(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** The names of a head, as columns are called. */
export function columnNames(head: readonly string[]): string[] {
  return head.map((name) => name.trim().toLowerCase());
}

/** Whether a file that begins so has a JSON object in each line. */
export function isNdjson(beginning: string): boolean {
  return beginning.replace('\uFEFF', '').trimStart().startsWith('{');
}
