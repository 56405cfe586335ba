import { promises as dns } from 'node:dns';

/** What DNS says of a name's TXT records. */
export type TxtAnswer =
  | { readonly kind: 'values'; readonly values: readonly string[] }
  /** The name does not exist, or has no TXT record. */
  | { readonly kind: 'none' }
  /** No server could say. */
  | { readonly kind: 'failed'; readonly code: string };

/** Never rejects for what happens outside of this process. */
export type TxtLookup = (name: string) => Promise<TxtAnswer>;

const TRY_MS = 2000;
const TRIES = 2;

/** All tries together, servers that answer bytes forever included. */
const DEADLINE_MS = 5000;

/** `servers` are addresses with an optional port; none asks the system's servers. */
export function createTxtLookup(servers: readonly string[]): TxtLookup {
  return async (name) => {
    // A resolver of its own: it reads the present resolv.conf, and cancelling it cancels nobody else's question.
    const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      const records = await resolver.resolveTxt(name);
      // A record is cut into strings of 255 bytes that belong together (RFC 7208, section 3.3).
      return { kind: 'values', values: records.map((strings) => strings.join('')) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === dns.NODATA || code === dns.NOTFOUND) return { kind: 'none' };
      // c-ares's and the system's own codes; Node.js writes ERR_ before what is wrong with a call.
      if (/^E[A-Z]+$/.test(code)) return { kind: 'failed', code };
      throw error;
    } finally {
      clearTimeout(deadline);
    }
  };
}
