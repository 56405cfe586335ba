import type { Logger } from '../../shared/base/log.js';
import type { CertificateSet } from '../tls/certificate-set.js';
import type { AnswerSink } from './answer-sink.js';
import type { Facts } from './facts.js';
import { awaitLastHandshakes, listeningDescriptors } from './last-handshakes.js';
import type { Uws } from './listen-uws.js';

/** What a listener needs. It fills the facts of a request and hands them on with the means to answer. */
export interface ListenOptions {
  /** Address to listen on. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Lower-case name of the header that names the visitor's country, or ''. */
  readonly countryHeader: string;
  /** Must not throw, and must answer or register for the abort before it returns. */
  readonly handle: (facts: Facts, sink: AnswerSink) => void;
  readonly log: Logger;
}

export interface Listener {
  readonly kind: ListenerKind;
  readonly port: number;
  /** Open ones, those that are still shaking hands among them. */
  connections(): number;
  /** Takes no new connection, and ends every open one: the busy after its answer, the idle at once or at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

export interface TlsListener extends Listener {
  /**
   * Who connects from now on is presented these; connections that are open stay as they are. Rejects, and changes nothing,
   * where the listener does not take them.
   */
  present(certificates: CertificateSet): Promise<void>;
}

export type ListenerKind = 'uws' | 'node';

/**
 * Opens the wanted listener. uWebSockets.js comes as a binary for common systems only; where it does not load,
 * `node:http` does the same work at about half the speed, and the log says so.
 */
export async function listen(kind: ListenerKind, options: ListenOptions): Promise<Listener> {
  const uws = await loadIfWanted(kind, options);
  if (uws !== null) return stoppingGently(await (await import('./listen-uws.js')).listenUws(uws, options), options);
  return stoppingGently(await (await import('./listen-node.js')).listenNode(options), options);
}

/** The same over TLS, versions 1.2 and 1.3, for HTTP/1.1. */
export async function listenTls(kind: ListenerKind, options: ListenOptions, certificates: CertificateSet): Promise<TlsListener> {
  const uws = await loadIfWanted(kind, options);
  if (uws !== null) return stoppingGently(await (await import('./listen-uws-tls.js')).listenUwsTls(uws, options, certificates), options);
  return stoppingGently(await (await import('./listen-node.js')).listenNodeTls(options, certificates), options);
}

async function loadIfWanted(kind: ListenerKind, { log }: ListenOptions): Promise<Uws | null> {
  return kind === 'uws' ? (await import('./listen-uws.js')).loadUws(log) : null;
}

/** Its stop begins with the handshakes that are under way. */
function stoppingGently<Kind extends Listener>(listener: Kind, { log }: ListenOptions): Kind {
  return {
    ...listener,
    async stop(deadlineMs: number) {
      const waitedMs = await awaitLastHandshakes(listeningDescriptors(listener.port), log);
      await listener.stop(deadlineMs - waitedMs);
    },
  };
}

/** Whether several processes can listen on one port: `node:http` can from Node.js 22.12 on. */
export function canSharePort(kind: ListenerKind, nodeVersion: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  return kind === 'uws' || major > 22 || (major === 22 && minor >= 12);
}
