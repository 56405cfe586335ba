import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type BoundFunctions, bindCLibrary } from '../../shared/base/c-library.js';
import type { Logger } from '../../shared/base/log.js';

/**
 * Closing a listening socket resets every connection that the kernel has set up for it and that was not accepted yet. A visitor is
 * then refused although another process listens on the same port. With 15,000 new connections a second, 20 restarts reset 7 to 44
 * of 87,000.
 *
 * Linux can hand those connections to another listener of the port if `net.ipv4.tcp_migrate_req = 1` (5.14 and later; 0 of 193,000
 * were reset in the same test). If that is off, new handshakes are stopped first: the listening socket is set to take only
 * segments with a TTL of 255 (RFC 5082), which the segments of clients do not have. So segments that begin a connection are
 * dropped. The handshakes under way, which the kernel keeps apart from the listening socket, complete and are accepted, and the
 * socket closes with an empty queue. A client whose first segment was dropped sends it again after one second, and reaches another
 * process. A restart can delay a new connection by a second, but refuses none.
 *
 * This needs no privilege. A packet filter on the socket does the same, but many systems refuse it to ordinary users. Two kinds of
 * client do not benefit: one that sends with a TTL of 255 from the same network segment, and one whose handshake takes longer than
 * `ROUND_TRIP_MS`.
 */
export interface LastHandshakes {
  /** How long to wait before the listening sockets are closed, in milliseconds. */
  readonly waitMs: number;
  /** Why connections may be reset nevertheless, or ''. */
  readonly reason: string;
  /** Must be called right before the listening sockets are closed. */
  end(): void;
}

/** A handshake under way needs one round trip to the client. */
const ROUND_TRIP_MS = 100;

/** Prepares the closing of listening sockets of this process, as returned by `listeningDescriptors`. */
export function beginLastHandshakes(descriptors: readonly number[]): LastHandshakes {
  if (process.platform !== 'linux') return closeAtOnce(`not on ${process.platform}`);
  if (kernelMigrates()) return closeAtOnce('');
  if (descriptors.length === 0) return closeAtOnce('the listening socket was not found');
  const bound = bindSocketOptions();
  if (!bound.available) return closeAtOnce(bound.reason);
  const options = bound.functions;
  const reason = descriptors.map((descriptor) => setLowestTtl(options, descriptor, TTL_MAX)).find((failure) => failure !== '') ?? '';
  return { waitMs: reason === '' ? ROUND_TRIP_MS : 0, reason, end: () => freeConnections(options) };
}

function closeAtOnce(reason: string): LastHandshakes {
  return { waitMs: 0, reason, end: () => undefined };
}

/** Waits for the last handshakes. Returns how long that took, in milliseconds. */
export async function awaitLastHandshakes(descriptors: readonly number[], log: Logger): Promise<number> {
  const { waitMs, reason, end } = beginLastHandshakes(descriptors);
  if (reason !== '')
    log.warn({ code: 'handshakes_unprotected', reason }, 'connections that are being made while the port closes may be reset');
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  end();
  return waitMs;
}

function kernelMigrates(): boolean {
  return readText('/proc/sys/net/ipv4/tcp_migrate_req').trim() === '1';
}

/** Returns '' if the file does not exist or cannot be read: an old kernel, or a container that hides it. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return '';
    throw error;
  }
}

/** `st` of a listening socket in proc_net_tcp(5). */
const LISTENING = '0A';

/** Returns the inodes of all sockets of the network namespace that listen on the port, including those of other processes. */
function listeningInodes(port: number): ReadonlySet<string> {
  const inodes = new Set<string>();
  for (const table of ['tcp', 'tcp6'])
    for (const line of readText(`/proc/self/net/${table}`).split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const local = fields[1]?.split(':')[1];
      if (fields[3] === LISTENING && local !== undefined && Number.parseInt(local, 16) === port) inodes.add(fields[9] as string);
    }
  return inodes;
}

/** Returns the file descriptors of this process's sockets that listen on the port; none if the system does not reveal them. */
export function listeningDescriptors(port: number): readonly number[] {
  if (process.platform !== 'linux') return [];
  const inodes = listeningInodes(port);
  return readdirSync('/proc/self/fd')
    .filter((name) => inodes.has(/^socket:\[(\d+)\]$/.exec(linkOf(`/proc/self/fd/${name}`))?.[1] ?? ''))
    .map(Number);
}

/** Returns '' for the descriptor with which the folder was listed: it has been closed since. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The two socket calls, for options whose value is an integer. */
interface SocketOptions {
  /** Returns '', or why the option could not be set. */
  set(descriptor: number, level: number, name: number, value: number): string;
  /** Returns undefined if the descriptor is not a socket. */
  get(descriptor: number, level: number, name: number): number | undefined;
}

function bindSocketOptions(): BoundFunctions<SocketOptions> {
  return bindCLibrary((library, koffi) => {
    const setsockopt = library.func('int setsockopt(int fd, int level, int name, const void *value, uint32_t length)');
    const getsockopt = library.func('int getsockopt(int fd, int level, int name, void *value, void *length)');
    const integer = Buffer.alloc(4);
    const length = Buffer.alloc(4);
    return {
      set(descriptor, level, name, value) {
        integer.writeInt32LE(value);
        return setsockopt(descriptor, level, name, integer, integer.length) === 0 ? '' : `setsockopt: errno ${koffi.errno()}`;
      },
      get(descriptor, level, name) {
        length.writeUInt32LE(integer.length);
        return getsockopt(descriptor, level, name, integer, length) === 0 ? integer.readInt32LE() : undefined;
      },
    };
  });
}

const SOL_SOCKET = 1;
const SO_ACCEPTCONN = 30;
const IPPROTO_IP = 0;
const IP_MINTTL = 21;
const IPPROTO_IPV6 = 41;
const IPV6_MINHOPCOUNT = 73;
const TTL_MAX = 255;

/** An IPv6 socket may accept IPv4 connections too, and has both options. An IPv4 socket refuses the second one. */
function setLowestTtl(options: SocketOptions, descriptor: number, ttl: number): string {
  const failure = options.set(descriptor, IPPROTO_IP, IP_MINTTL, ttl);
  options.set(descriptor, IPPROTO_IPV6, IPV6_MINHOPCOUNT, ttl);
  return failure;
}

/**
 * A connection whose handshake has ended meanwhile has inherited the option from its listening socket, and receives nothing. There
 * is no list of such connections, so the option is removed from every connection. What was dropped is sent again after 200 ms at
 * the earliest, and is received then.
 */
function freeConnections(options: SocketOptions): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const descriptor = Number(name);
    if (options.get(descriptor, SOL_SOCKET, SO_ACCEPTCONN) === 0) setLowestTtl(options, descriptor, 0);
  }
}
