import { askDns, type DnsAnswer } from './ask-dns.js';

/** The values of a name's TXT records. */
export type TxtLookup = (name: string) => Promise<DnsAnswer<readonly string[]>>;

/** `servers` are addresses with an optional port; if empty, the system's servers are asked. */
export function createTxtLookup(servers: readonly string[]): TxtLookup {
  return (name) =>
    askDns(servers, async (resolver) => {
      // A record is split into strings of 255 bytes that belong together (RFC 7208, section 3.3).
      return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
    });
}
