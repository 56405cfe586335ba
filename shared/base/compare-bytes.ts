/**
 * Compares texts by their bytes in UTF-8, as PostgreSQL does with the collation "C" and as ClickHouse does. `<` compares units of UTF-16,
 * which puts characters beyond U+FFFF before those from U+E000.
 */
export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
