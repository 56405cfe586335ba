import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type BoundFunctions, bindCLibrary } from '../../shared/base/c-library.js';
import type { Logger } from '../../shared/base/log.js';

/**
 * Closing a listening socket resets every connection that the kernel has set up for it and that was not accepted yet: a
 * visitor is refused though another process listens on the same port. With 15,000 new connections a second, 20 restarts
 * reset 7 to 44 of 87,000.
 *
 * Linux can hand those connections to another listener of the port: `net.ipv4.tcp_migrate_req = 1` (5.14 and later; 0 reset
 * of 193,000 in the same test). Where it is off, the way out is to stop the next ones first. A filter on the socket drops
 * segments that begin a connection, and nothing else, so that the handshakes under way end and are accepted; then the
 * socket closes with an empty queue. The client whose first segment was dropped sends it again after one second, and meets
 * another process. So a restart can delay a new connection by a second, and refuses none.
 */
export interface LastHandshakes {
  /** How long to wait before the listening sockets are closed, in milliseconds. */
  readonly waitMs: number;
  /** Why connections may be reset all the same, or ''. */
  readonly reason: string;
}

/** A handshake under way needs one round trip to the client; who is further away has a proxy in front or the sysctl. */
const ROUND_TRIP_MS = 100;

/** Prepares the closing of listening sockets of this process, as `listeningDescriptors` gives them. */
export function beginLastHandshakes(descriptors: readonly number[]): LastHandshakes {
  if (process.platform !== 'linux') return { waitMs: 0, reason: `not on ${process.platform}` };
  if (kernelMigrates()) return { waitMs: 0, reason: '' };
  if (descriptors.length === 0) return { waitMs: 0, reason: 'the listening socket was not found' };
  const reason = dropFirstSegments(descriptors);
  return { waitMs: reason === '' ? ROUND_TRIP_MS : 0, reason };
}

/** The same, waited for. Answers how many milliseconds that took. */
export async function awaitLastHandshakes(descriptors: readonly number[], log: Logger): Promise<number> {
  const { waitMs, reason } = beginLastHandshakes(descriptors);
  if (reason !== '') log.warn({ reason }, 'connections that are being made while the port closes may be reset');
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  return waitMs;
}

function kernelMigrates(): boolean {
  return readText('/proc/sys/net/ipv4/tcp_migrate_req').trim() === '1';
}

/** '' where the file is not there: an old kernel, or a container that hides it. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return '';
    throw error;
  }
}

/** `st` of proc_net_tcp(5) for a listening socket. */
const LISTENING = '0A';

/** Inodes of all sockets of the network namespace that listen on the port; other processes' among them. */
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

/** File descriptors of this process's sockets that listen on the port; none where the system does not tell. */
export function listeningDescriptors(port: number): readonly number[] {
  if (process.platform !== 'linux') return [];
  const inodes = listeningInodes(port);
  return readdirSync('/proc/self/fd')
    .filter((name) => inodes.has(/^socket:\[(\d+)\]$/.exec(linkOf(`/proc/self/fd/${name}`))?.[1] ?? ''))
    .map(Number);
}

/** '' for a descriptor that was closed since it was listed: the one that listed them. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;

/**
 * A classic BPF program (https://docs.kernel.org/networking/filter.html) over a segment that begins with its TCP header:
 * code, jump if true, jump if false, operand. Byte 13 holds the flags: 2 is SYN, 16 is ACK.
 */
const DROP_SYN: readonly (readonly [number, number, number, number])[] = [
  [0x30, 0, 0, 13], // load the byte of flags
  [0x54, 0, 0, 0x12], // keep SYN and ACK
  [0x15, 1, 0, 0x02], // SYN alone: skip one
  [0x06, 0, 0, 0xffffffff], // take the segment whole
  [0x06, 0, 0, 0], // drop it
];

/** `struct sock_filter`. */
const INSTRUCTION_BYTES = 8;

function encodeFilter(): Buffer {
  const program = Buffer.alloc(INSTRUCTION_BYTES * DROP_SYN.length);
  for (const [index, [code, ifTrue, ifFalse, operand]] of DROP_SYN.entries()) {
    const at = INSTRUCTION_BYTES * index;
    program.writeUInt16LE(code, at);
    program.writeUInt8(ifTrue, at + 2);
    program.writeUInt8(ifFalse, at + 3);
    program.writeUInt32LE(operand, at + 4);
  }
  return program;
}

/** Attaches a program to a socket: '' or why it could not be done. */
type AttachFilter = (descriptor: number, program: Buffer) => string;

function bindAttachFilter(): BoundFunctions<AttachFilter> {
  return bindCLibrary((library, koffi) => {
    const setsockopt = library.func('int setsockopt(int fd, int level, int name, void *value, uint32_t length)');
    return (descriptor, program) => {
      // struct sock_fprog of a 64-bit system: length, six bytes of padding, pointer.
      const filter = Buffer.alloc(16);
      filter.writeUInt16LE(program.length / INSTRUCTION_BYTES, 0);
      filter.writeBigUInt64LE(BigInt(koffi.address(program)), 8);
      return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, filter, filter.length) === 0 ? '' : `setsockopt: errno ${koffi.errno()}`;
    };
  });
}

/** '' or why it could not be done. */
function dropFirstSegments(descriptors: readonly number[]): string {
  const attach = bindAttachFilter();
  if (!attach.available) return attach.reason;
  const program = encodeFilter();
  return descriptors.map((descriptor) => attach.functions(descriptor, program)).find((failure) => failure !== '') ?? '';
}
