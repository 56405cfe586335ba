/** How CSV files of links are read, by the command line and in a browser: one library, with these options. */

/** Maximum size of the head of a file. */
export const CSV_HEAD_BYTES_MAX = 16 * 1024;

/** Options of csv-parse for a file with this beginning. They support commas, semicolons, tabs and a byte order mark. */
export function csvDialect(beginning: string) {
  const text = beginning.replace('\uFEFF', '');
  const named = DELIMITER_LINE.exec(text)?.[1];
  return {
    bom: true,
    delimiter: named ?? delimiterOf(text),
    from_line: named === undefined ? 1 : 2,
    record_delimiter: LINE_END.exec(text)?.[0] === '\r' ? ['\r'] : ['\r\n', '\n'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  };
}

/** The line before the head in which some programs name the delimiter for Excel. */
const DELIMITER_LINE = /^sep=([,;\t])\s*?(?=\r|\n|$)/i;

/** A file may have lines that end in either way, for example if a head was put before it. Only very old files end each line with `\r`. */
const LINE_END = /\r\n|\n|\r/;

/** Returns the delimiter that occurs most often between the names of the head. */
function delimiterOf(text: string): string {
  const head = text.split(LINE_END).find((line) => line.trim() !== '') ?? '';
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: head.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

/** Whether every cell of a row is empty. Spreadsheets write such rows for lines that once had content; they are not links. */
export function isBlankRow(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Returns the column names of a head, trimmed and in lower case. */
export function columnNames(head: readonly string[]): string[] {
  return head.map((name) => name.trim().toLowerCase());
}

/** Whether a file is gzip (RFC 1952), or ZIP, which spreadsheets of office programs are too. Such a file contains no text. */
export function isCompressed(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04);
}

/** Whether a file with this beginning is one JSON array, and no list of links in a form that can be imported line by line. */
export function isJsonArray(beginning: string): boolean {
  return beginning.replace('\uFEFF', '').trimStart().startsWith('[');
}

/** Whether a file with this beginning has a JSON object in each line. */
export function isNdjson(beginning: string): boolean {
  return beginning.replace('\uFEFF', '').trimStart().startsWith('{');
}
