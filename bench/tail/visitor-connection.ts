import { connect, type Socket } from 'node:net';

export interface VisitorConnectionOptions {
  readonly port: number;
  /** `dueMs` is what `send` was given. Status 0: the connection ended without an answer. */
  onAnswer(dueMs: number, status: number): void;
  /** The next visit may be sent. */
  onIdle(connection: VisitorConnection): void;
}

/** A browser's connection: one visit at a time, and another connection when this one is ended. */
export class VisitorConnection {
  readonly #options: VisitorConnectionOptions;
  #socket: Socket | null = null;
  #received = '';
  /** When the visit under way was due; null if there is none. */
  #dueMs: number | null = null;
  #closed = false;

  constructor(options: VisitorConnectionOptions) {
    this.#options = options;
    this.#connect();
  }

  /** The last one must have been answered. */
  send(dueMs: number, text: string): void {
    this.#dueMs = dueMs;
    this.#socket?.write(text, 'latin1');
  }

  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
  }

  #connect(): void {
    const socket = connect({ port: this.#options.port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('connect', () => this.#options.onIdle(this));
    socket.on('data', (text: string) => this.#receive(text));
    socket.on('end', () => socket.destroy());
    // What ends the socket is told by its close, whose visit then has no answer.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#again());
  }

  /** Redirects have no body, so that an answer ends with its head. */
  #receive(text: string): void {
    this.#received += text;
    if (!this.#received.endsWith('\r\n\r\n')) return;
    const head = this.#received;
    this.#received = '';
    const ends = /\r\nconnection: *close/i.test(head);
    this.#finish(Number(head.slice(9, 12)));
    if (!ends) this.#options.onIdle(this);
  }

  #again(): void {
    this.#received = '';
    if (this.#closed) return;
    this.#finish(0);
    this.#connect();
  }

  #finish(status: number): void {
    const dueMs = this.#dueMs;
    this.#dueMs = null;
    if (dueMs !== null) this.#options.onAnswer(dueMs, status);
  }
}
