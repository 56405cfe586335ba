import { hasInexactIntegers } from '../../../shared/base/exact-numbers.js';
import { shownLanguage } from '../language/shown.js';
import { text } from '../language/text.js';
import { fieldRefusal } from './field-refusal.js';

/** Returns the JSON in a text field, or null if it is empty. Throws at the field's pointer if it is not JSON. */
export function parseJsonField(pointer: string, json: string): unknown {
  if (json.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    // The browser's own messages are in English, whatever the language of the page is.
    throw fieldRefusal(
      pointer,
      'wrong_type',
      shownLanguage() === 'en' ? `is not JSON: ${(error as SyntaxError).message}` : text('is not JSON'),
    );
  }
  // The same error as the API's. The API cannot detect it here, because parsing has already changed the number.
  if (hasInexactIntegers(json))
    throw fieldRefusal(
      pointer,
      'number_not_exact',
      text('has a whole number that is too large to be represented exactly; write it as a text'),
    );
  return value;
}

export function jsonFieldText(value: unknown): string {
  return value === null ? '' : JSON.stringify(value, null, 2);
}
