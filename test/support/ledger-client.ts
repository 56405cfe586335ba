import { connect, type Socket } from 'node:net';
import type { Ledger, RequestOutcome } from './ledger.js';

export interface LedgerClientOptions {
  readonly ledger: Ledger;
  readonly port: number;
  readonly host: string;
  readonly path: string;
  readonly connections: number;
  /** Whether every request uses a new connection instead of keep-alive. */
  readonly newConnections?: boolean;
  readonly referrer?: string;
  /** Milliseconds between an answer and the next request: 1 leaves the machine to the processes under test, 0 is full rate. */
  readonly restMs?: number;
}

export interface LedgerClient {
  /** Ends after the requests that are under way. */
  stop(): Promise<void>;
  /** The longest time between two answers, in milliseconds. */
  longestGapMs(): number;
}

/** A connection that is refused or broken is opened again after this time, in milliseconds. */
const RETRY_MS = 10;
const REST_MS = 1;

/**
 * Requests the link over and over, on each connection one request after the other, and keeps the books. It uses the
 * socket directly: `node:http` would be the slower of the two ends, and would repeat a request when it considers that
 * allowed.
 */
export function startLedgerClient(options: LedgerClientOptions): LedgerClient {
  const run = { stopped: false, lastAnswerMs: performance.now(), longestGapMs: 0 };
  const loops = Array.from({ length: options.connections }, () => visitAgainAndAgain(options, run));
  return {
    longestGapMs: () => Math.round(run.longestGapMs),
    async stop() {
      run.stopped = true;
      await Promise.all(loops);
    },
  };
}

interface Run {
  stopped: boolean;
  lastAnswerMs: number;
  longestGapMs: number;
}

async function visitAgainAndAgain({ ledger, restMs = REST_MS, ...options }: LedgerClientOptions, run: Run): Promise<void> {
  let connection: Connection | null = null;
  while (!run.stopped) {
    // The server may have closed it while it rested. What is written to it then is lost without an error.
    if (connection?.isOpen !== true) {
      connection?.close();
      connection = new Connection(options);
    }
    const number = ledger.begin();
    const outcome = await connection.visit(number);
    ledger.end(number, outcome);
    if (outcome.is === 'answered') noteAnswer(run);
    const waitMs = outcome.is === 'refused' || outcome.is === 'in doubt' ? RETRY_MS : restMs;
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  connection?.close();
}

function noteAnswer(run: Run): void {
  const now = performance.now();
  run.longestGapMs = Math.max(run.longestGapMs, now - run.lastAnswerMs);
  run.lastAnswerMs = now;
}

/** One connection with at most one request under way. */
class Connection {
  /** False if the next request needs another connection. */
  isOpen = true;
  readonly #socket: Socket;
  readonly #head: string;
  readonly #keepsAlive: boolean;
  readonly #path: string;
  #received = '';
  #settle: (outcome: RequestOutcome) => void = () => {};

  constructor({ port, host, path, newConnections, referrer }: Omit<LedgerClientOptions, 'ledger'>) {
    this.#keepsAlive = newConnections !== true;
    this.#path = path;
    const headers = [
      `Host: ${host}`,
      'User-Agent: Ledger',
      `Connection: ${this.#keepsAlive ? 'keep-alive' : 'close'}`,
      ...(referrer === undefined ? [] : [`Referer: ${referrer}`]),
    ];
    this.#head = ` HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#receive(text));
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#broken(error.code === 'ECONNREFUSED' ? 'refused' : 'in doubt'));
    this.#socket.on('close', () => this.#broken('in doubt'));
  }

  visit(number: number): Promise<RequestOutcome> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#socket.write(`GET ${this.#path}?n=${number}${this.#head}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.#received.slice(0, headEnd);
    const bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < headEnd + 4 + bodyBytes) return;
    this.#received = '';
    if (!this.#keepsAlive || /\r\nconnection: *close/i.test(head)) this.isOpen = false;
    const status = Number(head.slice(9, 12));
    this.#settle(status === 302 ? { is: 'answered' } : { is: 'wrong', status });
  }

  #broken(is: 'refused' | 'in doubt'): void {
    this.isOpen = false;
    // If the head has arrived, it is an answer, whatever the rest is: the visitor was redirected.
    const redirected = this.#received.startsWith('HTTP/1.1 302') && this.#received.includes('\r\n\r\n');
    this.#settle(redirected ? { is: 'answered' } : { is });
  }
}
