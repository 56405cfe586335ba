import type { Logger } from '../../shared/base/log.js';
import type { CertificateSet } from '../tls/certificate-set.js';
import type { AnswerSink } from './answer-sink.js';
import type { Facts, HeaderOptions } from './facts.js';

/** The options of a listener. A listener fills the facts of a request and passes them on with the means to answer. */
export interface ListenOptions extends HeaderOptions {
  /** Address to listen on. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Must not throw, and must answer or register for the abort before it returns. */
  readonly handle: (facts: Facts, sink: AnswerSink) => void;
  readonly log: Logger;
}

export interface Listener {
  readonly kind: ListenerKind;
  readonly port: number;
  /** The number of open connections, including those whose handshake is still under way. */
  connections(): number;
  /** Accepts no new connection, and ends every open one: a busy one after its answer, an idle one at once or at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

export interface TlsListener extends Listener {
  /**
   * Presents these certificates to clients that connect from now on; open connections are not affected. Rejects, and changes
   * nothing, if the listener refuses the certificates.
   */
  present(certificates: CertificateSet): Promise<void>;
}

export type ListenerKind = 'uws' | 'node';
