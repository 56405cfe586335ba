import type { Issue } from '../../shared/base/issue.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { fieldError } from './problems.js';

/** Converts the issues that the rules found in a body to errors, one per field. If several rules fail at a field, the first one counts. */
export function bodyErrors(issues: readonly Issue[]): readonly FieldError[] {
  const found = new Map<string, FieldError>();
  for (const { pointer, code, detail } of issues) if (!found.has(pointer)) found.set(pointer, fieldError('body', pointer, code, detail));
  return [...found.values()];
}
