import { ApiError } from '../api/client.js';
import { shownLanguage } from '../language/shown.js';
import { text } from '../language/text.js';

/** Returns the JSON in a text field, or null if it is empty. Throws at the field's pointer if it is not JSON. */
export function parseJsonField(pointer: string, json: string): unknown {
  if (json.trim() === '') return null;
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    // The browser's own words are English, whatever the language of the page.
    const detail = shownLanguage() === 'en' ? `is not JSON: ${(error as SyntaxError).message}` : text('is not JSON');
    throw new ApiError(422, 'validation_failed', detail, [{ pointer, in: 'body', code: 'wrong_type', detail }]);
  }
}

export function jsonFieldText(value: unknown): string {
  return value === null ? '' : JSON.stringify(value, null, 2);
}
