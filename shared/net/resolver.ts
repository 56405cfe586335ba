import { promises as dns } from 'node:dns';

/**
 * Returns the addresses of a name, IPv4 first; rejects if it has none. `signal` ends the wait. The addresses are
 * checked and dialled as returned: no name is resolved twice.
 */
export type Resolver = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

const DNS_TRY_MS = 2000;
const DNS_TRIES = 3;
/** How long to wait for the second family. Some servers never answer queries for AAAA, and all tries together take longer than a request may. */
const SECOND_FAMILY_MS = 1000;

/**
 * Resolves public names: asks the configured DNS servers directly (c-ares), one query for each family. It does not use
 * `dns.lookup`, which runs getaddrinfo on the four threads of libuv, so that four names whose servers do not answer
 * would stop every other call of the process. `dns.lookup` would also append search domains and read the hosts file,
 * which name private machines.
 */
export const publicResolver: Resolver = async (hostname, signal) => {
  // A separate resolver reads the present resolv.conf, and cancelling it cancels no other query.
  const resolver = new dns.Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await bothFamilies(resolver.resolve4(hostname), resolver.resolve6(hostname), SECOND_FAMILY_MS);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
};

/**
 * Returns the addresses of both families, or those of one if the other fails or takes `waitMs` longer. A name usually has one family only.
 * Rejects with the error of the first query if both fail.
 */
export async function bothFamilies(
  four: Promise<readonly string[]>,
  six: Promise<readonly string[]>,
  waitMs: number,
): Promise<readonly string[]> {
  const queries = [four, six];
  await Promise.any(queries).catch(() => four);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), waitMs);
  });
  const found = await Promise.all(queries.map((query) => Promise.race([query.catch(() => []), late])));
  clearTimeout(timer);
  return found.flat();
}

/** Resolves names of origins that the operator allows (`localhost`, a host of the own network), as the system does. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true, order: 'ipv4first' });
  return found.map((entry) => entry.address);
};
