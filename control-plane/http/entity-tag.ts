import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import { fieldError, refuse, refuseFields } from './problems.js';

/** Of 256 bits of a digest the first 132: nobody meets two states of one object with the same. */
const TAG_CHARACTERS = 22;

/** The entity tag (RFC 9110, section 8.8.3) of an object's state: the same whatever the order of members is. */
export function entityTag(state: object): string {
  return `"${createHash('sha256').update(canonicalJson(state)).digest('base64url').slice(0, TAG_CHARACTERS)}"`;
}

/** Says whether a state is one of those that a request is meant for. Null: there is no object. */
export type Precondition = (state: object | null) => boolean;

const TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;
const LIST = /^[\t ]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\t ]*$/;

/**
 * The precondition of an `If-Match` (RFC 9110, section 13.1.1), or throws 422 if it is neither `*` nor a list of entity tags. Tags are
 * compared strongly: a weak one, which a proxy may have made of ours, names no state.
 */
export function readIfMatch(header: string): Precondition {
  if (header.trim() === '*') return (state) => state !== null;
  if (!LIST.test(header))
    throw refuseFields([fieldError('header', '/If-Match', 'invalid_format', 'must be "*", or entity tags in double quotes')]);
  const tags = new Set(Array.from(header.matchAll(TAG), ([, weak, tag]) => (weak === undefined ? tag : '')));
  return (state) => state !== null && tags.has(entityTag(state));
}

export function preconditionFailed() {
  return refuse('precondition_failed', 'The object has changed since you read it. Read it again and repeat the change.');
}
