import { isHeaderSafe } from '../../shared/resolve/destination-safety.js';
import { RESERVED_SHORT_PATH, type ReservedAddress, reservedAddress, shortPath } from '../../shared/resolve/link-addresses.js';
import { LONG_LINK_ADDRESS } from '../../shared/resolve/long-link.js';
import { matchTemplate, type PatternMatch } from '../../shared/resolve/match.js';
import { aliasPath, lowerCasePath } from '../../shared/resolve/normal-path.js';
import type { CompiledTemplate } from '../../shared/resolve/template-route.js';
import type { Facts } from '../http/facts.js';
import { type HostEntry, hostEntry, type Table } from './table.js';

/** A visit to a link. */
export interface LinkTarget {
  readonly kind: 'link';
  readonly entry: HostEntry;
  /** The link's short path. */
  readonly path: string;
  /** The requested path if it is an alias of the link, otherwise ''. */
  readonly alias: string;
  readonly match: null;
}

/** A visit to a template's URL. */
export interface ItemTarget {
  readonly kind: 'template';
  readonly entry: HostEntry;
  readonly path: '';
  readonly alias: '';
  /** The match of the path with the template's pattern. */
  readonly match: PatternMatch<CompiledTemplate>;
}

/** A visit to a long link. */
export interface LongLinkTarget {
  readonly kind: 'long_link';
  readonly entry: HostEntry;
  /** '' until the long link is read, then the path of the link that its visits count for. */
  readonly path: string;
  readonly alias: '';
  readonly match: null;
}

/** A request for anything else. */
export interface SiteTarget {
  readonly kind: ReservedAddress | 'unknown_host' | 'not_found';
  /** Undefined if the host is unknown. */
  readonly entry: HostEntry | undefined;
  readonly path: '';
  readonly alias: '';
  readonly match: null;
}

/** What a request asks for, before any link is looked up. All values have the same shape. */
export type Target = LinkTarget | ItemTarget | LongLinkTarget | SiteTarget;

export function locate(facts: Facts, table: Table): Target {
  const entry = hostEntry(table, facts.host);
  const path = shortPath(facts.path);
  if (path === '' || path === RESERVED_SHORT_PATH) {
    const kind = reservedAddress(facts.path);
    if (kind !== null) return { kind, entry, path: '', alias: '', match: null };
  }
  if (entry === undefined) return { kind: 'unknown_host', entry, path: '', alias: '', match: null };
  return path === '' ? locateItem(facts.path, entry) : { kind: 'link', entry, path, alias: '', match: null };
}

type FindAlias = (environmentNumber: number, address: string) => string | undefined;

/**
 * Resolves aliases: returns the link if the address is an alias, otherwise the same target. Aliases take precedence over paths
 * and templates. If no template matches and the host ignores case, the path in lower case is looked up too.
 */
export function locateAlias(facts: Facts, target: Target, findAlias: FindAlias): Target {
  const { entry, kind } = target;
  if (entry === undefined || (kind !== 'link' && kind !== 'template' && kind !== 'not_found')) return target;
  const aliased = aliasTarget(facts.path, entry, findAlias);
  if (aliased !== null) return aliased;
  return kind === 'not_found' ? (locateLowerCase(facts, target, findAlias) ?? target) : target;
}

/** The target to try if this one leads nowhere: its path in lower case, as an alias or as the path of a link. Null if there is none. */
export function locateLowerCase(facts: Facts, { entry, kind, alias }: Target, findAlias: FindAlias): LinkTarget | null {
  if (entry === undefined || alias !== '' || (kind !== 'link' && kind !== 'not_found')) return null;
  const lower = lowerCasePath(facts.path, entry.domain);
  if (lower === null) return null;
  const path = shortPath(lower);
  return aliasTarget(lower, entry, findAlias) ?? (path === '' ? null : { kind: 'link', entry, path, alias: '', match: null });
}

function aliasTarget(urlPath: string, entry: HostEntry, findAlias: FindAlias): LinkTarget | null {
  const alias = entry.aliased ? aliasPath(urlPath) : null;
  const path = alias === null ? undefined : findAlias(entry.environment.record.number, `${entry.host}/${alias}`);
  return path === undefined || alias === null ? null : { kind: 'link', entry, path, alias, match: null };
}

/**
 * A path that is not a valid URI (RFC 3986) matches nothing, because clients escape such paths and the two listeners would read
 * them differently. A short path has one segment and a pattern has two or more, so a template can never hide a link.
 */
function locateItem(path: string, entry: HostEntry): Target {
  const { templates } = entry.environment;
  if (templates.template_count > 0 && isHeaderSafe(path)) {
    const match = matchTemplate(templates, path);
    if (match.template !== null) return { kind: 'template', entry, path: '', alias: '', match };
  }
  const long = path === LONG_LINK_ADDRESS && entry.environment.record.long_link_hosts.length > 0;
  return { kind: long ? 'long_link' : 'not_found', entry, path: '', alias: '', match: null };
}
