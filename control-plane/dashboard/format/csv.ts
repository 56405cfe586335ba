import { isFormula } from '../../../shared/base/csv-cell.js';

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A field in CSV form. A field that a spreadsheet would take for a formula gets an apostrophe in front, which spreadsheets do not show. */
export function csvField(value: string): string {
  const safe = isFormula(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A CSV file of these lines. */
export function csvBlob(lines: readonly (readonly string[])[]): Blob {
  return new Blob(
    lines.map((cells) => `${cells.map(csvField).join(',')}\r\n`),
    { type: 'text/csv' },
  );
}
