import { accepted, type Checked, type Issue, isObject, issueAt, pointerTo, refused, unknownMembers } from '../base/issue.js';
import { METADATA_SECRET_CHARACTERS_MAX } from '../base/limits.js';
import { judgeUrl } from '../net/public-host.js';
import { AUTH_TYPES, type AuthType, type MetadataAuth, type MetadataConfiguration } from './configuration.js';
import { headerNameIssues, isHeaderValue } from './header-rules.js';

/** What happens to the stored credential. */
export type CredentialChange =
  | { readonly kind: 'keep' }
  | { readonly kind: 'clear' }
  /** `secret` is in the clear and must be sealed before anything else happens to it. */
  | { readonly kind: 'set'; readonly secret: string };

/** The part of the current configuration that a new one may keep. */
export interface StoredConfiguration extends Pick<MetadataConfiguration, 'status' | 'url_template' | 'auth'> {
  readonly secret_set: boolean;
}

export interface AuthContext {
  /** OUTBOUND_ALLOW: origins that need be neither https nor public. */
  readonly allow: readonly string[];
  /** Null at the first PUT. */
  readonly stored: StoredConfiguration | null;
  /** From the new configuration, unchecked. */
  readonly urlTemplate: unknown;
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

function secretIssues(secret: unknown, pointer: string): Issue[] {
  if (typeof secret !== 'string') return [issueAt(pointer, 'wrong_type', 'The credential must be a string.')];
  if (secret.length > METADATA_SECRET_CHARACTERS_MAX)
    return [issueAt(pointer, 'too_long', `The credential must have at most ${METADATA_SECRET_CHARACTERS_MAX} characters.`)];
  if (!isHeaderValue(secret))
    return [
      issueAt(
        pointer,
        'invalid_format',
        'The credential must be visible ASCII, at least one character, without white space at either end.',
      ),
    ];
  return [];
}

function headerIssues(name: unknown, pointer: string): Issue[] {
  return typeof name === 'string' ? headerNameIssues(name, pointer) : [issueAt(pointer, 'wrong_type', 'header_name must be a string.')];
}

/** Returns the origin of a URL template, whose placeholders are in its path and query. Null if the URL may not be called. */
function originOf(urlTemplate: unknown, allow: readonly string[]): string | null {
  const judged = typeof urlTemplate === 'string' ? judgeUrl(urlTemplate, allow) : null;
  return judged === null || judged.verdict === 'refused' ? null : judged.url.origin;
}

/** Returns what changes in where or how the credential is sent; null if it is sent to where it was given for, as it was given. */
function changedPlace(auth: MetadataAuth, { urlTemplate, stored, allow }: AuthContext): string | null {
  if (stored?.auth.type !== auth.type) return 'auth.type';
  if (stored.auth.header_name?.toLowerCase() !== auth.header_name?.toLowerCase()) return 'auth.header_name';
  const origin = originOf(urlTemplate, allow);
  // A URL that is refused has its own issue.
  return origin === null || origin === originOf(stored.url_template, allow) ? null : 'the origin of url_template';
}

/**
 * Keeps the stored credential if it may stay. It is write-only: if it followed a configuration to another origin,
 * people who may write configurations could have it sent to a server of their own.
 */
function keepSecret(auth: MetadataAuth, context: AuthContext, pointer: string): Checked<AuthChange> {
  if (!context.stored?.secret_set) return refused([issueAt(pointer, 'required', 'There is no stored credential: send one.')]);
  const changed = changedPlace(auth, context);
  if (changed === null) return accepted({ auth, credential: { kind: 'keep' } });
  return refused([issueAt(pointer, 'required', `Send the credential again, because ${changed} changes.`)]);
}

/**
 * Returns the authentication that a configuration will have. Without `auth` the stored one stays. Without `auth.secret`
 * the stored credential stays, as long as it is sent to the same origin in the same way. Type `none` removes it.
 */
export function checkAuth(value: unknown, context: AuthContext, pointer: string): Checked<AuthChange> {
  const { stored } = context;
  const secretPointer = pointerTo(pointer, 'secret');
  if (value === undefined) {
    if (stored?.secret_set) return keepSecret(stored.auth, context, secretPointer);
    return accepted({ auth: stored?.auth ?? { type: 'none', header_name: null }, credential: { kind: 'clear' } });
  }
  if (!isObject(value)) return refused([issueAt(pointer, 'wrong_type', 'auth must be an object.')]);
  const type = AUTH_TYPES.find((name) => name === value.type);
  const issues = memberIssues(value, type, pointer);
  if (type === undefined) return refused([typeIssue(value.type, pointerTo(pointer, 'type')), ...issues]);
  const auth = { type, header_name: headerNameOf(type, value.header_name, stored) };
  const kept = type !== 'none' && value.secret === undefined ? keepSecret(auth, context, secretPointer) : null;
  if (kept?.ok === false) issues.push(...kept.issues);
  if (issues.length > 0) return refused(issues);
  if (kept !== null) return kept;
  return accepted({ auth, credential: type === 'none' ? { kind: 'clear' } : { kind: 'set', secret: value.secret as string } });
}

function typeIssue(value: unknown, pointer: string): Issue {
  if (value === undefined) return issueAt(pointer, 'required', 'type is missing.');
  return issueAt(pointer, 'invalid_value', `type must be one of ${AUTH_TYPES.join(', ')}.`);
}

/** Checks each member but the type by itself. Without a known type, each member that some type has may be there. */
function memberIssues(value: Readonly<Record<string, unknown>>, type: AuthType | undefined, pointer: string): Issue[] {
  const members = type === undefined ? MEMBERS.api_key_header : MEMBERS[type];
  const issues = unknownMembers(value, members, pointer);
  const { header_name: name, secret } = value;
  const at = pointerTo(pointer, 'header_name');
  if (name === undefined && type === 'api_key_header') issues.push(issueAt(at, 'required', 'header_name is missing.'));
  if (name !== undefined && members.includes('header_name')) issues.push(...headerIssues(name, at));
  if (secret !== undefined && members.includes('secret')) issues.push(...secretIssues(secret, pointerTo(pointer, 'secret')));
  return issues;
}

/** The name of the header after the change. Instead of a wrong one it is the stored one, which may be what the caller means. */
function headerNameOf(type: AuthType, name: unknown, stored: StoredConfiguration | null): string | null {
  if (type !== 'api_key_header') return null;
  return typeof name === 'string' && headerNameIssues(name, '').length === 0 ? name : (stored?.auth.header_name ?? null);
}

/**
 * The name of the header that carries the credential, in lower case; undefined if there is none. `value` is the unchecked `auth`, which may
 * be wrong in another member.
 */
export function credentialHeader(value: unknown, checked: Checked<AuthChange>, stored: StoredConfiguration | null): string | undefined {
  if (checked.ok) return checked.value.auth.header_name?.toLowerCase();
  if (value === undefined) return stored?.auth.header_name?.toLowerCase();
  return isObject(value) && typeof value.header_name === 'string' ? value.header_name.toLowerCase() : undefined;
}

/** The characters of a credential that may be shown: its last four, fewer of a short one, none of a very short one. */
export function secretHint(secret: string): string | null {
  const shown = Math.min(4, Math.floor(secret.length / 3));
  return shown === 0 ? null : secret.slice(-shown);
}
