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

/** Where csv-parse is in a file, in lines. */
interface CsvPlace {
  readonly lines: number;
  readonly empty_lines: number;
}

/** Finds the line of an error of csv-parse, which names the end of the file if a quote is never closed. */
export class CsvLines {
  #last: CsvPlace = { lines: 0, empty_lines: 0 };
  /** csv-parse counts a `\r\n` within a cell as two lines. */
  #countedTwice = 0;

  /** An option of csv-parse. */
  readonly on_record = <Row extends readonly string[]>(row: Row, { lines, empty_lines }: CsvPlace): Row => {
    this.#last = { lines, empty_lines };
    for (const cell of row) if (cell.includes('\r\n')) this.#countedTwice += cell.split('\r\n').length - 1;
    return row;
  };

  /** Null if the error is not one of csv-parse. */
  of(error: unknown): CsvErrorLine | null {
    const { code, lines, empty_lines } = error as { readonly code?: unknown } & Partial<CsvPlace>;
    if (typeof lines !== 'number' || empty_lines === undefined) return null;
    if (code !== 'CSV_QUOTE_NOT_CLOSED') return { line: lines - this.#countedTwice, isOpenQuote: false };
    return { line: this.#last.lines + 1 + empty_lines - this.#last.empty_lines - this.#countedTwice, isOpenQuote: true };
  }
}

interface CsvErrorLine {
  /** The line of the error, or the one in which the row begins that has a quote that is never closed. */
  readonly line: number;
  readonly isOpenQuote: boolean;
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

/** First bytes of gzip (RFC 1952), of ZIP, which newer spreadsheets are too, and of the OLE2 files that older spreadsheets are. */
const COMPRESSED_BEGINNINGS = [
  [0x1f, 0x8b],
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Whether a file with these first bytes is compressed, or a spreadsheet of an office program, and so contains no text. */
export function isCompressed(bytes: Uint8Array): boolean {
  return COMPRESSED_BEGINNINGS.some((beginning) => beginning.every((byte, at) => bytes[at] === byte));
}

/** Whether a file with this beginning is a JSON array, which cannot be imported line by line. */
export function isJsonArray(beginning: string): boolean {
  return firstCharacter(beginning) === '[';
}

/** Whether a file with this beginning has a JSON object in each line. */
export function isNdjson(beginning: string): boolean {
  return firstCharacter(beginning) === '{';
}

function firstCharacter(beginning: string): string | undefined {
  return beginning.replace('\uFEFF', '').trimStart()[0];
}
