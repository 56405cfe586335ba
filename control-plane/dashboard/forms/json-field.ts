import { hasInexactIntegers } from '../../../shared/base/exact-numbers.js';
import { ApiError, type FieldProblem } from '../api/client.js';
import { shownLanguage } from '../language/shown.js';
import { text } from '../language/text.js';

/** Returns the JSON in a text field, or null if it is empty. Throws at the field's pointer if it is not JSON. */
export function parseJsonField(pointer: string, json: string): unknown {
  if (json.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    // The browser's own messages are in English, whatever the language of the page is.
    throw refusal(pointer, 'wrong_type', shownLanguage() === 'en' ? `is not JSON: ${(error as SyntaxError).message}` : text('is not JSON'));
  }
  // The same error as the API's. The API cannot detect it here, because parsing has already changed the number.
  if (hasInexactIntegers(json))
    throw refusal(pointer, 'number_not_exact', text('has a whole number that is too large to be represented exactly; write it as a text'));
  return value;
}

function refusal(pointer: string, code: FieldProblem['code'], detail: string): ApiError {
  return new ApiError(422, 'validation_failed', detail, [{ pointer, in: 'body', code, detail }]);
}

export function jsonFieldText(value: unknown): string {
  return value === null ? '' : JSON.stringify(value, null, 2);
}
