import { ALIAS_PATH_BYTES_MAX } from '../../shared/base/limits.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName } from '../../shared/net/host-name.js';
import type { LinkAlias } from '../../shared/records/records.js';
import { reservedAddress } from '../../shared/resolve/link-addresses.js';
import { aliasPath } from '../../shared/resolve/normal-path.js';
import { fieldError } from '../http/problems.js';

/** Aliases of links, as request bodies hold them and as they are stored. */

/** An alias in the form that visits are compared with. */
export interface AliasAddress {
  readonly host: string;
  readonly normal_path: string;
}

interface GivenAlias {
  readonly index: number;
  /** Null if it is no text, which is left to the schema. */
  readonly host: string | null;
  readonly path: string | null;
}

/** The aliases of an unchecked body, with their indexes in it. */
function givenAliases(aliases: unknown): readonly GivenAlias[] {
  if (!Array.isArray(aliases)) return [];
  return aliases.map((alias: unknown, index) => {
    const { host, path } = (typeof alias === 'object' && alias !== null ? alias : {}) as Readonly<Record<string, unknown>>;
    return { index, host: typeof host === 'string' ? host : null, path: typeof path === 'string' ? path : null };
  });
}

/** The hosts that the aliases of an unchecked body name, as they are stored. */
export function aliasHosts(aliases: unknown): readonly string[] {
  return givenAliases(aliases).flatMap(({ host }) => (host === null ? [] : [asciiHostName(host)]));
}

/** The paths of the aliases of an unchecked body. */
export function aliasPaths(aliases: unknown): readonly string[] {
  return givenAliases(aliases).flatMap(({ path }) => (path === null ? [] : [withoutFirstSlash(path)]));
}

/** A path is the same with and without its first slash. It is stored without it. */
function withoutFirstSlash(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path;
}

/** What is wrong with a path without its first slash, or its normal form. */
function judgedPath(path: string): { readonly normal: string } | { readonly detail: string } {
  if (/[?#\\]/.test(path)) return { detail: 'must be only a path, without ?, # or \\' };
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return { detail: 'must not contain the segments . and ..' };
  // Of two slashes at the beginning, one is left. Sent back as it is shown, such a path would become that of another address.
  if (`/${path}`.includes('//')) return { detail: 'must not contain two slashes in a row' };
  const normal = aliasPath(`/${path}`);
  if (normal === null) return { detail: `must be UTF-8 text of at most ${ALIAS_PATH_BYTES_MAX} bytes when escaped` };
  return { normal };
}

/** `pointer` points to the host of an alias in the body. */
export function unknownAliasHost(pointer: string): FieldError {
  return fieldError('body', pointer, 'unknown_domain', 'is neither the link host nor a verified domain of this environment');
}

/** Checks the rules for aliases that the schema does not express. `hosts` are the hosts on which links may have aliases. */
export function aliasErrors(aliases: unknown, hosts: ReadonlySet<string>): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const { index, host, path } of givenAliases(aliases)) {
    const place = `/aliases/${index}`;
    const name = host === null ? null : asciiHostName(host);
    if (name !== null && !hosts.has(name)) errors.push(unknownAliasHost(`${place}/host`));
    if (path === null) continue;
    const judged = judgedPath(withoutFirstSlash(path));
    if ('detail' in judged) {
      errors.push(fieldError('body', `${place}/path`, 'invalid_format', judged.detail));
      continue;
    }
    const { normal } = judged;
    if (reservedAddress(`/${normal}`) !== null)
      errors.push(fieldError('body', `${place}/path`, 'reserved', 'is a path that the service uses itself'));
    if (name === null) continue;
    if (seen.has(`${name}/${normal}`)) errors.push(fieldError('body', place, 'duplicate', 'is in the list twice'));
    seen.add(`${name}/${normal}`);
  }
  return errors;
}

/** Checked aliases, as they are stored. */
export function storedAliases(aliases: readonly LinkAlias[]): readonly LinkAlias[] {
  return aliases.map(({ host, path }) => ({ host: asciiHostName(host), path: withoutFirstSlash(path) }));
}

/** The addresses of stored aliases. */
export function aliasAddresses(aliases: readonly LinkAlias[]): readonly AliasAddress[] {
  return aliases.map(({ host, path }) => ({ host, normal_path: aliasPath(`/${path}`) as string }));
}
