/** JSON Pointers (RFC 6901). A field of a form is named by the pointer of the member that it becomes, which problems use as well. */

function tokens(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Returns the field that a problem's pointer refers to: the named field, otherwise the nearest one around it (`/data` for `/data/colour`),
 * otherwise the first one inside it. Returns null if the form has none of them.
 */
export function fieldOf(pointer: string, fields: readonly string[]): string | null {
  for (let around = pointer; around !== ''; around = around.slice(0, around.lastIndexOf('/'))) if (fields.includes(around)) return around;
  return fields.find((field) => pointer !== '' && field.startsWith(`${pointer}/`)) ?? null;
}

/** Builds the object whose members the pointers name; numbers make lists. Members that are `undefined` are left out. */
export function assemble(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [pointer, value] of Object.entries(members)) if (value !== undefined) place(root, tokens(pointer), value);
  return root;
}

function place(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at: Record<string, unknown> = root;
  for (const [depth, token] of path.slice(0, -1).entries()) {
    const inside = /^\d+$/.test(path[depth + 1] as string) ? [] : {};
    if (!Object.hasOwn(at, token)) at[token] = inside;
    at = at[token] as Record<string, unknown>;
  }
  at[path.at(-1) as string] = value;
}
