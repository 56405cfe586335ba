/** An input of a rule, as text. What is absent is a dash, and members of an object that are absent are left out. */
export function shownInput(value: unknown): string {
  if (value === null || value === '') return '–';
  if (typeof value !== 'object') return String(value);
  const parts = Array.isArray(value)
    ? value.map(shownInput)
    : Object.entries(value as object).flatMap(([name, member]) => (member === null ? [] : [`${name}=${shownInput(member)}`]));
  return parts.join(', ') || '–';
}
