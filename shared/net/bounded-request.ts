import { type Dispatcher, errors } from 'undici';
import { beginSpan, type Span } from '../tracing/tracer.js';
import { type Connection, ConnectionPool, type PoolOptions } from './connection-pool.js';
import { ConnectFailure, type ConnectWord } from './guarded-connector.js';

/** An outbound request with bounds on everything: time, bytes read, bytes kept, connections. */
export interface BoundedRequest {
  readonly method: 'GET' | 'POST';
  /** A URL that `judgeUrl` accepted; it is judged again when a connection is made. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** One deadline for resolving, connecting, TLS, writing, the answer's head and its body. */
  readonly timeoutMs: number;
  /** If the answer's body exceeds this many bytes, the connection is closed. */
  readonly readBytesMax: number;
  /** How many bytes from the beginning of the body the caller gets. */
  readonly keptBytesMax: number;
}

/** Stable words, as they appear in a delivery's `error`. */
export type RequestError = ConnectWord | 'timeout' | 'connection_lost' | 'invalid_response' | 'invalid_request';

export type RequestOutcome =
  /** The head arrived and the body ended, or was longer than `readBytesMax` (`truncated`). Redirects are answers like any other. */
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer; readonly truncated: boolean; readonly latencyMs: number }
  /** `status` and `body` contain what had arrived until then. */
  | {
      readonly kind: 'failed';
      readonly error: RequestError;
      readonly status: number | null;
      readonly body: Buffer;
      readonly latencyMs: number;
    };

/** An option that is left out has a default. */
export type OutboundClientOptions = Pick<PoolOptions, 'allow'> &
  Partial<PoolOptions> & {
    /** The names of its spans begin with this. */
    readonly purpose?: string;
  };

/** Many customers use one receiving service. If this was below their common concurrency, connections would be closed after each request. */
const IDLE_PER_ORIGIN_MAX = 512;
const IDLE_MAX = 1024;
const IDLE_TIMEOUT_MS = 4000;
/** As long as DNS answers are usually cached. Even a receiver with 128 connections then makes about two new ones a second. */
const AGE_MAX_MS = 60_000;

/** Sends requests over guarded keep-alive connections. Whatever the outside world does is an outcome, never an exception. */
export class OutboundClient {
  readonly #pool: ConnectionPool;
  readonly #purpose: string;

  constructor({ purpose = 'outbound', ...options }: OutboundClientOptions) {
    this.#purpose = purpose;
    this.#pool = new ConnectionPool({
      idlePerOriginMax: IDLE_PER_ORIGIN_MAX,
      idleMax: IDLE_MAX,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      ageMaxMs: AGE_MAX_MS,
      ...options,
    });
  }

  /** The receiver does not get the trace context, because it is somebody else's system. */
  request(request: BoundedRequest): Promise<RequestOutcome> {
    const { method, url } = request;
    const span = beginSpan(() => ({
      name: `${this.#purpose} ${method}`,
      kind: 'client',
      attributes: { 'http.request.method': method, 'server.address': url.hostname, 'server.port': Number(url.port || 443) },
    }));
    return new Promise((resolve) => {
      const settle = (outcome: RequestOutcome): void => {
        if (span !== null) endSpan(span, outcome);
        resolve(outcome);
      };
      new Exchange(request, this.#pool, settle).start();
    });
  }

  /** Ends everything under way; those requests fail with `connection_lost`. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  stats(): { readonly connections: number; readonly idle: number } {
    return this.#pool.stats();
  }
}

function endSpan(span: Span, outcome: RequestOutcome): void {
  if (outcome.status !== null) span.set({ 'http.response.status_code': outcome.status });
  if (outcome.kind === 'failed') span.fail(outcome.error);
  else if (outcome.status >= 400) span.fail(String(outcome.status));
  span.end();
}

/**
 * One request and its answer, as undici's handler. It settles exactly once: at the end of a whole answer, at the bound
 * on what is read, at the deadline, or on a failure. Settling gives the connection back or closes it; what undici
 * reports later is ignored.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: BoundedRequest;
  readonly #pool: ConnectionPool;
  #connection: Connection;
  readonly #resolve: (outcome: RequestOutcome) => void;
  readonly #startedAt = performance.now();
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #readBytes = 0;
  #status: number | null = null;
  #deadline: NodeJS.Timeout | undefined;
  #settled = false;

  constructor(request: BoundedRequest, pool: ConnectionPool, resolve: (outcome: RequestOutcome) => void) {
    this.#request = request;
    this.#pool = pool;
    this.#connection = pool.take(request.url);
    this.#resolve = resolve;
  }

  start(): void {
    this.#deadline = setTimeout(() => this.#fail('timeout'), this.#request.timeoutMs);
    this.#send();
  }

  #send(): void {
    const { method, url, headers, body } = this.#request;
    this.#connection.client.dispatch({ method, path: url.pathname + url.search, headers, body: body ?? null }, this);
  }

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // 1xx is not an answer yet (RFC 9110, 15.2).
    if (status >= 200) this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#readBytes += chunk.length;
    const room = this.#request.keptBytesMax - this.#keptBytes;
    if (room > 0) {
      // A copy: undici's chunk is a view of its parser's memory.
      const kept = Buffer.from(chunk.subarray(0, room));
      this.#kept.push(kept);
      this.#keptBytes += kept.length;
    }
    if (this.#readBytes > this.#request.readBytesMax) this.#answer(true);
  }

  onResponseEnd(): void {
    this.#answer(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // A 204 ends with its head, whatever length that announces (RFC 9112, section 6.3). undici waits for a body.
    if (this.#status === 204) this.#answer(false, false);
    else if (this.#wasClosedBefore(error)) this.#sendAgain();
    else this.#fail(wordOf(error));
  }

  /**
   * Whether the other side may have closed a kept connection just before the request came, as a server does that restarts. RFC 9112
   * (section 9.3.1) allows to repeat such a request if it is idempotent.
   */
  #wasClosedBefore(error: Error): boolean {
    if (this.#settled || this.#request.method !== 'GET' || this.#status !== null) return false;
    const wasKept = this.#connection.openedAtMs < this.#startedAt;
    return wasKept && wordOf(error) === 'connection_lost' && this.#pool.has(this.#connection);
  }

  /** Other kept connections may be closed as well, so this takes a new one, which is tried only once. */
  #sendAgain(): void {
    this.#pool.discard(this.#connection);
    this.#connection = this.#pool.open(this.#request.url);
    this.#send();
  }

  #answer(truncated: boolean, reusable = !truncated): void {
    if (!this.#settle()) return;
    if (reusable) this.#pool.giveBack(this.#connection);
    else this.#pool.discard(this.#connection);
    const body = Buffer.concat(this.#kept);
    this.#resolve({ kind: 'answered', status: this.#status as number, body, truncated, latencyMs: this.#latencyMs() });
  }

  #fail(error: RequestError): void {
    if (!this.#settle()) return;
    this.#pool.discard(this.#connection);
    this.#resolve({ kind: 'failed', error, status: this.#status, body: Buffer.concat(this.#kept), latencyMs: this.#latencyMs() });
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#deadline);
    return true;
  }

  #latencyMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

/** Errors of undici: https://github.com/nodejs/undici/blob/main/docs/docs/api/Errors.md */
function wordOf(error: Error & { code?: unknown }): RequestError {
  if (error instanceof ConnectFailure) return error.word;
  if (error instanceof errors.HTTPParserError) return 'invalid_response';
  const code = typeof error.code === 'string' ? error.code : '';
  if (code === 'UND_ERR_INVALID_ARG') return 'invalid_request';
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'invalid_response';
  return 'connection_lost';
}
