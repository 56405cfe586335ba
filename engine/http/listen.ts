import type { CertificateSet } from '../tls/certificate-set.js';
import { awaitLastHandshakes, listeningDescriptors } from './last-handshakes.js';
import type { Uws } from './listen-uws.js';
import type { Listener, ListenerKind, ListenOptions, TlsListener } from './listener.js';

/**
 * Opens the requested listener. uWebSockets.js has binaries for common systems only. If it does not load, `node:http` does the
 * same work at about half the speed, and the log says so.
 */
export async function listen(kind: ListenerKind, options: ListenOptions): Promise<Listener> {
  const uws = await loadIfWanted(kind, options);
  if (uws !== null) return stoppingGently(await (await import('./listen-uws.js')).listenUws(uws, options), options);
  return stoppingGently(await (await import('./listen-node.js')).listenNode(options), options);
}

/** Opens a listener over TLS, versions 1.2 and 1.3, for HTTP/1.1. */
export async function listenTls(kind: ListenerKind, options: ListenOptions, certificates: CertificateSet): Promise<TlsListener> {
  const uws = await loadIfWanted(kind, options);
  if (uws !== null) return stoppingGently(await (await import('./listen-uws-tls.js')).listenUwsTls(uws, options, certificates), options);
  return stoppingGently(await (await import('./listen-node.js')).listenNodeTls(options, certificates), options);
}

async function loadIfWanted(kind: ListenerKind, { log }: ListenOptions): Promise<Uws | null> {
  return kind === 'uws' ? (await import('./listen-uws.js')).loadUws(log) : null;
}

/** Returns the listener with a `stop` that first waits for the handshakes under way. */
function stoppingGently<Kind extends Listener>(listener: Kind, { log }: ListenOptions): Kind {
  return {
    ...listener,
    async stop(deadlineMs: number) {
      const waitedMs = await awaitLastHandshakes(listeningDescriptors(listener.port), log);
      await listener.stop(Math.max(0, deadlineMs - waitedMs));
    },
  };
}
