/** Texts that a spreadsheet would take for a formula (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Whether a spreadsheet would take the text for a formula. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text);
}

/**
 * RFC 4180: quoted where it has to be. Others write many of these texts, and a reader who opens the file in a spreadsheet
 * would run what begins like a formula: an apostrophe before it makes it text.
 */
export function csvCell(value: string | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that `csvCell` has written. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;
}
