import { PATH_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { isHeaderSafe } from '../../shared/resolve/destination-safety.js';
import { matchTemplate, type TemplateMatch } from '../../shared/resolve/match.js';
import type { CompiledTemplate } from '../../shared/resolve/template-route.js';
import type { Facts } from '../http/facts.js';
import { type HostEntry, hostEntry, type Table } from './table.js';

/** What a request asks for, before any link is looked up. */
export interface Target {
  readonly kind:
    | 'apple_app_site_association'
    | 'asset_links'
    | 'robots'
    | 'live'
    | 'ready'
    | 'unknown_host'
    | 'not_found'
    | 'link'
    | 'template';
  /** Undefined for a host of nobody. */
  readonly entry: HostEntry | undefined;
  /** The link's short path; '' for every other kind. */
  readonly path: string;
  /** What the path is to the template whose pattern it matches; null for every other kind. */
  readonly match: TemplateMatch<CompiledTemplate> | null;
}

/** Addresses that answer on every host and come before any link of the same name. */
const RESERVED: ReadonlyMap<string, Target['kind']> = new Map([
  ['/.well-known/apple-app-site-association', 'apple_app_site_association'],
  ['/apple-app-site-association', 'apple_app_site_association'],
  ['/.well-known/assetlinks.json', 'asset_links'],
  ['/robots.txt', 'robots'],
  ['/health/live', 'live'],
  ['/health/ready', 'ready'],
]);

/** The only reserved address that reads as a short path. */
const RESERVED_SHORT_PATH = 'apple-app-site-association';

export function locate(facts: Facts, table: Table): Target {
  const entry = hostEntry(table, facts.host);
  const path = shortPath(facts.path);
  if (path === '' || path === RESERVED_SHORT_PATH) {
    const kind = RESERVED.get(facts.path);
    if (kind !== undefined) return { kind, entry, path: '', match: null };
  }
  if (entry === undefined) return { kind: 'unknown_host', entry, path: '', match: null };
  return path === '' ? locateItem(facts.path, entry) : { kind: 'link', entry, path, match: null };
}

/**
 * Whatever is no URI (RFC 3986) is nobody's: clients escape it, and the two listeners would read it as different texts.
 * A short path is one segment and a pattern has two or more, so that no template can hide a link.
 */
function locateItem(path: string, entry: HostEntry): Target {
  const { templates } = entry.environment;
  if (templates.template_count > 0 && isHeaderSafe(path)) {
    const match = matchTemplate(templates, path);
    if (match.template !== null) return { kind: 'template', entry, path: '', match };
  }
  return { kind: 'not_found', entry, path: '', match: null };
}

/** 1 for letters, digits, `-` and `_`. */
const PATH_CHARACTERS = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') PATH_CHARACTERS[character.charCodeAt(0)] = 1;

/** `abc` of `/abc` and `/abc/`; '' where the URL path is no short path. Case counts, and no escape is decoded: none is needed. */
export function shortPath(urlPath: string): string {
  let end = urlPath.length;
  if (end > 2 && urlPath.charCodeAt(end - 1) === 0x2f) end--;
  if (end < 2 || end > PATH_CHARACTERS_MAX + 1 || urlPath.charCodeAt(0) !== 0x2f) return '';
  for (let index = 1; index < end; index++) {
    const code = urlPath.charCodeAt(index);
    if (code > 127 || PATH_CHARACTERS[code] === 0) return '';
  }
  return urlPath.slice(1, end);
}
