import { characterCount, isStorable, UNSTORABLE_CHARACTERS } from '../base/issue.js';
import {
  CARD_DESCRIPTION_CHARACTERS_MAX,
  CARD_TITLE_CHARACTERS_MAX,
  CARD_URL_CHARACTERS_MAX,
  DEEP_LINK_PATH_CHARACTERS_MAX,
  STATUS_VALUE_CHARACTERS_MAX,
} from '../base/limits.js';
import { parseUrl } from '../base/parse-url.js';
import type { MetadataField } from './configuration.js';

/** Something to say about one field of an answer. Codes are part of the public contract. */
export interface FieldNote {
  readonly field: MetadataField;
  readonly code: FieldNoteCode;
  readonly detail: string;
}

export type FieldNoteCode =
  | 'wrong_type'
  | 'too_long'
  | 'invalid_url'
  | 'url_blocked'
  | 'not_https'
  | 'image_host_not_allowed'
  | 'invalid_path'
  | 'missing_required_field'
  /** Warnings: the value is used. */
  | 'shortened'
  | 'unknown_status';

/** The text of a field, or null if there is none that can be used. The note says why a value was not used, or how it was changed. */
export interface FieldText {
  readonly text: string | null;
  readonly note: FieldNote | null;
}

const ABSENT: FieldText = { text: null, note: null };

function unusable(field: MetadataField, code: FieldNoteCode, detail: string): FieldText {
  return { text: null, note: { field, code, detail } };
}

/**
 * Returns one line of text, because a card shows no line breaks. Halves of surrogate pairs, which JSON can spell, are
 * replaced because they are not text.
 */
function oneLine(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function shortText(field: MetadataField, given: string, charactersMax: number): FieldText {
  const text = oneLine(given);
  if (text === '') return ABSENT;
  if (characterCount(text) <= charactersMax) return { text, note: null };
  const shortened = `${Array.from(text)
    .slice(0, charactersMax - 1)
    .join('')
    .trimEnd()}…`;
  return { text: shortened, note: { field, code: 'shortened', detail: `The card shows only the first ${charactersMax} characters.` } };
}

/** An https URL as the URL parser writes it: ASCII, no white space, nothing before the host. */
function httpsUrl(field: MetadataField, text: string): FieldText {
  if (text.length > CARD_URL_CHARACTERS_MAX)
    return unusable(field, 'too_long', `A URL must have at most ${CARD_URL_CHARACTERS_MAX} characters.`);
  const url = parseUrl(text);
  if (url === null) return unusable(field, 'invalid_url', 'The value is not an absolute URL.');
  if (url.protocol !== 'https:') return unusable(field, 'not_https', 'The URL is not https.');
  if (url.username !== '' || url.password !== '')
    return unusable(field, 'invalid_url', 'The URL must not contain a user name or password.');
  // Escaping can make the URL longer than it was.
  if (url.href.length > CARD_URL_CHARACTERS_MAX)
    return unusable(field, 'too_long', `Escaped, the URL has more than ${CARD_URL_CHARACTERS_MAX} characters.`);
  return { text: url.href, note: null };
}

/** Host names are compared as the URL parser writes them, and as a whole: a host below an allowed one is a different host. */
function imageUrl(text: string, allowedHosts: readonly string[]): FieldText {
  const read = httpsUrl('image_url', text);
  if (read.text === null || allowedHosts.length === 0) return read;
  const { hostname } = new URL(read.text);
  if (allowedHosts.includes(hostname)) return read;
  return unusable('image_url', 'image_host_not_allowed', `"${hostname}" is not one of allowed_image_hosts.`);
}

function route(text: string): FieldText {
  if (!text.startsWith('/') || !isStorable(text))
    return unusable('deep_link_path', 'invalid_path', `An in-app route must start with "/" and must not contain ${UNSTORABLE_CHARACTERS}.`);
  if (characterCount(text) > DEEP_LINK_PATH_CHARACTERS_MAX)
    return unusable('deep_link_path', 'too_long', `An in-app route must have at most ${DEEP_LINK_PATH_CHARACTERS_MAX} characters.`);
  return { text, note: null };
}

/** The status is compared with `status_values` as it is, including case. */
function statusValue(text: string): FieldText {
  if (characterCount(text) <= STATUS_VALUE_CHARACTERS_MAX && isStorable(text)) return { text, note: null };
  return unusable(
    'resource_status',
    'too_long',
    `A status must have at most ${STATUS_VALUE_CHARACTERS_MAX} characters and no ${UNSTORABLE_CHARACTERS}.`,
  );
}

/** Reads a text by the rules of its field; an empty text counts as none. A default has to pass the same rules. */
export function textOfField(field: MetadataField, given: string, allowedImageHosts: readonly string[]): FieldText {
  const trimmed = given.trim();
  if (trimmed === '') return ABSENT;
  switch (field) {
    case 'title':
      return shortText(field, given, CARD_TITLE_CHARACTERS_MAX);
    case 'description':
      return shortText(field, given, CARD_DESCRIPTION_CHARACTERS_MAX);
    case 'image_url':
      return imageUrl(trimmed, allowedImageHosts);
    case 'canonical_url':
    case 'web_fallback_url':
      return httpsUrl(field, trimmed);
    case 'deep_link_path':
      return route(trimmed);
    case 'resource_status':
      return statusValue(trimmed);
  }
}

/** Returns the text of a value of an answer. Strings, numbers and booleans are text; nothing else is, null included. */
export function fieldText(field: MetadataField, value: unknown, allowedImageHosts: readonly string[]): FieldText {
  if (value === undefined) return ABSENT;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    const type = value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
    return unusable(field, 'wrong_type', `The value is ${type}, but must be a string, number or boolean.`);
  }
  return textOfField(field, String(value), allowedImageHosts);
}
