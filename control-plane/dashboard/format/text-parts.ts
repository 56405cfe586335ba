/** Splits a text at the separators and trims each part. Empty parts are left out. */
export function partsOf(text: string, separator: string | RegExp): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}
