import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { camelPointer, toCamel, toSnake } from './casing.js';
import { ApiError, apiError, ConnectionError, type FieldProblem, type Problem, TimeoutError } from './errors.js';
import { retryAfterMs } from './retry-after.js';

/** Options that every call accepts. */
export interface CallOptions {
  /** A UUID. Calls with one key have one effect, for 24 hours. If none is given, every POST gets a new one. */
  readonly idempotencyKey?: string;
  /**
   * The state that a change or deletion is meant for: an `ETag`, as `etagOf` returns it. If the object has another one
   * by then, nothing is changed and the call rejects with a `PreconditionError`.
   */
  readonly ifMatch?: string | undefined;
  /** Ends the call and its retries; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportSettings {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: FetchFunction;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the base URL, with values escaped. */
  readonly path: string;
  /** In camel case, like the body. */
  readonly query?: object;
  readonly body?: object;
  /** The member of the answer that is a list, if it has one. */
  readonly list?: 'data' | 'results';
  readonly options?: CallOptions | undefined;
}

/** Half a second, one, two, four: a restart of the service takes about as long. */
const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 8_000;
/** If a server asks for a longer pause, the call fails instead of waiting: the caller knows better what to do meanwhile. */
const RETRY_AFTER_MS_MAX = 60_000;

export const defaultWait: TransportSettings['wait'] = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
};

const tags = new WeakMap<object, string>();

/** Returns the `ETag` that an object came with, for `ifMatch`; undefined for a copy of the object, or if it has none. */
export function etagOf(object: object): string | undefined {
  return tags.get(object);
}

/**
 * Sends requests, and retries them if that is safe: reads and changes have the same effect twice as once, and every
 * POST carries an idempotency key. Lost connections, 429 and 5xx are retried. The pause doubles and is drawn at random
 * (full jitter), but is at least what `Retry-After` says. A change for one state (`ifMatch`) is not sent again if it
 * may have taken effect, because its own effect would have it refused.
 */
export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Returns the answer in camel case; undefined for a deletion, which has no body. */
  async send<Answer>(request: ApiRequest): Promise<Answer> {
    const response = await this.#sendWithRetries(request);
    const text = await response.text();
    if (text === '' && request.method === 'DELETE') return undefined as Answer;
    const answer = toCamel(readObject(text, response));
    if (request.list !== undefined && !Array.isArray(answer[request.list]))
      throw foreignAnswer(response, `a body without the list "${request.list}"`);
    const tag = response.headers.get('etag');
    if (tag !== null) tags.set(answer, tag);
    return answer as Answer;
  }

  /** The same for an answer that is a file. */
  async sendForFile(request: ApiRequest): Promise<Uint8Array> {
    const response = await this.#sendWithRetries(request);
    if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) throw foreignAnswer(response, 'an HTML page');
    return new Uint8Array(await response.arrayBuffer());
  }

  /** The same for a stream, which is returned as soon as it begins. `stop` ends it. */
  open(request: ApiRequest, stop: AbortSignal): Promise<Response> {
    return this.#sendWithRetries(request, stop);
  }

  /** Waits; rejects with the signal's reason. */
  async pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#settings.wait(milliseconds, signal);
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  }

  async #sendWithRetries(request: ApiRequest, stop?: AbortSignal): Promise<Response> {
    const { maxRetries } = this.#settings;
    const init = this.#init(request);
    const signal = request.options?.signal;
    let mayBeDone = false;
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      const outcome = stop === undefined ? await this.#attempt(request, init) : await this.#attemptToOpen(request, init, stop);
      if (outcome instanceof Response) return outcome;
      // If an attempt without an answer has deleted the object, it is gone, as requested.
      if (mayBeDone && request.method === 'DELETE' && outcome instanceof ApiError && outcome.status === 404) return new Response(null);
      mayBeDone ||= !hadNoEffect(outcome);
      const again = attempt < maxRetries && (request.options?.ifMatch === undefined || hadNoEffect(outcome));
      const pauseMs = again ? this.#pauseMs(outcome, attempt) : null;
      if (pauseMs === null) throw outcome;
      await this.pause(pauseMs, signal);
    }
  }

  #init({ method, body, options }: ApiRequest): RequestInit {
    const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${this.#settings.secretKey}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (method === 'POST') headers['idempotency-key'] = options?.idempotencyKey ?? randomUUID();
    if (options?.ifMatch !== undefined) headers['if-match'] = options.ifMatch;
    // A redirect is not followed, because the key would go to another host. With 'error', the fetch of Node.js 20 forgets the signal while
    // the body comes.
    return { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body: JSON.stringify(toSnake(body)) }) };
  }

  /** Returns the answer if it is successful, else the error. Throws the reason of the caller's signal. */
  async #attempt(request: ApiRequest, init: RequestInit): Promise<Response | ApiError | ConnectionError> {
    const timeout = AbortSignal.timeout(this.#settings.timeoutMs);
    return this.#judged(request, timeout, async (caller) => {
      const response = await this.#fetch(request, init, AbortSignal.any([...caller, timeout]));
      if (!response.ok) return readRefusal(response);
      const bytes = await response.arrayBuffer();
      // With some statuses, a response must not have even an empty body.
      return new Response(bytes.byteLength === 0 ? null : bytes, response);
    });
  }

  /** The same for a stream: the timeout covers only its beginning. */
  async #attemptToOpen(request: ApiRequest, init: RequestInit, stop: AbortSignal): Promise<Response | ApiError | ConnectionError> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.#settings.timeoutMs);
    return this.#judged(request, timeout.signal, async (caller) => {
      const response = await this.#fetch(request, init, AbortSignal.any([...caller, stop, timeout.signal]));
      return response.ok ? response : readRefusal(response);
    }).finally(() => clearTimeout(timer));
  }

  #fetch({ path, query }: ApiRequest, init: RequestInit, signal: AbortSignal): Promise<Response> {
    return this.#settings.fetch(`${this.#settings.baseUrl}${path}${queryText(query)}`, { ...init, signal });
  }

  /** The attempt reads what it needs of a body while the timeout still runs, because a body can stop half way. */
  async #judged(
    { options }: ApiRequest,
    timeout: AbortSignal,
    attempt: (caller: readonly AbortSignal[]) => Promise<Response | Refusal>,
  ): Promise<Response | ApiError | ConnectionError> {
    let answer: Response | Refusal;
    try {
      answer = await attempt(options?.signal === undefined ? [] : [options.signal]);
    } catch (error) {
      if (options?.signal?.aborted) throw options.signal.reason;
      if (timeout.aborted) return new TimeoutError(`No response within ${this.#settings.timeoutMs} ms.`, { cause: error });
      return new ConnectionError(`The server could not be reached: ${causeOf(error)}`, { cause: error });
    }
    // Outside, because what the answer says is not a failure of the connection.
    return 'response' in answer ? errorOf(answer) : answer;
  }

  /** Returns the milliseconds to wait before the next attempt; null if there must not be one. */
  #pauseMs(outcome: ApiError | ConnectionError, attempt: number): number | null {
    const backoffMs = this.#settings.random() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** attempt);
    if (!(outcome instanceof ApiError)) return backoffMs;
    const { status, retryAfterMs } = outcome;
    // After an attempt without an answer, a conflict may be caused by that attempt, which is still running.
    const again = status === 429 || status >= 500 || (status === 409 && attempt > 0);
    if (!again || (retryAfterMs ?? 0) > RETRY_AFTER_MS_MAX) return null;
    return Math.max(backoffMs, retryAfterMs ?? 0);
  }
}

function hadNoEffect(outcome: ApiError | ConnectionError): boolean {
  return outcome instanceof ApiError && outcome.status < 500;
}

function queryText(query: object | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(toSnake(query ?? {}) as Record<string, unknown>))
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** A refusal and the text of its body. */
interface Refusal {
  readonly response: Response;
  readonly body: string;
}

async function readRefusal(response: Response): Promise<Refusal> {
  return { response, body: await response.text() };
}

function errorOf({ response, body }: Refusal): ApiError {
  const location = response.status < 400 ? response.headers.get('location') : null;
  if (location !== null) return foreignAnswer(response, `a redirect to ${location}`);
  const problem = readProblem(body);
  return apiError({
    status: response.status,
    code: problem?.code ?? 'unknown',
    detail: problem?.detail ?? `The server responded with ${response.status}.`,
    errors: (Array.isArray(problem?.errors) ? problem.errors : [])
      .filter(isFieldProblem)
      .map((field) => ({ ...field, pointer: camelPointer(field.pointer) })),
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  });
}

/** An answer that is not one of the service, although it refuses nothing: `baseUrl` is wrong, or a proxy has answered. */
export function foreignAnswer(response: Response, what: string): ApiError {
  return apiError({
    status: response.status,
    code: 'unknown',
    detail: `The server responded with ${response.status} and ${what}. Is baseUrl the address of the API?`,
    errors: [],
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: null,
  });
}

/** A proxy in front of the service answers in a form of its own. */
function readProblem(text: string): Problem | null {
  const value = readJson(text) as Partial<Problem> | null | undefined;
  return typeof value?.code === 'string' && typeof value.detail === 'string' ? (value as Problem) : null;
}

function isFieldProblem(field: Partial<FieldProblem> | null): field is FieldProblem {
  return typeof field?.pointer === 'string' && typeof field.detail === 'string';
}

/** Returns the object of an answer. Throws an `ApiError` if the text is not one. */
export function readObject(text: string, response: Response): Readonly<Record<string, unknown>> {
  const value = readJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw foreignAnswer(response, 'a body that is not a JSON object');
  return value as Readonly<Record<string, unknown>>;
}

/** Returns undefined if the text is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** If a host name has several addresses, the cause in Node.js is an AggregateError with a code and no message. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error.cause instanceof Error)) return error.message;
  return error.cause.message || ('code' in error.cause ? String(error.cause.code) : error.message);
}
