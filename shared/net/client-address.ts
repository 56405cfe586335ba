import { ADDRESS_BYTES, isV4Text, readAddressText, socketAddress } from './address.js';
import type { AddressRanges } from './address-ranges.js';

/**
 * Which peers are trusted to report a client's address.
 *
 * neither given     None: the address is the socket's.
 * `hops` alone      Every client that connects is a proxy, which a firewall has to ensure. The client is the entry that many from
 *                   the right in X-Forwarded-For, because each proxy appends the address it was called from.
 * `proxies` alone   A peer in these networks is a proxy. The client is the rightmost entry outside of them; if every
 *                   entry is inside, the leftmost.
 * both              A peer in these networks is a proxy, and the client is the entry that `hops` says.
 *
 * Entries to the left of the client's were written by the client and are ignored. `Forwarded` (RFC 7239) is never read: a
 * proxy that sets one of the two headers passes the other on as the client wrote it.
 */
export interface ProxyTrust {
  readonly hops: number;
  readonly proxies: AddressRanges | null;
}

/** Maximum number of proxies in a row, in either way to find the client. More are a client's invention, not a network. */
export const PROXY_HOPS_MAX = 16;

/**
 * Returns the client's address as the proxies report it, without port, brackets and zone. '' if no peer is trusted, or if
 * the entry is missing or is not an address: then the request bypassed the proxies, and only the socket can be believed.
 * `peer` has the 4 or 16 bytes of the socket's address; it may be null if `proxies` is null, because it is only needed there.
 * `forwardedFor` is every X-Forwarded-For of the request, joined by commas in their order.
 */
export function forwardedAddress({ hops, proxies }: ProxyTrust, peer: Uint8Array | null, forwardedFor: string): string {
  if (forwardedFor === '') return '';
  if (proxies !== null && (peer === null || peer.length === 0 || !proxies.has(peer))) return '';
  if (hops > 0) return nthFromRight(forwardedFor, hops);
  return proxies === null ? '' : rightmostOutside(forwardedFor, proxies);
}

/** The same for a caller that has the socket's address as text, which is the result if `forwardedAddress` finds none. */
export function clientAddress(trust: ProxyTrust, peer: string, forwardedFor: string): string {
  return forwardedAddress(trust, socketAddress(peer), forwardedFor) || peer;
}

const address = new Uint8Array(ADDRESS_BYTES);

function nthFromRight(forwardedFor: string, hops: number): string {
  // Most headers are one IPv4 address.
  if (hops === 1 && isV4Text(forwardedFor)) return forwardedFor;
  let end = forwardedFor.length;
  for (let hop = 1; hop < hops; hop++) {
    end = forwardedFor.lastIndexOf(',', end - 1);
    if (end <= 0) return '';
  }
  const entry = entryBefore(forwardedFor, end);
  if (isV4Text(entry)) return entry;
  return readAddressText(entry, address) ? bareAddress(entry) : '';
}

function rightmostOutside(forwardedFor: string, proxies: AddressRanges): string {
  let end = forwardedFor.length;
  for (let hop = 0; hop < PROXY_HOPS_MAX; hop++) {
    const entry = entryBefore(forwardedFor, end);
    if (!readAddressText(entry, address)) return '';
    end = forwardedFor.lastIndexOf(',', end - 1);
    if (end <= 0 || !proxies.has(address)) return bareAddress(entry);
  }
  return '';
}

/** By hand, because most headers are one address, and `lastIndexOf` alone costs more than this (it leaves compiled code). */
function entryBefore(forwardedFor: string, end: number): string {
  let start = end;
  while (start > 0 && forwardedFor.charCodeAt(start - 1) !== COMMA) start--;
  return start === 0 && end === forwardedFor.length ? forwardedFor.trim() : forwardedFor.slice(start, end).trim();
}

const COMMA = 0x2c;

/** Some proxies write a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function bareAddress(entry: string): string {
  const bracket = entry.indexOf(']');
  const colon = entry.indexOf(':');
  const text = bracket !== -1 ? entry.slice(1, bracket) : colon === entry.lastIndexOf(':') && colon !== -1 ? entry.slice(0, colon) : entry;
  const zone = text.indexOf('%');
  return zone === -1 ? text : text.slice(0, zone);
}
