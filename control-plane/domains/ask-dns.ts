import { promises as dns } from 'node:dns';

/** What DNS says to a question. */
export type DnsAnswer<Records> =
  | { readonly kind: 'answered'; readonly records: Records }
  /** The name does not exist, or has no such record. */
  | { readonly kind: 'none' }
  /** No server could say. */
  | { readonly kind: 'failed'; readonly code: string };

const TRY_MS = 2000;
const TRIES = 2;

/** All tries together, servers that answer bytes forever included. */
const DEADLINE_MS = 5000;

/** Never rejects for what happens outside of this process. `servers` are addresses with an optional port; none asks the system's servers. */
export async function askDns<Records>(
  servers: readonly string[],
  question: (resolver: dns.Resolver) => Promise<Records>,
): Promise<DnsAnswer<Records>> {
  // A resolver of its own: it reads the present resolv.conf, and cancelling it cancels nobody else's question.
  const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
  try {
    return { kind: 'answered', records: await question(resolver) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === dns.NODATA || code === dns.NOTFOUND) return { kind: 'none' };
    // c-ares's and the system's own codes; Node.js writes ERR_ before what is wrong with a call.
    if (/^E[A-Z]+$/.test(code)) return { kind: 'failed', code };
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}
