import { isIP } from 'node:net';
import { parse as parseDomain } from 'tldts';
import { parseUrl } from '../base/parse-url.js';
import { DEEP_LINK_PATH_PLACEHOLDER } from './destination.js';
import { storeWebUrl } from './destination-safety.js';
import { hostSuffixes } from './host-suffixes.js';

/** Formats in which block lists are published. */
export const BLOCKLIST_FORMATS = ['hosts', 'plain', 'urlhaus'] as const;
export type BlocklistFormat = (typeof BLOCKLIST_FORMATS)[number];

/**
 * One listed entry as its key: a host (`bad.example`, which covers all names below it) or a URL without scheme and
 * fragment (`bad.example/path?query`, `bad.example:8080/`). A URL's key contains a slash and a host's never does, so
 * both kinds fit in one set.
 */
export type BlocklistKey = string;

export type BlocklistLine =
  | { readonly kind: 'entries'; readonly keys: readonly BlocklistKey[] }
  /** Blank, a comment, or a hosts file's own local names. */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'refused'; readonly reason: BlocklistRefusal };

export type BlocklistRefusal =
  | 'malformed'
  /** A top-level domain or a registry's suffix such as `co.uk`. It would block every site below it. */
  | 'public_suffix';

const SKIPPED: BlocklistLine = { kind: 'skipped' };
const MALFORMED: BlocklistLine = { kind: 'refused', reason: 'malformed' };

/** Names that every hosts file gives to the machine itself, and the address on the left of its lines, which can appear as a name too. */
const LOCAL_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'local',
  'broadcasthost',
  'ip6-localhost',
  'ip6-loopback',
  'ip6-localnet',
  'ip6-mcastprefix',
  'ip6-allnodes',
  'ip6-allrouters',
  'ip6-allhosts',
  '0.0.0.0',
]);

/** Returns the host as the URL parser writes it: lower case, ASCII, addresses in one form. Null if the text is not a host. */
function canonicalHost(text: string): string | null {
  if (/[\s/?#@\\]/.test(text) || (text.includes(':') && !text.startsWith('['))) return null;
  const url = parseUrl(`http://${text}/`);
  if (url === null) return null;
  const { hostname, port } = url;
  const host = hostname.replace(/\.$/, '');
  return port !== '' || host === '' || host.split('.').includes('') ? null : host;
}

function hostLine(text: string): BlocklistLine {
  const host = canonicalHost(isIP(text) === 6 ? `[${text}]` : text.replace(/^(\*\.|\.)/, ''));
  if (host === null) return MALFORMED;
  if (host.startsWith('[') || isIP(host) !== 0) return { kind: 'entries', keys: [host] };
  if (parseDomain(host, { allowPrivateDomains: false }).domain === null) return { kind: 'refused', reason: 'public_suffix' };
  return { kind: 'entries', keys: [host] };
}

/** Escapes of characters that mean the same unescaped (RFC 3986, section 2.3). */
const NEEDLESS_ESCAPE = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

/** Undoes needless escapes and writes the others in upper case (RFC 3986, section 6.2.2). */
function plainEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (pair) => pair.toUpperCase()).replace(NEEDLESS_ESCAPE, decodeURIComponent);
}

/**
 * Returns a page's address on its host in one spelling. Servers read an escaped letter as the letter, and nearly all
 * ignore a doubled slash.
 */
function plainPage(pathname: string, search: string): string {
  return plainEscapes(pathname).replace(/\/{2,}/g, '/') + plainEscapes(search);
}

/** The key of a page. It does not depend on the scheme, a default port or the fragment. */
function urlKey(url: URL, page: string): BlocklistKey {
  // The default ports of both schemes name the same place, because lists contain `http://host:443/` and the like.
  const port = url.port === '' || url.port === '80' || url.port === '443' ? '' : `:${url.port}`;
  return `${url.hostname.replace(/\.$/, '')}${port}${page}`;
}

function urlLine(text: string): BlocklistLine {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null;
  return url === null ? MALFORMED : { kind: 'entries', keys: [urlKey(url, plainPage(url.pathname, url.search))] };
}

function parseHostsLine(line: string): BlocklistLine {
  const [address, ...names] = line.replace(/#.*$/, '').trim().split(/\s+/) as [string, ...string[]];
  if (address === '') return SKIPPED;
  if (isIP(address.replace(/%.*$/, '')) === 0 || names.length === 0) return MALFORMED;
  const listed = names.filter((name) => !LOCAL_NAMES.has(name.toLowerCase()));
  const lines = listed.map(hostLine);
  const bad = lines.find((parsed) => parsed.kind === 'refused');
  if (bad !== undefined) return bad;
  const keys = lines.flatMap((parsed) => (parsed.kind === 'entries' ? parsed.keys : []));
  return keys.length === 0 ? SKIPPED : { kind: 'entries', keys };
}

function parsePlainLine(line: string): BlocklistLine {
  const text = line.trim();
  if (text === '' || /^[#;!]/.test(text)) return SKIPPED;
  const [entry, comment] = text.split(/\s+/) as [string, string | undefined];
  if (comment !== undefined && !/^[#;!]/.test(comment)) return MALFORMED;
  return /^https?:\/\//i.test(entry) ? urlLine(entry) : hostLine(entry);
}

/** Fields of one line of CSV (RFC 4180) without line breaks inside fields; null if a quote is left open or misplaced. */
function csvFields(line: string): string[] | null {
  const fields: string[] = [];
  let rest = line;
  for (;;) {
    const field = rest.startsWith('"') ? /^"((?:[^"]|"")*)"(?=,|$)/.exec(rest) : /^([^",]*)(?=,|$)/.exec(rest);
    if (field === null) return null;
    fields.push((field[1] as string).replaceAll('""', '"'));
    if (field[0].length === rest.length) return fields;
    rest = rest.slice(field[0].length + 1);
  }
}

/** Columns of https://urlhaus.abuse.ch/api/: id, dateadded, url, url_status, last_online, threat, tags, urlhaus_link, reporter. */
const URLHAUS_URL_COLUMN = 2;
const URLHAUS_COLUMNS_MIN = 8;

function parseUrlhausLine(line: string): BlocklistLine {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return SKIPPED;
  const fields = csvFields(text);
  if (fields === null || fields.length < URLHAUS_COLUMNS_MIN) return MALFORMED;
  const url = fields[URLHAUS_URL_COLUMN] as string;
  return url === 'url' && fields[0] === 'id' ? SKIPPED : urlLine(url);
}

const PARSERS: Readonly<Record<BlocklistFormat, (line: string) => BlocklistLine>> = {
  hosts: parseHostsLine,
  plain: parsePlainLine,
  urlhaus: parseUrlhausLine,
};

/** No list has an entry with a longer line: a URL has at most 2,048 characters, and the line has eight more columns. */
export const BLOCKLIST_LINE_CHARACTERS_MAX = 8192;

/** Parses one line of a list. `line` has no line break. */
export function parseBlocklistLine(format: BlocklistFormat, line: string): BlocklistLine {
  return line.length > BLOCKLIST_LINE_CHARACTERS_MAX ? MALFORMED : PARSERS[format](line.replace(/^\ufeff/, ''));
}

/**
 * Returns every key under which a destination could be listed: its host, each name above it, and the URL on its host.
 * Empty if the destination does not lead to an http(s) URL. A listed host covers the names below it; a listed URL
 * covers only itself. In a template the placeholders stay as they are, so its host is compared but its URLs are not.
 */
export function blocklistKeys(destination: string): BlocklistKey[] {
  // The placeholder for a path ends the host, as the path that replaces it does.
  const text = destination.replaceAll(DEEP_LINK_PATH_PLACEHOLDER, '/');
  const url = parseUrl(storeWebUrl(text) || text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return [];
  const page = url.pathname + url.search;
  // Lists that an earlier release imported contain pages as they were spelt.
  return [...new Set([...hostSuffixes(url.hostname), urlKey(url, plainPage(url.pathname, url.search)), urlKey(url, page)])];
}

/** The query for those of the keys that are on any of the operator's lists. A row is `{ key }`. */
export function listedKeysQuery(keys: readonly BlocklistKey[]) {
  return { name: 'listed_keys', text: 'SELECT key FROM blocklist_entries WHERE key = ANY ($1::text[])', values: [keys] };
}
