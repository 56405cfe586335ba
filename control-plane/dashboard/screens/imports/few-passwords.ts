/** The most rows with a password that a call accepts. */
const PASSWORDS_OF_CALL = 20;

/** The first of the rows, up to as many as a call accepts. */
export function withFewPasswords(rows: readonly unknown[], columns: readonly string[]): readonly unknown[] {
  const column = columns.indexOf('password');
  let passwords = 0;
  const past = rows.findIndex((row) => {
    const password = Array.isArray(row) ? row[column] : objectOf(row)?.password;
    return typeof password === 'string' && password !== '' && ++passwords > PASSWORDS_OF_CALL;
  });
  return past === -1 ? rows : rows.slice(0, past);
}

/** Some NDJSON rows are unparsed lines of the file, which need not be JSON. */
function objectOf(row: unknown): { readonly password?: unknown } | null {
  try {
    return (typeof row === 'string' ? JSON.parse(row) : row) as { readonly password?: unknown } | null;
  } catch {
    return null;
  }
}
