import { promises as dns } from 'node:dns';

/**
 * Returns the addresses of a name, IPv4 first; rejects if it has none. `signal` ends the wait. The addresses are
 * checked and dialled as returned: no name is resolved twice.
 */
export type Resolver = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

const DNS_TRY_MS = 2000;
const DNS_TRIES = 3;

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
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    // A name usually has one family only; the other query's error matters only if neither was answered.
    const addresses = [...(four.status === 'fulfilled' ? four.value : []), ...(six.status === 'fulfilled' ? six.value : [])];
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** Resolves names of origins that the operator allows (`localhost`, a host of the own network), as the system does. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true, order: 'ipv4first' });
  return found.map((entry) => entry.address);
};
