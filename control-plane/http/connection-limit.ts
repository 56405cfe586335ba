import type { Server, Socket } from 'node:net';
import { CONNECTIONS_OF_ADDRESS_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { addressOfLimit, socketAddress } from '../../shared/net/address.js';
import type { ProxyTrust } from '../../shared/net/client-address.js';

const LOG_MS = 60_000;

/**
 * Closes connections from an address beyond `CONNECTIONS_OF_ADDRESS_MAX`. Node.js reads up to 64 KiB from each connection before a request
 * can be inspected, so this is the only limit that applies before memory is used. Connections from a trusted proxy are not counted, because
 * they carry the requests of many clients, and the proxy has its own limits.
 */
export function limitConnections(server: Server, proxyTrust: ProxyTrust, log: Logger): void {
  const open = new Map<string, number>();
  let loggedMs = Number.NEGATIVE_INFINITY;
  const refuse = (socket: Socket): void => {
    const nowMs = performance.now();
    if (nowMs - loggedMs >= LOG_MS) {
      loggedMs = nowMs;
      log.warn({ code: 'connections_refused', max: CONNECTIONS_OF_ADDRESS_MAX }, 'an address opens too many connections at once');
    }
    socket.destroy();
  };
  server.on('connection', (socket) => {
    const peer = socket.remoteAddress ?? '';
    if (isProxy(proxyTrust, peer)) return;
    const address = addressOfLimit(peer);
    const count = (open.get(address) ?? 0) + 1;
    if (count > CONNECTIONS_OF_ADDRESS_MAX) return refuse(socket);
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

/** As defined by `ProxyTrust`: if only the number of hops is given, and no networks, every peer is a proxy. */
function isProxy({ hops, proxies }: ProxyTrust, peer: string): boolean {
  if (proxies === null) return hops > 0;
  const address = socketAddress(peer);
  return address.length > 0 && proxies.has(address);
}
