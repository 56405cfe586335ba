/** A call takes so many rows with a password. */
const PASSWORDS_OF_CALL = 20;

/** The first of the rows, as many as a call takes. */
export function withFewPasswords(rows: readonly unknown[], columns: readonly string[]): readonly unknown[] {
  const column = columns.indexOf('password');
  let passwords = 0;
  const past = rows.findIndex((row) => {
    const password = Array.isArray(row) ? row[column] : (row as { readonly password?: unknown } | null)?.password;
    return typeof password === 'string' && password !== '' && ++passwords > PASSWORDS_OF_CALL;
  });
  return past === -1 ? rows : rows.slice(0, past);
}
