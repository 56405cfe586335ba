import { connect, type Socket } from 'node:net';
import { invariant } from '../../shared/base/invariant.js';
import type { VisitGroups } from './visit-plan.js';

export interface VisitConnectionOptions {
  readonly port: number;
  onAnswer(visit: VisitGroups, status: number): void;
  /** Called when everything that was sent has been answered. */
  onIdle(connection: VisitConnection): void;
}

/** How many answered visits collect at the front of the list before they are dropped from it at once. */
const ANSWERED_KEPT_MAX = 1024;

/**
 * A kept connection with any number of requests under way. It uses the socket directly, because an HTTP client costs
 * more than the server. A connection that breaks ends the process, because nobody could say which visits are in the
 * click log.
 */
export class VisitConnection {
  readonly #socket: Socket;
  readonly #options: VisitConnectionOptions;
  /** Visits in the order they were sent; those before `#answered` are answered. */
  #sent: VisitGroups[] = [];
  #answered = 0;
  #received = '';

  constructor(options: VisitConnectionOptions) {
    this.#options = options;
    this.#socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#receive(text));
    this.#socket.on('end', () => {
      throw new Error('the engine closed a connection');
    });
  }

  get underWay(): number {
    return this.#sent.length - this.#answered;
  }

  /** Sends all of them in one write. */
  send(visits: readonly VisitGroups[], text: string): void {
    for (const visit of visits) this.#sent.push(visit);
    this.#socket.write(text, 'latin1');
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    let at = 0;
    for (;;) {
      const headEnd = this.#received.indexOf('\r\n\r\n', at);
      if (headEnd === -1) break;
      const head = this.#received.slice(at, headEnd);
      const end = headEnd + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (end > this.#received.length) break;
      at = end;
      this.#answer(Number(head.slice(9, 12)));
    }
    this.#received = this.#received.slice(at);
    if (this.underWay === 0) this.#options.onIdle(this);
  }

  #answer(status: number): void {
    const visit = this.#sent[this.#answered++];
    invariant(visit !== undefined, 'an answer follows a request');
    if (this.#answered >= ANSWERED_KEPT_MAX) {
      this.#sent = this.#sent.slice(this.#answered);
      this.#answered = 0;
    }
    this.#options.onAnswer(visit, status);
  }
}
