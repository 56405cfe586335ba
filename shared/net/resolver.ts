import { promises as dns } from 'node:dns';

/**
 * Addresses of a name, IPv4 first; rejects if it has none. `signal` ends the wait. What it answers is checked and
 * dialled as it is: nothing is asked twice.
 */
export type Resolver = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

const DNS_TRY_MS = 2000;
const DNS_TRIES = 3;

/**
 * For public names: asks the configured DNS servers directly (c-ares), one question for each family. Not `dns.lookup`:
 * that runs getaddrinfo on the four threads of libuv, and four names whose servers do not answer would stop every other
 * call of the process; it would also append search domains and read the hosts file, which name private machines.
 */
export const publicResolver: Resolver = async (hostname, signal) => {
  // A resolver of its own: it reads the present resolv.conf, and cancelling it cancels nobody else's question.
  const resolver = new dns.Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    // A name usually has one family only; the other question's error matters where neither was answered.
    const addresses = [...(four.status === 'fulfilled' ? four.value : []), ...(six.status === 'fulfilled' ? six.value : [])];
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** For origins the operator allows by name (`localhost`, a host of the own network): the system's way of finding names. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true, order: 'ipv4first' });
  return found.map((entry) => entry.address);
};
