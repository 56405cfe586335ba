import { accepted, type Checked, type Issue, isObject, issueAt, pointerTo, refused, unknownMembers } from '../base/issue.js';
import { METADATA_SECRET_CHARACTERS_MAX } from '../base/limits.js';
import { AUTH_TYPES, type AuthType, type MetadataAuth } from './configuration.js';
import { headerNameIssues, isHeaderValue } from './header-rules.js';

/** What becomes of the stored credential. */
export type CredentialChange =
  | { readonly kind: 'keep' }
  | { readonly kind: 'clear' }
  /** `secret` is in the clear and is to be sealed before anything else happens to it. */
  | { readonly kind: 'set'; readonly secret: string };

/** The configuration that stands now, as far as a new one can lean on it. */
export interface StoredAuth {
  readonly auth: MetadataAuth;
  readonly secret_set: boolean;
}

export interface AuthChange {
  readonly auth: MetadataAuth;
  readonly credential: CredentialChange;
}

const MEMBERS: Readonly<Record<AuthType, readonly string[]>> = {
  none: ['type'],
  bearer: ['type', 'secret'],
  api_key_header: ['type', 'header_name', 'secret'],
};

function secretIssues(secret: unknown, hasStored: boolean, pointer: string): Issue[] {
  if (secret === undefined) return hasStored ? [] : [issueAt(pointer, 'required', 'There is no stored credential to keep.')];
  if (typeof secret !== 'string') return [issueAt(pointer, 'wrong_type', 'A credential is a string.')];
  if (secret.length > METADATA_SECRET_CHARACTERS_MAX)
    return [issueAt(pointer, 'too_long', `A credential has at most ${METADATA_SECRET_CHARACTERS_MAX} characters.`)];
  if (!isHeaderValue(secret))
    return [issueAt(pointer, 'invalid_format', 'A credential is visible ASCII, without white space at its ends, at least one character.')];
  return [];
}

function headerIssues(name: unknown, pointer: string): Issue[] {
  if (name === undefined) return [issueAt(pointer, 'required', 'header_name is missing.')];
  return typeof name === 'string' ? headerNameIssues(name, pointer) : [issueAt(pointer, 'wrong_type', 'header_name is a string.')];
}

/**
 * The authentication that a configuration shall have. Without `auth` the stored one stays; without `auth.secret` the
 * stored credential stays, also when the type changes; type `none` takes it away.
 */
export function checkAuth(value: unknown, stored: StoredAuth | null, pointer: string): Checked<AuthChange> {
  if (value === undefined)
    return accepted({
      auth: stored?.auth ?? { type: 'none', header_name: null },
      credential: { kind: stored?.secret_set ? 'keep' : 'clear' },
    });
  if (!isObject(value)) return refused([issueAt(pointer, 'wrong_type', 'auth is an object.')]);
  const type = AUTH_TYPES.find((name) => name === value.type);
  if (type === undefined)
    return refused([
      value.type === undefined
        ? issueAt(pointerTo(pointer, 'type'), 'required', 'type is missing.')
        : issueAt(pointerTo(pointer, 'type'), 'invalid_value', `type is one of ${AUTH_TYPES.join(', ')}.`),
    ]);
  const issues = unknownMembers(value, MEMBERS[type], pointer);
  if (type === 'api_key_header') issues.push(...headerIssues(value.header_name, pointerTo(pointer, 'header_name')));
  if (type !== 'none') issues.push(...secretIssues(value.secret, stored?.secret_set ?? false, pointerTo(pointer, 'secret')));
  if (issues.length > 0) return refused(issues);
  const auth = { type, header_name: type === 'api_key_header' ? (value.header_name as string) : null };
  if (type === 'none') return accepted({ auth, credential: { kind: 'clear' } });
  return accepted({ auth, credential: value.secret === undefined ? { kind: 'keep' } : { kind: 'set', secret: value.secret as string } });
}

/** The characters of a credential that may be shown: its last four, fewer of a short one, none of a very short one. */
export function secretHint(secret: string): string | null {
  const shown = Math.min(4, Math.floor(secret.length / 3));
  return shown === 0 ? null : secret.slice(-shown);
}
