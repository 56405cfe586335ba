import type { Issue } from '../../shared/base/issue.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { fieldError } from './problems.js';

/** What the pure rules found wrong with a body, one error a field: where several rules fail at one, the first says it. */
export function bodyErrors(issues: readonly Issue[]): readonly FieldError[] {
  const found = new Map<string, FieldError>();
  for (const { pointer, code, detail } of issues) if (!found.has(pointer)) found.set(pointer, fieldError('body', pointer, code, detail));
  return [...found.values()];
}
