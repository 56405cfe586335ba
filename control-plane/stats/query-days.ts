import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { UncheckedCall } from '../http/operation.js';
import { fieldError } from '../http/problems.js';

/** What is wrong with the days of a query, as far as the schema cannot say it. */
export function dayErrors(query: UncheckedCall['query']): readonly FieldError[] {
  return (['from', 'to'] as const).flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' && !isDate(value)
      ? [fieldError('query', `/${name}`, 'invalid_format', 'is not a day of the calendar')]
      : [];
  });
}

/** Whether it is a day that there is: no 30th of February. */
function isDate(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}
