import { PATH_CHARACTERS_MAX } from '../base/limits.js';

/** The meaning of an address that is answered on every host and takes precedence over a link of the same name. */
export type ReservedAddress =
  | 'apple_app_site_association'
  | 'asset_links'
  | 'robots'
  | 'live'
  | 'ready'
  | 'click_device'
  | 'host_proof'
  | 'brand_logo';

/** The path at which a page reports what it has learnt about the device behind its click. */
export const CLICK_DEVICE_PATH = '/.well-known/click-device';

/** The path at which a host shows that this service answers it. */
export const HOST_PROOF_PATH = '/.well-known/link-host';

/** The path of the logo of the environment that the host belongs to. */
export const BRAND_LOGO_PATH = '/.well-known/brand-logo';

const RESERVED: ReadonlyMap<string, ReservedAddress> = new Map([
  ['/.well-known/apple-app-site-association', 'apple_app_site_association'],
  ['/apple-app-site-association', 'apple_app_site_association'],
  ['/.well-known/assetlinks.json', 'asset_links'],
  ['/robots.txt', 'robots'],
  ['/health/live', 'live'],
  ['/health/ready', 'ready'],
  [CLICK_DEVICE_PATH, 'click_device'],
  [HOST_PROOF_PATH, 'host_proof'],
  [BRAND_LOGO_PATH, 'brand_logo'],
]);

/** The only reserved address that reads as a short path. */
export const RESERVED_SHORT_PATH = 'apple-app-site-association';

/** What the URL path is reserved for; null if it is not. */
export function reservedAddress(urlPath: string): ReservedAddress | null {
  return RESERVED.get(urlPath) ?? null;
}

/** 1 for letters, digits, `-` and `_`. */
const PATH_CHARACTERS = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') PATH_CHARACTERS[character.charCodeAt(0)] = 1;

/**
 * Returns `abc` for `/abc` and `/abc/`; '' if the URL path is not a short path. Case counts. No character of a short
 * path needs an escape, but clients may write one, and the URL is the same with and without it (RFC 3986, section
 * 6.2.2.2).
 */
export function shortPath(urlPath: string): string {
  const path = plainShortPath(urlPath);
  if (path !== '' || urlPath.length > ESCAPED_PATH_CHARACTERS_MAX || !urlPath.includes('%')) return path;
  return plainShortPath(urlPath.replaceAll(/%[\dA-Fa-f]{2}/g, unescapePathCharacter));
}

/** Two slashes, and three characters for each character of the path. */
const ESCAPED_PATH_CHARACTERS_MAX = 2 + 3 * PATH_CHARACTERS_MAX;

/** Keeps any other escape as it is, so that `%2F` does not end a path and `%2561` is not decoded twice. */
function unescapePathCharacter(triplet: string): string {
  const code = Number.parseInt(triplet.slice(1), 16);
  return code < 128 && PATH_CHARACTERS[code] === 1 ? String.fromCharCode(code) : triplet;
}

function plainShortPath(urlPath: string): string {
  let end = urlPath.length;
  if (end > 2 && urlPath.charCodeAt(end - 1) === 0x2f) end--;
  if (end < 2 || end > PATH_CHARACTERS_MAX + 1 || urlPath.charCodeAt(0) !== 0x2f) return '';
  for (let index = 1; index < end; index++) {
    const code = urlPath.charCodeAt(index);
    if (code > 127 || PATH_CHARACTERS[code] === 0) return '';
  }
  return urlPath.slice(1, end);
}
