import { isIP } from 'node:net';
import { parse as parseDomain } from 'tldts';
import { parseUrl } from '../base/parse-url.js';
import { isUrlTooLong } from '../base/url-length.js';
import { isHostAsWritten } from './host-name.js';
import { isPublicAddress } from './public-address.js';
import { publicResolver, type Resolver } from './resolver.js';

/** Why a URL may not be called. The words are stable: they are shown to customers. */
export type UrlRefusal =
  | 'malformed'
  | 'not_https'
  | 'credentials'
  | 'rewritten'
  | 'ip_address'
  | 'trailing_dot'
  | 'single_label'
  | 'local_name'
  | 'not_registrable'
  | 'private_address';

/** A sentence for each, fit for `errors[].detail`. */
export const URL_REFUSAL_DETAILS: Readonly<Record<UrlRefusal, string>> = {
  malformed: 'is not an absolute URL of at most 2,048 characters, 8,192 with escaped ones',
  not_https: 'must use https',
  credentials: 'must not contain a user name or password',
  rewritten: 'must have a host name without percent-encoding and invisible characters',
  ip_address: 'must name a host, not an IP address',
  trailing_dot: 'host name must not end with a dot',
  single_label: 'host name must have more than one label',
  local_name: 'host name is reserved for local networks',
  not_registrable: 'host name is not under a public domain',
  private_address: 'host name resolves to an address that is not public',
};

const HOST_CHARACTERS_MAX = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** By the URL standard, a host whose last label is a number in any notation is an IPv4 address or an error. */
const NUMBER_LABEL = /^(\d+|0x[0-9a-f]*)$/;

/**
 * Suffixes that resolve only on private networks (RFC 6761, 6762, 7686, 8375, ICANN's `.internal`), in the forms seen
 * in the wild. `isIcann` below would refuse most of them too; these have a word of their own and do not depend on a
 * list that changes.
 */
const LOCAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'in-addr.arpa',
  'ip6.arpa',
  'onion',
  'alt',
  'test',
  'invalid',
];

export type UrlVerdict =
  /** A public https URL; its name has not been resolved. */
  | { readonly verdict: 'public'; readonly url: URL }
  /** The operator allows the origin, whatever it is. */
  | { readonly verdict: 'allowed'; readonly url: URL }
  | { readonly verdict: 'refused'; readonly reason: UrlRefusal };

/** Judges a URL by its text. `allow` contains origins (`http://127.0.0.1:4000`) that are exempt from every rule except that of the form. */
export function judgeUrl(text: string, allow: readonly string[]): UrlVerdict {
  const refused = (reason: UrlRefusal): UrlVerdict => ({ verdict: 'refused', reason });
  // The URL parser strips or rewrites these characters, so that two readers could see two hosts.
  if (isUrlTooLong(text) || /[\s\\\p{Cc}]/u.test(text)) return refused('malformed');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i.exec(text);
  const url = scheme === null ? null : parseUrl(text);
  if (url === null || isUrlTooLong(url.href)) return refused('malformed');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('not_https');
  if (scheme?.[2]?.includes('@')) return refused('credentials');
  if (allow.includes(url.origin)) return { verdict: 'allowed', url };
  if (url.protocol !== 'https:') return refused('not_https');
  const reason = judgeHostname(url.hostname) ?? (isHostAsWritten(scheme?.[2] as string, url.hostname) ? null : 'rewritten');
  return reason === null ? { verdict: 'public', url } : refused(reason);
}

/** Judges a host name as `URL.hostname` writes it (lower case, punycode, IP addresses in canonical form); null if it may be public. */
export function judgeHostname(hostname: string): UrlRefusal | null {
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return 'ip_address';
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const labels = name.split('.');
  if (NUMBER_LABEL.test(labels.at(-1) as string)) return 'ip_address';
  if (name !== hostname) return 'trailing_dot';
  if (hostname.length > HOST_CHARACTERS_MAX || !labels.every((label) => LABEL.test(label))) return 'malformed';
  if (LOCAL_SUFFIXES.some((suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`))) return 'local_name';
  if (labels.length === 1) return 'single_label';
  // RFC 6761, section 6.5: reserved for documentation, and looked up in public DNS like any other name.
  if (labels.at(-1) === 'example') return null;
  // The public suffix list: a name that belongs to no registry is resolved, if at all, by a private DNS server.
  const { domain, isIcann } = parseDomain(hostname, { allowPrivateDomains: false, extractHostname: false });
  return domain === null || isIcann !== true ? 'not_registrable' : null;
}

/** Judges all addresses of a name together. One that is not public refuses them all, because an answer that mixes both is an attack. */
export function arePublic(addresses: readonly string[]): boolean {
  return addresses.every(isPublicAddress);
}

export interface OutboundUrlCheck {
  /** OUTBOUND_ALLOW. */
  readonly allow: readonly string[];
  readonly resolver?: Resolver;
  /** How long a name may take to resolve before it counts as one that does not. */
  readonly resolveDeadlineMs?: number;
}

const RESOLVE_DEADLINE_MS = 3000;

/**
 * Checks a URL that a customer stores (webhook endpoint, metadata API). Returns null if the URL may be stored, else why
 * not. A name that does not resolve is accepted: its DNS may be set up later, it reaches nobody until then, and every
 * connection is checked again when it is made (`guarded-connector.ts`), which is where the protection lies.
 */
export async function checkOutboundUrl(text: string, check: OutboundUrlCheck): Promise<UrlRefusal | null> {
  const judged = judgeUrl(text, check.allow);
  if (judged.verdict === 'refused') return judged.reason;
  if (judged.verdict === 'allowed') return null;
  const addresses = await resolveWithin(
    check.resolver ?? publicResolver,
    judged.url.hostname,
    check.resolveDeadlineMs ?? RESOLVE_DEADLINE_MS,
  );
  return arePublic(addresses) ? null : 'private_address';
}

/** Returns no addresses if the name has none, or if its servers fail or do not answer in time. All of these come from the outside world. */
async function resolveWithin(resolver: Resolver, hostname: string, deadlineMs: number): Promise<readonly string[]> {
  const deadline = new AbortController();
  const expired = new Promise<readonly string[]>((resolve) => {
    deadline.signal.addEventListener('abort', () => resolve([]), { once: true });
  });
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  try {
    return await Promise.race([resolver(hostname, deadline.signal).catch(() => []), expired]);
  } finally {
    clearTimeout(timer);
  }
}
