import { connect, type Socket } from 'node:net';
import { backoffMs } from '../../shared/base/backoff.js';
import { PREVIEW_ASKS_MAX, PREVIEW_ASKS_PER_SECOND } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { Figures } from './figures.js';
import { type Ask, frame, type Reply, type ServerMessage, Unframer } from './messages.js';
import { SharedPlaces } from './shared-places.js';
import { findSocket } from './socket-place.js';
import { TokenBucket } from './token-bucket.js';

/**
 * A redirect process's end of the socket.
 *
 * `connecting`  Questions wait in memory. Goes to `open` when the other end is there, and sends all open questions; to
 *               `waiting` if it is not.
 * `open`        Questions are sent and answered. Goes to `waiting` when the other process ends; unanswered questions stay open.
 * `waiting`     Tries again after a short time. Goes to `connecting`.
 * `stopped`     Final.
 */
type ConnectionState =
  | { readonly kind: 'connecting'; readonly socket: Socket }
  | { readonly kind: 'open'; readonly socket: Socket }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'stopped' };

const PREDECESSORS: Predecessors<ConnectionState['kind']> = {
  connecting: ['waiting'],
  open: ['connecting'],
  // From itself if there is no socket yet.
  waiting: ['waiting', 'connecting', 'open'],
  stopped: ['connecting', 'open', 'waiting', 'stopped'],
};

export interface PreviewClientOptions {
  readonly dataDir: string;
  readonly log: Logger;
  readonly random?: () => number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface OpenAsk {
  readonly ask: Ask;
  readonly untilMs: number;
  reply(reply: Reply): void;
}

/** Another process is there again within a second, and nobody waits much longer. */
const RETRY_BASE_MS = 20;
const RETRY_MS_MAX = 500;
const COUNTS_EVERY_MS = 1000;
/** The maximum number of rows in one message, because its size is limited. */
const COUNTED_ROWS_MAX = 100;
/** How long the other end may take to read the last figures. */
const CLOSE_MS_MAX = 1000;

export class PreviewClient {
  readonly figures = new Figures();
  readonly #options: PreviewClientOptions;
  readonly #now: () => number;
  readonly #bucket: TokenBucket;
  readonly #open = new Map<number, OpenAsk>();
  readonly #places = new SharedPlaces(PREVIEW_ASKS_MAX);
  #state: ConnectionState = { kind: 'waiting' };
  #retry: NodeJS.Timeout | null = null;
  #counting: NodeJS.Timeout | null = null;
  #failures = 0;
  #lastId = 0;

  constructor(options: PreviewClientOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#bucket = new TokenBucket(PREVIEW_ASKS_PER_SECOND, PREVIEW_ASKS_PER_SECOND, this.#now);
  }

  start(): void {
    this.#connect();
    this.#counting = setInterval(() => this.#sendCounts(), COUNTS_EVERY_MS);
  }

  /**
   * Sends a question, and calls `reply` once. If the other process ends meanwhile, its successor is asked. Returns false, and asks
   * nothing, if too many questions are open, in all or about the resource type, or too many were asked within a second.
   */
  ask(question: Omit<Ask, 'kind' | 'id'>, reply: (reply: Reply) => void): boolean {
    if (!this.#places.hasRoom(question.resource_type_id) || !this.#bucket.take()) return false;
    this.#places.take(question.resource_type_id);
    const ask: Ask = { kind: 'ask', id: ++this.#lastId, ...question };
    this.#open.set(ask.id, { ask, untilMs: this.#now() + ask.wait_ms, reply });
    if (this.#state.kind === 'open') this.#state.socket.write(frame(ask));
    return true;
  }

  /** Sends the last figures and waits for a limited time until they have been read. */
  async stop(): Promise<void> {
    if (this.#counting !== null) clearInterval(this.#counting);
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#sendCounts();
    const state = this.#state;
    this.#become({ kind: 'stopped' });
    if (state.kind === 'open') await this.#close(state.socket);
    else if (state.kind === 'connecting') state.socket.destroy();
  }

  stats(): { readonly state: ConnectionState['kind']; readonly asks: number } {
    return { state: this.#state.kind, asks: this.#open.size };
  }

  #become(state: ConnectionState): void {
    assertTransition('the connection to the process that calls metadata APIs', PREDECESSORS, this.#state.kind, state.kind);
    this.#state = state;
  }

  #connect(): void {
    this.#retry = null;
    const path = findSocket(this.#options.dataDir);
    if (path === null) {
      this.#connectLater();
      return;
    }
    const socket = connect(path);
    const unframer = new Unframer<ServerMessage>();
    this.#become({ kind: 'connecting', socket });
    socket.on('connect', () => this.#connected(socket));
    socket.on('data', (piece) => {
      for (const { id, reply } of unframer.take(piece)) this.#reply(id, reply);
    });
    socket.on('error', (error) =>
      this.#options.log.debug({ code: 'preview_socket_unreachable', err: error }, 'the process that calls metadata APIs cannot be reached'),
    );
    socket.on('close', () => this.#lost(socket));
  }

  #connected(socket: Socket): void {
    this.#failures = 0;
    this.#become({ kind: 'open', socket });
    const now = this.#now();
    for (const { ask, untilMs } of this.#open.values()) socket.write(frame({ ...ask, wait_ms: Math.max(0, untilMs - now) }));
  }

  #lost(socket: Socket): void {
    const state = this.#state;
    if (state.kind === 'stopped' || state.kind === 'waiting' || state.socket !== socket) return;
    this.#connectLater();
  }

  #connectLater(): void {
    this.#become({ kind: 'waiting' });
    this.#dropOld();
    const waitMs = RETRY_BASE_MS + backoffMs(this.#failures++, RETRY_BASE_MS, RETRY_MS_MAX, this.#options.random);
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }

  /** While the other process is away, ends the questions whose time is over. */
  #dropOld(): void {
    const now = this.#now();
    for (const { ask, untilMs } of [...this.#open.values()]) if (untilMs <= now) this.#reply(ask.id, { kind: 'none', called: false });
  }

  #reply(id: number, reply: Reply): void {
    const open = this.#open.get(id);
    // The question was sent to an earlier process, and has ended since.
    if (open === undefined) return;
    this.#open.delete(id);
    this.#places.leave(open.ask.resource_type_id);
    open.reply(reply);
  }

  #sendCounts(): void {
    if (this.#state.kind !== 'open' || this.figures.isEmpty()) return;
    const rows = this.figures.take();
    for (let at = 0; at < rows.length; at += COUNTED_ROWS_MAX)
      this.#state.socket.write(frame({ kind: 'counted', rows: rows.slice(at, at + COUNTED_ROWS_MAX) }));
  }

  /** Ends this side of the connection. The other end closes it after it has read everything. */
  #close(socket: Socket): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(() => socket.destroy(), CLOSE_MS_MAX);
      socket.on('close', () => {
        clearTimeout(late);
        resolve();
      });
      socket.end();
    });
  }
}
