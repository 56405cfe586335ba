/**
 * The JSON text of a parsed value with the members of every object in the order of their names, so that two texts of one value
 * become the same. Works through a list and not by calling itself: a body can hold arrays in each other by the hundred thousand.
 */
export function canonicalJson(value: unknown): string {
  const parts: string[] = [];
  const left: Piece[] = [{ value }];
  for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
    if ('text' in piece) parts.push(piece.text);
    else if (typeof piece.value !== 'object' || piece.value === null) parts.push(JSON.stringify(piece.value));
    else for (const part of [...piecesOf(piece.value)].reverse()) left.push(part);
  }
  return parts.join('');
}

/** Text as it is, or a value that has yet to become text. */
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
