import { domainToUnicode } from 'node:url';
import { characterCount } from './issue.js';
import { DESTINATION_CHARACTERS_MAX, RENDERED_URL_CHARACTERS_MAX } from './limits.js';

/** An escape of a byte that continues a character of UTF-8, and that of any other byte. */
const CONTINUED = /%[89AB][0-9A-F]/gi;
const BEGUN = /%[0-9A-F]{2}/gi;

const AUTHORITY = /^https?:\/\/[^/?#]*/i;
/** A label of an international host name in ASCII, of 63 characters at most. */
const ASCII_LABEL = /xn--[0-9a-z-]{1,59}/gi;

/**
 * The number of characters of a URL. An escaped character counts once, and an international host name as it is written in Unicode, so
 * that a URL is as long in the form in which it is stored and shown as in the one in which it was written.
 */
export function urlCharacterCount(text: string): number {
  const count = characterCount(text.replace(CONTINUED, '').replace(BEGUN, '%'));
  const authority = AUTHORITY.exec(text)?.[0] ?? '';
  const written = authority.replace(ASCII_LABEL, (label) => domainToUnicode(label) || label);
  return count - characterCount(authority) + characterCount(written);
}

/** Whether the text has more characters than a URL that a customer gives may have. One that is longer than any stored URL is not read. */
export function isUrlTooLong(text: string): boolean {
  if (text.length <= DESTINATION_CHARACTERS_MAX) return false;
  return text.length > RENDERED_URL_CHARACTERS_MAX || urlCharacterCount(text) > DESTINATION_CHARACTERS_MAX;
}
