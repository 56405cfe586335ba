import { ApiError } from '../api/client.js';
import { text } from '../language/text.js';

/** Returns the JSON in a text field, or null if it is empty. Throws at the field's pointer if it is not JSON. */
export function parseJsonField(pointer: string, text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const detail = text('is not JSON: {message}', { message: (error as SyntaxError).message });
    throw new ApiError(422, 'validation_failed', detail, [{ pointer, in: 'body', code: 'wrong_type', detail }]);
  }
}

export function jsonFieldText(value: unknown): string {
  return value === null ? '' : JSON.stringify(value, null, 2);
}
