import type { Logger } from '../../shared/base/log.js';
import type { AnswerSink } from './answer-sink.js';
import type { Facts } from './facts.js';
import { beginLastHandshakes } from './last-handshakes.js';

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
  connections(): number;
  /** Takes no new connection, and ends every open one: the busy after its answer, the idle at once or at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

export type ListenerKind = 'uws' | 'node';

/**
 * Opens the wanted listener. uWebSockets.js comes as a binary for common systems only; where it does not load,
 * `node:http` does the same work at about half the speed, and the log says so.
 */
export async function listen(kind: ListenerKind, options: ListenOptions): Promise<Listener> {
  const listener = await open(kind, options);
  return {
    ...listener,
    async stop(deadlineMs) {
      const { waitMs, reason } = beginLastHandshakes(listener.port);
      if (reason !== '') options.log.warn({ reason }, 'connections that are being made while the port closes may be reset');
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await listener.stop(deadlineMs - waitMs);
    },
  };
}

async function open(kind: ListenerKind, options: ListenOptions): Promise<Listener> {
  if (kind === 'uws') {
    const { listenUws, loadUws } = await import('./listen-uws.js');
    const uws = await loadUws(options.log);
    if (uws !== null) return listenUws(uws, options);
  }
  const { listenNode } = await import('./listen-node.js');
  return listenNode(options);
}

/** Whether several processes can listen on one port: `node:http` can from Node.js 22.12 on. */
export function canSharePort(kind: ListenerKind, nodeVersion: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  return kind === 'uws' || major > 22 || (major === 22 && minor >= 12);
}
