/**
 * RFC 4180 with what spreadsheets make of it: a byte order mark, `;` or a tab for a comma (whichever stands in the first
 * line outside of quotes), and any end of line. Blank lines are left out.
 */
export interface CsvRecord {
  /** Line of the file the record begins in, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

export function parseCsv(text: string): readonly CsvRecord[] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(source);
  const records: CsvRecord[] = [];
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  let line = 1;
  let begun = 1;
  const endRecord = () => {
    fields.push(field);
    if (fields.some((each) => each.trim() !== '')) records.push({ line: begun, fields });
    fields = [];
    field = '';
  };
  for (let at = 0; at < source.length; at++) {
    const character = source[at] as string;
    const newline = character === '\n' || (character === '\r' && source[at + 1] !== '\n');
    if (newline) line++;
    if (quoted) {
      if (character !== '"') field += character;
      else if (source[at + 1] === '"') field += source[++at];
      else quoted = false;
    } else if (character === '"' && field === '') quoted = true;
    else if (character === separator) {
      fields.push(field);
      field = '';
    } else if (newline) {
      endRecord();
      begun = line;
    } else if (character !== '\r') field += character;
  }
  endRecord();
  return records;
}

function separatorOf(text: string): string {
  const first = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((candidate) => first.split(candidate).length);
  return [',', ';', '\t'][counts.indexOf(Math.max(...counts))] as string;
}

/** A field as CSV writes it. One that a spreadsheet would take for a formula gets an apostrophe, which such programs do not show. */
export function csvField(value: string): string {
  const safe = /^[=+@\t\r-]/.test(value) && !/^-?\d/.test(value) ? `'${value}` : value;
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A file of these lines. */
export function csvBlob(lines: readonly (readonly string[])[]): Blob {
  return new Blob(
    lines.map((cells) => `${cells.map(csvField).join(',')}\r\n`),
    { type: 'text/csv' },
  );
}
