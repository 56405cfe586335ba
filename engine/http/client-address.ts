import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The client's address behind `hops` proxies that each append the address they were called from: the entry that many
 * from the right. Whatever stands to the left of it was written by the client. '' where the header holds fewer entries
 * or no address there: the request came past the proxies, and the socket is all that can be believed.
 */
export function forwardedAddress(forwardedFor: string, hops: number): string {
  if (hops === 0 || forwardedFor === '') return '';
  let end = forwardedFor.length;
  for (let hop = 1; hop < hops; hop++) {
    end = forwardedFor.lastIndexOf(',', end - 1);
    if (end <= 0) return '';
  }
  return bareAddress(forwardedFor.slice(forwardedFor.lastIndexOf(',', end - 1) + 1, end).trim());
}

/** Some proxies write a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function bareAddress(entry: string): string {
  let text = entry;
  if (entry.startsWith('[')) text = /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? '';
  else if (entry.indexOf(':') !== -1 && entry.indexOf(':') === entry.lastIndexOf(':')) text = entry.slice(0, entry.indexOf(':'));
  return isIP(text) === 0 ? '' : text;
}

/** The 4 or 16 bytes of an address as text; empty where it is none. An IPv4 address inside IPv6 gives its 4 bytes. */
export function addressBytes(text: string): Uint8Array {
  if (!ipaddr.isValid(text)) return new Uint8Array(0);
  return Uint8Array.from(ipaddr.process(text).toByteArray());
}
