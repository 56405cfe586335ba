/** Values of a statement under construction. */
export interface Parameters {
  readonly values: unknown[];
  /** Adds a value. Returns its placeholder in the statement. */
  add(value: unknown): string;
}

export function createParameters(): Parameters {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}
