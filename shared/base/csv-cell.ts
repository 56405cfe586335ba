/** Matches texts that a spreadsheet would treat as a formula (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Whether a spreadsheet would treat the text as a formula. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text);
}

/** Whether a spreadsheet would treat the text as a formula without the apostrophes in front. */
function isFormulaWithin(text: string): boolean {
  let at = 0;
  while (text[at] === "'") at++;
  return isFormula(text.slice(at));
}

/** A delimiter, a quote, the end of a line, or a blank at either end, which readers of CSV drop. */
const QUOTED = /[",\r\n]|^\s|\s$/;

/**
 * Writes a cell by RFC 4180, quoted if necessary. Others write many of these texts, and a spreadsheet that opens the
 * file would run a text that begins like a formula; an apostrophe before it makes it text. A text that begins with an
 * apostrophe of its own and continues like a formula gets one more, so that the two can be distinguished when the cell
 * is read.
 */
export function csvCell(value: string | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = isFormulaWithin(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the text of a cell that `csvCell` has written. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && isFormulaWithin(cell) ? cell.slice(1) : cell;
}
