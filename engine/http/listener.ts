import type { Logger } from '../../shared/base/log.js';
import type { CertificateSet } from '../tls/certificate-set.js';
import type { AnswerSink } from './answer-sink.js';
import type { Facts, HeaderOptions } from './facts.js';

/** What a listener needs. It fills the facts of a request and hands them on with the means to answer. */
export interface ListenOptions extends HeaderOptions {
  /** Address to listen on. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
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
