import { connect, type Socket } from 'node:net';

export interface VisitorConnectionOptions {
  readonly port: number;
  /** `dueMs` is the value that `send` got. Status 0: the connection ended without an answer. */
  onAnswer(dueMs: number, status: number): void;
  /** Called when the next visit may be sent. */
  onIdle(connection: VisitorConnection): void;
}

/**
 * A browser's connection: one visit at a time, and a new connection when this one is ended. If the server was just
 * ending the connection on which a visit was sent, the visit is sent again, once, on the next one, as browsers do (RFC
 * 9112, section 9.3.1).
 */
export class VisitorConnection {
  readonly #options: VisitorConnectionOptions;
  #socket: Socket | null = null;
  #received = '';
  /** How many answers this socket has received. */
  #answers = 0;
  /** The visit under way; null if there is none. */
  #visit: { readonly dueMs: number; readonly text: string } | null = null;
  /** Whether `onIdle` was called since the last visit. */
  #isIdle = false;
  #closed = false;

  constructor(options: VisitorConnectionOptions) {
    this.#options = options;
    this.#connect();
  }

  /** The previous visit must have been answered. */
  send(dueMs: number, text: string): void {
    this.#isIdle = false;
    this.#visit = { dueMs, text };
    this.#socket?.write(text, 'latin1');
  }

  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
  }

  #connect(): void {
    const socket = connect({ port: this.#options.port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    this.#received = '';
    this.#answers = 0;
    socket.setEncoding('latin1');
    socket.on('connect', () => {
      if (this.#visit === null) this.#idle();
    });
    socket.on('data', (text: string) => this.#receive(text));
    socket.on('end', () => socket.destroy());
    // What ends the socket is handled when it closes: its visit then has no answer.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#again());
  }

  #idle(): void {
    if (this.#isIdle) return;
    this.#isIdle = true;
    this.#options.onIdle(this);
  }

  /** Redirects have no body, so that an answer ends with its head. */
  #receive(text: string): void {
    this.#received += text;
    if (!this.#received.endsWith('\r\n\r\n')) return;
    const head = this.#received;
    this.#received = '';
    this.#answers++;
    const ends = /\r\nconnection: *close/i.test(head);
    this.#finish(Number(head.slice(9, 12)));
    if (!ends) this.#idle();
  }

  #again(): void {
    if (this.#closed) return;
    const wasEnded = this.#answers > 0 && this.#received === '';
    if (!wasEnded) this.#finish(0);
    this.#connect();
    if (this.#visit !== null) this.#socket?.write(this.#visit.text, 'latin1');
  }

  #finish(status: number): void {
    const visit = this.#visit;
    this.#visit = null;
    if (visit !== null) this.#options.onAnswer(visit.dueMs, status);
  }
}
