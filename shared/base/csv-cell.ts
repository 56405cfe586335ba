/** Texts that a spreadsheet would take for a formula (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Whether a spreadsheet would take the text for a formula. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text);
}

/** What a spreadsheet would take for a formula if the apostrophes in front were not there. */
function isFormulaWithin(text: string): boolean {
  let at = 0;
  while (text[at] === "'") at++;
  return isFormula(text.slice(at));
}

/** A delimiter, a quote, the end of a line, or a blank at either end, which readers of CSV leave out. */
const QUOTED = /[",\r\n]|^\s|\s$/;

/**
 * RFC 4180: quoted where it has to be. Others write many of these texts, and a reader who opens the file in a spreadsheet
 * would run what begins like a formula: an apostrophe before it makes it text. A text that begins with an apostrophe of its own and
 * then like a formula gets one more, so that it is told apart from the formula when the cell is read.
 */
export function csvCell(value: string | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = isFormulaWithin(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that `csvCell` has written. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && isFormulaWithin(cell) ? cell.slice(1) : cell;
}
