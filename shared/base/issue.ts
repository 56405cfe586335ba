/** One fault of one field of a caller's input. `pointer` is a JSON Pointer (RFC 6901) into the body. */
export interface Issue {
  readonly pointer: string;
  /** Stable machine name in snake_case. */
  readonly code: string;
  /** One sentence for a person. */
  readonly detail: string;
}

/** A value that was checked, or everything that is wrong with it (at least one issue). */
export type Checked<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly issues: readonly Issue[] };

export function accepted<Value>(value: Value): Checked<Value> {
  return { ok: true, value };
}

export function refused(issues: readonly Issue[]): { readonly ok: false; readonly issues: readonly Issue[] } {
  return { ok: false, issues };
}

/** Appends one member name or index to a JSON Pointer. */
export function pointerTo(parent: string, member: string | number): string {
  return `${parent}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Characters of a text are Unicode code points, as in JSON Schema's `maxLength`. */
export function characterCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const pair = unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (pair) index++;
    count++;
  }
  return count;
}

/** Whether the value is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
