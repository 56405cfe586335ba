import { type Issue, issueAt } from '../base/issue.js';

/** Placeholders of a template's texts and of a metadata API's URL. */
export const PLACEHOLDERS = ['id', 'type'] as const;

/** What reads like a placeholder: braces around a word. Other braces are ordinary text. */
const WORD = /\{([A-Za-z0-9_.-]+)\}/g;

/** The words in braces, in their order. */
function wordsIn(text: string): string[] {
  return Array.from(text.matchAll(WORD), (match) => match[1] as string);
}

/** Returns an issue if the text contains a `{word}` other than `{id}` and `{type}`. */
export function placeholderIssues(text: string, pointer: string): Issue[] {
  const unknown = wordsIn(text).filter((word) => !(PLACEHOLDERS as readonly string[]).includes(word));
  if (unknown.length === 0) return [];
  const named = [...new Set(unknown)].map((word) => `{${word}}`).join(', ');
  return [issueAt(pointer, 'unknown_placeholder', `${named} is not a placeholder; use {id} or {type}.`)];
}

export function hasPlaceholder(text: string): boolean {
  return text.includes('{id}') || text.includes('{type}');
}

/** Returns the texts between the `{id}`s, with `{type}` filled in. To render, `join` them with an id. */
export function splitAtId(text: string, typeText: string): readonly string[] {
  // Split first, so that a type that is filled in cannot form a placeholder.
  return text.split('{id}').map((literal) => literal.replaceAll('{type}', () => typeText));
}

/** Escapes every character that is not unreserved (RFC 3986, section 2.3), except a few marks that have no meaning in any part of a URL. */
export function encodeForUrl(id: string): string {
  return encodeURIComponent(wellFormed(id));
}

const PATH_CHARACTERS = /[^A-Za-z0-9\-._~!$&'()*+,;=:@]/gu;

/** Escapes only what a path segment cannot contain (RFC 3986, section 3.3: `pchar`). A slash in an id stays inside its segment. */
export function encodeForPath(id: string): string {
  return wellFormed(id).replace(PATH_CHARACTERS, encodeURIComponent);
}

/** Replaces half a surrogate pair, which is not text and would make `encodeURIComponent` throw. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
