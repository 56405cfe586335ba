import { promises as dns } from 'node:dns';

/** The answer of DNS to a question. */
export type DnsAnswer<Records> =
  | { readonly kind: 'answered'; readonly records: Records }
  /** The name does not exist, or has no such record. */
  | { readonly kind: 'none' }
  /** No server could answer. */
  | { readonly kind: 'failed'; readonly code: string };

const TRY_MS = 2000;
const TRIES = 2;

/** Limits all tries together, even if a server keeps sending bytes forever. */
const DEADLINE_MS = 5000;

/**
 * Does not reject for faults outside of this process. `servers` are addresses with an optional port; if empty, the system's servers are
 * asked.
 */
export async function askDns<Records>(
  servers: readonly string[],
  question: (resolver: dns.Resolver) => Promise<Records>,
): Promise<DnsAnswer<Records>> {
  // A resolver per question reads the current resolv.conf, and cancelling it does not cancel any other question.
  const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
  try {
    return { kind: 'answered', records: await question(resolver) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === dns.NODATA || code === dns.NOTFOUND) return { kind: 'none' };
    // The codes of c-ares and of the system. Node.js begins a code with ERR_ if the call itself is wrong.
    if (/^E[A-Z]+$/.test(code)) return { kind: 'failed', code };
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}
