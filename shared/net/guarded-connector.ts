import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { arePublic, judgeHostname } from './public-host.js';
import { publicResolver, type Resolver, systemResolver } from './resolver.js';
import type { TlsSessions } from './tls-sessions.js';

/**
 * The only way to connect to the outside. An HTTP client does not call its `lookup` option for IP literals, and a check
 * before the call could get a different DNS answer than the client does (DNS rebinding). So connecting is done here:
 * the host is judged, the name is resolved once, all its addresses are judged, and exactly these are dialled.
 */
export interface ConnectorOptions {
  /** OUTBOUND_ALLOW: origins that are exempt from the guard. */
  readonly allow: readonly string[];
  readonly publicResolver?: Resolver;
  readonly systemResolver?: Resolver;
  readonly tls: TlsSessions;
}

export type ConnectWord = 'dns' | 'blocked_address' | 'connect' | 'tls';

/** A connection that could not be made; `word` says at which step. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  readonly word: ConnectWord;
  constructor(word: ConnectWord, cause?: unknown) {
    super(word, { cause });
    this.word = word;
  }
}

/** After this time, an address that does not respond gives way to the next one; the last one is waited for until the deadline. */
const NEXT_ADDRESS_AFTER_MS = 2000;
/** Limits the time for a name with hundreds of addresses, which would otherwise be dialled for minutes. */
const ADDRESSES_DIALLED_MAX = 4;
/** Lets the kernel notice a peer that vanished from an idle connection. */
const KEEPALIVE_PROBE_MS = 30_000;

/**
 * Opens a connection to the origin of `url`, for https with a verified certificate. Rejects with `ConnectFailure`. When
 * `signal` aborts, everything under way is destroyed.
 */
export async function connectGuarded(url: URL, options: ConnectorOptions, signal: AbortSignal): Promise<Socket | TLSSocket> {
  const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const secure = url.protocol === 'https:';
  const addresses = options.allow.includes(url.origin)
    ? await allowedAddresses(hostname, options, signal)
    : await publicAddresses(url, options, signal);
  const socket = await dialFirst(byTurns(addresses).slice(0, ADDRESSES_DIALLED_MAX), portOf(url), signal);
  return secure ? handshake(socket, url.origin, hostname, { tls: options.tls, signal }) : socket;
}

/** The port of an http or https URL. Nobody listens on port 0, and it is not the port of the scheme. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

async function allowedAddresses(hostname: string, options: ConnectorOptions, signal: AbortSignal): Promise<readonly string[]> {
  return isIP(hostname) !== 0 ? [hostname] : resolve(options.systemResolver ?? systemResolver, hostname, signal);
}

async function publicAddresses(url: URL, options: ConnectorOptions, signal: AbortSignal): Promise<readonly string[]> {
  if (url.protocol !== 'https:' || judgeHostname(url.hostname) !== null) throw new ConnectFailure('blocked_address');
  const addresses = await resolve(options.publicResolver ?? publicResolver, url.hostname, signal);
  if (!arePublic(addresses)) throw new ConnectFailure('blocked_address');
  return addresses;
}

async function resolve(resolver: Resolver, hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolver(hostname, signal);
  } catch (error) {
    throw new ConnectFailure('dns', error);
  }
  if (addresses.length === 0) throw new ConnectFailure('dns');
  // The caller may have aborted while a resolver that cannot be cancelled was asked.
  if (signal.aborted) throw new ConnectFailure('dns', signal.reason);
  return addresses;
}

/**
 * Returns IPv4 and IPv6 addresses in turns (RFC 8305, section 4). If a name has many addresses of both, those of the only family that this
 * host's network has are among the first.
 */
function byTurns(addresses: readonly string[]): readonly string[] {
  const families = [4, 6].map((family) => addresses.filter((address) => isIP(address) === family));
  return addresses.flatMap((_, turn) => families.flatMap((family) => family.slice(turn, turn + 1)));
}

async function dialFirst(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let failure: ConnectFailure | null = null;
  for (const [index, address] of addresses.entries()) {
    const last = index === addresses.length - 1;
    try {
      return await dial(address, port, last ? 0 : NEXT_ADDRESS_AFTER_MS, signal);
    } catch (error) {
      failure = new ConnectFailure('connect', error);
      if (signal.aborted) break;
    }
  }
  throw failure ?? new ConnectFailure('connect');
}

/** `address` is an IP address, so Node resolves nothing. A `waitMs` of 0 waits until `signal` aborts. */
function dial(address: string, port: number, waitMs: number, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEPALIVE_PROBE_MS });
  if (waitMs > 0) socket.setTimeout(waitMs, () => socket.destroy(new Error('no answer to the connection request')));
  return settled(socket, 'connect', signal).then(() => {
    socket.setTimeout(0);
    return socket;
  });
}

async function handshake(
  socket: Socket,
  origin: string,
  hostname: string,
  { tls, signal }: { readonly tls: TlsSessions; readonly signal: AbortSignal },
): Promise<TLSSocket> {
  const session = tls.of(origin);
  const secured = connectTls({
    socket,
    host: hostname,
    // Server name indication carries names only (RFC 6066); an allowed origin may be an address.
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    secureContext: tls.context,
    ...(session === undefined ? {} : { session }),
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
    rejectUnauthorized: true,
  });
  try {
    await settled(secured, 'secureConnect', signal);
  } catch (error) {
    tls.forget(origin);
    throw new ConnectFailure('tls', error);
  }
  tls.keepOf(secured, origin);
  return secured;
}

/** Waits for `event`; an error, an end or an abort destroys the socket and rejects. */
function settled(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (error: Error | null) => {
      socket.off(event, onReady).off('error', onError).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      if (error === null) return resolve();
      // Errors that the socket emits after its end are ignored.
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    };
    const onReady = () => finish(null);
    const onError = (error: Error) => finish(error);
    const onClose = () => finish(new Error('closed before it was ready'));
    const onAbort = () => finish(new Error('aborted', { cause: signal.reason }));
    if (signal.aborted) return onAbort();
    socket.once(event, onReady).once('error', onError).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
