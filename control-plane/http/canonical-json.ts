/**
 * Returns the JSON text of a parsed value with the members of every object sorted by name, so that equal values have the same text.
 * Uses a list instead of recursion, because arrays in a body can be nested a hundred thousand deep. A number that no double represents was
 * parsed to NaN or an infinity, which JSON cannot express; its text here is not JSON, because it must not equal that of null.
 */
export function canonicalJson(value: unknown): string {
  const parts: string[] = [];
  const left: Piece[] = [{ value }];
  for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
    if ('text' in piece) parts.push(piece.text);
    else if (typeof piece.value === 'number') parts.push(String(piece.value));
    else if (typeof piece.value !== 'object' || piece.value === null) parts.push(JSON.stringify(piece.value));
    else for (const part of [...piecesOf(piece.value)].reverse()) left.push(part);
  }
  return parts.join('');
}

/** Whether two values have the same JSON, apart from the order of the members of their objects. Times are compared as JSON writes them. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const [first, second] = [JSON.stringify({ value: one }), JSON.stringify({ value: other })];
  return first === second || canonicalJson(JSON.parse(first)) === canonicalJson(JSON.parse(second));
}

/** A finished text, or a value that has yet to be converted to text. */
type Piece = { readonly text: string } | { readonly value: unknown };

function* piecesOf(value: object): Iterable<Piece> {
  const isArray = Array.isArray(value);
  yield { text: isArray ? '[' : '{' };
  let separator = '';
  for (const name of isArray ? value.keys() : Object.keys(value).sort()) {
    yield { text: isArray ? separator : `${separator}${JSON.stringify(name)}:` };
    yield { value: (value as Record<string | number, unknown>)[name] };
    separator = ',';
  }
  yield { text: isArray ? ']' : '}' };
}
