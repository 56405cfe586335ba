import type { FieldCode, FieldError } from '../../shared/contract/schemas/problem-codes.js';

const TOO_LARGE: readonly FieldCode[] = ['too_long', 'too_many'];

type Container = Record<string, unknown>;

/**
 * Returns the value without the texts and lists in it that a schema has found too long. Rules are meant for texts and lists within their
 * limits: with a megabyte some of them would take minutes. What they find wrong with such a value is not reported anyway. The value itself
 * is not changed.
 */
export function withoutOversized<Value extends object>(value: Value, errors: readonly FieldError[]): Value {
  const oversized = errors.filter(({ code, in: place }) => place === 'body' && TOO_LARGE.includes(code));
  if (oversized.length === 0) return value;
  const root = { value };
  const copies = new Set<object>();
  for (const { pointer } of oversized) remove(root, ['value', ...namesOf(pointer)], copies);
  return root.value;
}

/** Removes the member at the end of the path. Each object on the way is copied once. */
function remove(root: Container, names: readonly string[], copies: Set<object>): void {
  let at = root;
  for (const name of names.slice(0, -1)) {
    const next = at[name];
    // What contains it was removed before.
    if (typeof next !== 'object' || next === null) return;
    const copy = copies.has(next) ? next : Array.isArray(next) ? [...next] : { ...next };
    copies.add(copy);
    at[name] = copy;
    at = copy as Container;
  }
  at[names.at(-1) as string] = undefined;
}

function namesOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
