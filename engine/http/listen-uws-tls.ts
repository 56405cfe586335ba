import type { AppOptions } from 'uWebSockets.js';
import type { Certificate } from '../tls/certificate.js';
import type { CertificateSet } from '../tls/certificate-set.js';
import { withFile } from '../tls/memory-file.js';
import { awaitLastHandshakes, listeningDescriptors } from './last-handshakes.js';
import { type AppMaker, openPort, type Uws, type UwsPort, untilZero } from './listen-uws.js';
import type { ListenOptions, TlsListener } from './listener.js';
import { withoutOutput } from './silent-output.js';

/**
 * Opens a listener over TLS. Each set of certificates gets an app of its own, which listens beside the previous app until that one
 * has stopped listening; both share the port. uWebSockets.js could remove a name from an app and add it again, but open
 * connections would then be left with routes that have been freed. So the previous app is kept until its last connection has
 * ended.
 *
 * uWebSockets.js compares names as they are written (RFC 6066 says that case does not matter, and every client sends lower case):
 * a client that sends `GO.Shop.Example` is presented the fallback.
 */
export async function listenUwsTls(uws: Uws, options: ListenOptions, certificates: CertificateSet): Promise<TlsListener> {
  let current = await openPort(uws, options, appMaker(uws, certificates));
  const { port } = current;
  const retired = new Set<UwsPort>();
  const connections = () => [current, ...retired].reduce((sum, app) => sum + app.connections(), 0);
  const closeEnded = () => {
    for (const app of retired) {
      if (app.connections() > 0) continue;
      app.close();
      retired.delete(app);
    }
  };
  return {
    kind: 'uws',
    port,
    connections,
    async present(renewed) {
      const listening = listeningDescriptors(port);
      const next = await openPort(uws, { ...options, port }, appMaker(uws, renewed));
      const before = current;
      current = next;
      await awaitLastHandshakes(listening, options.log);
      before.stopListening();
      retired.add(before);
      closeEnded();
    },
    async stop(deadlineMs) {
      current.stopListening();
      await untilZero(connections, deadlineMs);
      for (const app of [current, ...retired]) app.close();
    },
  };
}

/** Adds routes for every name, because each name has its own. */
function appMaker(uws: Uws, { fallback, byName }: CertificateSet): AppMaker {
  return (route) => {
    const app = route(withPemFiles(fallback, (files) => uws.SSLApp(files)));
    withoutOutput(() => {
      for (const [name, certificate] of byName) {
        withPemFiles(certificate, (files) => app.addServerName(name, files));
        route(app.domain(name));
      }
    });
    return app;
  };
}

/** Uses the PEM texts that were read and checked, because the files may have changed since. */
function withPemFiles<Result>({ chain, key }: Certificate, use: (files: AppOptions) => Result): Result {
  return withFile(chain, (cert_file_name) => withFile(key, (key_file_name) => use({ cert_file_name, key_file_name })));
}
