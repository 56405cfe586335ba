/** The parts of a text between the separators, without blanks around them; those that hold nothing are left out. */
export function partsOf(text: string, separator: string | RegExp): readonly string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}
