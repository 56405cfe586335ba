import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { parse as parseDomain } from 'tldts';
import { pointerTo } from '../base/issue.js';
import { parseUrl } from '../base/parse-url.js';
import { DESTINATION_SLOTS, type Destinations } from '../records/records.js';
import { hostSuffixes } from './host-suffixes.js';
import { isMixedScript } from './mixed-script.js';
import { URL_SHORTENERS } from './url-shorteners.js';

/** What makes a destination look suspicious. Each is a stable code of the public contract. */
export const SUSPICION_REASONS = {
  ip_host: 'The host is an IP address, or is read as one by browsers.',
  punycode_host: 'A label of the host is internationalised: its ASCII form begins with "xn--".',
  mixed_script_host: 'A label of the host mixes scripts that no language mixes, such as Latin and Cyrillic.',
  credentials_in_url: 'The URL contains a user name or password, which can be mistaken for the host.',
  unusual_port: 'The URL has a port other than the default of its scheme.',
  insecure_http: 'The URL is http: others can read and change the response on the way.',
  url_shortener: 'The host belongs to a public URL shortener, so the real destination can change.',
  open_redirect_parameter: 'A query parameter that is often used for redirects contains a URL on another host.',
  executable_download: 'The path ends in the extension of a program, an installer or a disk image.',
} as const satisfies Record<string, string>;

export type SuspicionReason = keyof typeof SUSPICION_REASONS;

/**
 * Names of parameters from which sites read where to go next, as collections of open redirects list them. They are
 * compared in lower case.
 */
const REDIRECT_PARAMETERS: ReadonlySet<string> = new Set([
  'callback',
  'checkout_url',
  'continue',
  'dest',
  'destination',
  'forward',
  'go',
  'goto',
  'image_url',
  'link',
  'next',
  'out',
  'q',
  'r',
  'redir',
  'redir_url',
  'redirect',
  'redirect_to',
  'redirect_uri',
  'redirect_url',
  'redirecturl',
  'ref_url',
  'return',
  'return_path',
  'return_to',
  'returnto',
  'return_url',
  'returnurl',
  'rurl',
  'target',
  'to',
  'u',
  'uri',
  'url',
  'view',
]);

/**
 * Files that a click would run or mount. `.com` is left out because it ends site names far more often than programs,
 * and `.js` because browsers show it as text.
 */
const EXECUTABLE_EXTENSIONS: ReadonlySet<string> = new Set(
  'apk apkm appimage appinstaller appx bat bin cab cmd cpl deb dll dmg exe gadget hta img ipa iso jar jse lnk msi msix msp pif pkg ps1 reg rpm run scr sh vbe vbs vhd vhdx wsf xapk'.split(
    ' ',
  ),
);

function isIpHost(url: URL): boolean {
  // The URL parser has written decimal, octal and hexadecimal addresses in their usual form.
  return url.hostname.startsWith('[') || isIP(url.hostname.replace(/\.$/, '')) !== 0;
}

function isShortener(url: URL): boolean {
  return hostSuffixes(url.hostname).some((suffix) => URL_SHORTENERS.has(suffix));
}

/** The registrable domain of the host, or the host itself if it has none. Names with the same site have one owner. */
function siteOf(host: string): string {
  return parseDomain(host, { allowPrivateDomains: true }).domain ?? host;
}

/**
 * Whether the value, taken as a link on the destination's page, leads to another site. Protocol-relative and backslash
 * forms are read as browsers do.
 */
function leadsElsewhere(value: string, url: URL): boolean {
  const target = /^\s*(https?:|[/\\]{2})/i.test(value) ? parseUrl(value, url.href) : null;
  return target !== null && target.hostname !== '' && siteOf(target.hostname) !== siteOf(url.hostname);
}

function hasOpenRedirect(url: URL): boolean {
  for (const [name, value] of url.searchParams) if (REDIRECT_PARAMETERS.has(name.toLowerCase()) && leadsElsewhere(value, url)) return true;
  return false;
}

function isExecutable(url: URL): boolean {
  const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot !== -1 && EXECUTABLE_EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}

const CHECKS: Readonly<Record<SuspicionReason, (url: URL) => boolean>> = {
  ip_host: isIpHost,
  punycode_host: (url) => url.hostname.split('.').some((label) => label.startsWith('xn--')),
  mixed_script_host: (url) => domainToUnicode(url.hostname).split('.').some(isMixedScript),
  credentials_in_url: (url) => url.username !== '' || url.password !== '',
  // URL leaves `port` empty for the scheme's default port.
  unusual_port: (url) => url.port !== '',
  insecure_http: (url) => url.protocol === 'http:',
  url_shortener: isShortener,
  open_redirect_parameter: hasOpenRedirect,
  executable_download: isExecutable,
};

/**
 * Returns why the destination looks suspicious, in the order of `SUSPICION_REASONS`; empty if it does not. Only the
 * text is judged; nothing is resolved or fetched. A URL that is not http(s), such as an app's own, is never suspicious.
 * A template's URL is judged with its placeholders in place.
 */
export function suspicionReasons(destination: string): SuspicionReason[] {
  const url = parseUrl(destination);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return [];
  return (Object.keys(CHECKS) as SuspicionReason[]).filter((reason) => CHECKS[reason](url));
}

/** An item of `warnings` in the response to a creation or change. */
export interface DestinationWarning {
  readonly code: 'destination_suspicious';
  readonly pointer: string;
  readonly detail: string;
  readonly reasons: SuspicionReason[];
}

/** Returns a warning for each destination that looks suspicious. `pointer` names the object that contains them. */
export function destinationWarnings(destinations: Destinations, pointer: string): DestinationWarning[] {
  return DESTINATION_SLOTS.flatMap((slot) => {
    const reasons = suspicionReasons(destinations[slot] ?? '');
    if (reasons.length === 0) return [];
    const detail = reasons.map((reason) => SUSPICION_REASONS[reason]).join(' ');
    return [{ code: 'destination_suspicious', pointer: pointerTo(pointer, slot), detail, reasons }] as const;
  });
}
