/** A call takes so many rows with a password. */
const PASSWORDS_OF_CALL = 20;

/** The first of the rows, as many as a call takes. */
export function withFewPasswords(rows: readonly unknown[], columns: readonly string[]): readonly unknown[] {
  const column = columns.indexOf('password');
  let passwords = 0;
  const past = rows.findIndex((row) => {
    const password = Array.isArray(row) ? row[column] : objectOf(row)?.password;
    return typeof password === 'string' && password !== '' && ++passwords > PASSWORDS_OF_CALL;
  });
  return past === -1 ? rows : rows.slice(0, past);
}

/** Some rows of NDJSON are the lines of the file. */
function objectOf(row: unknown): { readonly password?: unknown } | null {
  return (typeof row === 'string' ? JSON.parse(row) : row) as { readonly password?: unknown } | null;
}
