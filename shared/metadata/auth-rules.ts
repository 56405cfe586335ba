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
  if (name === undefined) return [issueAt(pointer, 'required', 'header_name is missing.')];
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
  if (type === undefined)
    return refused([
      value.type === undefined
        ? issueAt(pointerTo(pointer, 'type'), 'required', 'type is missing.')
        : issueAt(pointerTo(pointer, 'type'), 'invalid_value', `type must be one of ${AUTH_TYPES.join(', ')}.`),
    ]);
  const issues = unknownMembers(value, MEMBERS[type], pointer);
  if (type === 'api_key_header') issues.push(...headerIssues(value.header_name, pointerTo(pointer, 'header_name')));
  if (type !== 'none' && value.secret !== undefined) issues.push(...secretIssues(value.secret, secretPointer));
  if (issues.length > 0) return refused(issues);
  const auth = { type, header_name: type === 'api_key_header' ? (value.header_name as string) : null };
  if (type === 'none') return accepted({ auth, credential: { kind: 'clear' } });
  if (value.secret === undefined) return keepSecret(auth, context, secretPointer);
  return accepted({ auth, credential: { kind: 'set', secret: value.secret as string } });
}

/** The characters of a credential that may be shown: its last four, fewer of a short one, none of a very short one. */
export function secretHint(secret: string): string | null {
  const shown = Math.min(4, Math.floor(secret.length / 3));
  return shown === 0 ? null : secret.slice(-shown);
}
