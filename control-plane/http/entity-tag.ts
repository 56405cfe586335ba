import { createHash } from 'node:crypto';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { canonicalJson } from './canonical-json.js';
import { fieldError, refuse } from './problems.js';

/** The first 132 of the 256 bits of a digest, which is enough for two states of an object never to have the same tag. */
const TAG_CHARACTERS = 22;

/** The entity tag (RFC 9110, section 8.8.3) of an object's state. It does not depend on the order of members. */
export function entityTag(state: object): string {
  return `"${createHash('sha256').update(canonicalJson(state)).digest('base64url').slice(0, TAG_CHARACTERS)}"`;
}

/** Returns whether a state is one of those for which a request is meant. The state is null if there is no object. */
export type Precondition = (state: object | null) => boolean;

const TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
const LIST = /^[\t ]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\t ]*$/;

/**
 * Returns the precondition of an `If-Match` (RFC 9110, section 13.1.1), or an error if it is neither `*` nor a list of entity tags. Tags
 * are compared strongly: a weak tag, which a proxy may have made from ours, matches no state.
 */
export function readIfMatch(header: string): Precondition | FieldError {
  if (header.trim() === '*') return (state) => state !== null;
  if (!LIST.test(header)) return fieldError('header', '/If-Match', 'invalid_format', 'must be "*", or entity tags in double quotes');
  const tags = new Set(Array.from(header.matchAll(TAG), ([, weak, tag]) => (weak === undefined ? tag : '')));
  return (state) => state !== null && tags.has(entityTag(state));
}

export function preconditionFailed() {
  return refuse('precondition_failed', 'The object has changed since you read it. Read it again and repeat the change.');
}
