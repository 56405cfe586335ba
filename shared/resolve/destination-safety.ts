import type { DestinationSlot } from '../records/records.js';

/** Why a URL may not be a destination. */
export type DestinationRefusal =
  /** A byte outside 0x21 to 0x7E: it could end the header that contains it, or hide a scheme. */
  | 'unprintable_character'
  /** No scheme, or http(s) without a host. */
  | 'not_a_url'
  /** A scheme that runs or reads something instead of leading somewhere. */
  | 'scheme_refused'
  /** An app's own scheme in a slot that has no app behind it. */
  | 'custom_scheme_refused';

export type DestinationKind = 'web' | 'app_store' | 'play_store' | 'custom_scheme';

const FIRST_PRINTABLE = 0x21;
const LAST_PRINTABLE = 0x7e;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** A scheme and an authority with a host. The authority has no backslash, which browsers read as a slash. */
const WEB = /^https?:\/\/(?:[^/?#\\@]*@)?([^/?#\\@:]+|\[[0-9a-f:.]+\])(?::\d*)?(?=[/?#]|$)/i;
/** Schemes that run or read something instead of leading somewhere, rebuild an intent, install a program, or speak another protocol. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'chrome',
  'content',
  'data',
  'file',
  'filesystem',
  'ftp',
  'googlechrome',
  'googlechromes',
  'intent',
  'itms-services',
  'javascript',
  'vbscript',
  'view-source',
  'ws',
  'wss',
]);

/** Schemes of the stores' own apps, each with the platform whose store it is. */
const STORE_SCHEMES: ReadonlyMap<string, 'ios' | 'android'> = new Map([
  ['itms-apps', 'ios'],
  ['itms-appss', 'ios'],
  ['market', 'android'],
]);

/** The scheme in lower case, without the colon; null if the URL has none. */
export function schemeOf(url: string): string | null {
  return SCHEME.exec(url)?.[1]?.toLowerCase() ?? null;
}

/** The platform whose store the scheme opens; undefined for any other scheme. */
export function storeOfScheme(scheme: string): 'ios' | 'android' | undefined {
  return STORE_SCHEMES.get(scheme);
}

/**
 * Whether every character is allowed in a response header. HTTP servers copy what they are given: a CR or LF in
 * `Location` would let the visitor begin a header, or a response, of their own (RFC 9110, section 5.5).
 */
export function isHeaderSafe(text: string): boolean {
  if (text === '') return false;
  // A loop over a URL costs less than a call of a regular expression.
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < FIRST_PRINTABLE || code > LAST_PRINTABLE) return false;
  }
  return true;
}

/**
 * Returns why the URL may not be a destination of the slot, or null. The caller bounds its length. This is called when
 * a link is stored and again on every visit, because a row may have reached the database in another way.
 */
export function destinationRefusal(url: string, slot: DestinationSlot): DestinationRefusal | null {
  if (!isHeaderSafe(url)) return 'unprintable_character';
  if (WEB.test(url)) return null;
  const scheme = schemeOf(url);
  if (scheme === null || scheme === 'http' || scheme === 'https') return 'not_a_url';
  if (REFUSED_SCHEMES.has(scheme)) return 'scheme_refused';
  return slot === 'ios' || slot === 'android' ? null : 'custom_scheme_refused';
}

/** Whether a browser can be redirected to the URL. Any other URL needs a person's tap on a page. */
export function isWebUrl(url: string): boolean {
  return WEB.test(url);
}

const PLAY_STORE_HOST = 'play.google.com';
const APP_STORE_HOSTS: ReadonlySet<string> = new Set([
  'apps.apple.com',
  'itunes.apple.com',
  'appgallery.huawei.com',
  'galaxystore.samsung.com',
  'apps.samsung.com',
]);

/** Lengths of the stores' host names. A host of any other length is not a store's. */
const STORE_HOST_LENGTHS: ReadonlySet<number> = new Set([...APP_STORE_HOSTS, PLAY_STORE_HOST].map((host) => host.length));

const HASH = 0x23;
const SLASH = 0x2f;
const COLON = 0x3a;
const QUESTION_MARK = 0x3f;
const AT = 0x40;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;

/**
 * Returns the kind of the URL in the slot, or why it is refused. Both come from one pass, because this is called on
 * every visit. No kind has the same word as a `DestinationRefusal`.
 */
export function judgeDestination(url: string, slot: DestinationSlot): DestinationKind | DestinationRefusal {
  if (isHeaderSafe(url)) {
    const kind = plainWebKind(url);
    if (kind !== null) return kind;
  }
  return destinationRefusal(url, slot) ?? destinationKind(url);
}

export function isDestinationKind(judged: DestinationKind | DestinationRefusal): judged is DestinationKind {
  return judged === 'web' || judged === 'app_store' || judged === 'play_store' || judged === 'custom_scheme';
}

/**
 * Returns the kind of a URL of the usual form: `http:` or `https:` in lower case, and only a host name before the path.
 * Null for every other URL, which the regular expressions above judge. This takes a tenth of their time.
 */
function plainWebKind(url: string): DestinationKind | null {
  const start = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : -1;
  if (start === -1) return null;
  let end = start;
  for (; end < url.length; end++) {
    const code = url.charCodeAt(end);
    if (code === SLASH || code === QUESTION_MARK || code === HASH) break;
    if (code === COLON || code === AT || code === BACKSLASH || code === BRACKET) return null;
  }
  if (end === start) return null;
  return STORE_HOST_LENGTHS.has(end - start) ? storeOf(url.slice(start, end).toLowerCase()) : 'web';
}

/** The kind of a destination that was not refused. */
export function destinationKind(url: string): DestinationKind {
  const host = WEB.exec(url)?.[1];
  if (host !== undefined) return storeOf(host.toLowerCase());
  const store = storeOfScheme(schemeOf(url) ?? '');
  if (store === undefined) return 'custom_scheme';
  return store === 'ios' ? 'app_store' : 'play_store';
}

/**
 * Returns the web address of a store's page, to which a browser can be redirected, whatever spelling the destination
 * has; '' if it has none. `itms-apps:` is https in all but its name, and `market:` has pages of the same names and
 * queries.
 */
export function storeWebUrl(url: string): string {
  if (isWebUrl(url)) return url;
  const market = /^market:\/\/(details|search)(?=\?)/i.exec(url);
  if (market !== null)
    return `https://${PLAY_STORE_HOST}/store/${market[1] === 'search' ? 'search' : 'apps/details'}${url.slice(market[0].length)}`;
  const web = url.replace(/^itms-appss?:/i, 'https:');
  return isWebUrl(web) ? web : '';
}

function storeOf(host: string): DestinationKind {
  if (host === PLAY_STORE_HOST) return 'play_store';
  return APP_STORE_HOSTS.has(host) ? 'app_store' : 'web';
}
