import { type Issue, issueAt } from '../base/issue.js';
import { FIELD_PATH_CHARACTERS_MAX } from '../base/limits.js';

/** The path of a value in an answer, as the names to walk. Parsed once per configuration. */
export type FieldPath = readonly string[];

const LONE_TILDE = /~(?![01])/;

/**
 * Parses a JSON Pointer (RFC 6901) if the text starts with `/`, else a dotted path such as `product.images.0.url`; null
 * if it is neither.
 */
export function parseFieldPath(text: string): FieldPath | null {
  if (text === '' || text.length > FIELD_PATH_CHARACTERS_MAX) return null;
  if (!text.startsWith('/')) {
    const names = text.split('.');
    return names.includes('') ? null : names;
  }
  if (LONE_TILDE.test(text)) return null;
  return text
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function fieldPathIssues(text: string, pointer: string): Issue[] {
  if (text.length > FIELD_PATH_CHARACTERS_MAX)
    return [issueAt(pointer, 'too_long', `A mapping must have at most ${FIELD_PATH_CHARACTERS_MAX} characters.`)];
  if (parseFieldPath(text) !== null) return [];
  return [
    issueAt(pointer, 'invalid_format', 'A mapping must be a JSON Pointer such as /product/name or a dotted path such as product.name.'),
  ];
}

const ARRAY_INDEX = /^(0|[1-9]\d{0,15})$/;

/** Returns the value at the path; undefined if there is none. Only the answer's own members are found, never inherited ones. */
export function valueAt(root: unknown, path: FieldPath): unknown {
  let at = root;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    if (Array.isArray(at) ? !ARRAY_INDEX.test(name) : false) return undefined;
    if (!Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}
