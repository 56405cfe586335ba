/** Longer literals are written over several lines. */
const LINE_CHARACTERS_MAX = 72;

/** A JSON value as people write it in TypeScript: names without quotes if they need none, strings in single quotes. */
export function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => literalOf(item, inner))
    : Object.entries(value).map(
        ([name, member]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literalOf(name)}: ${literalOf(member, inner)}`,
      );
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' '];
  if (members.length === 0) return open + close;
  const line = `${open}${space}${members.join(', ')}${space}${close}`;
  if (indent.length + line.length <= LINE_CHARACTERS_MAX && !line.includes('\n')) return line;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
}
