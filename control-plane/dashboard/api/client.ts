import type { Problem } from '../../../shared/contract/schemas/problem.js';
import { text } from '../language/text.js';
import { listenerSet } from '../state/listener-set.js';
import type { Endpoint, Input, Output } from './contract.js';
import { takeEarlyAnswer } from './early-answers.js';
import { fieldWords, problemWords } from './problem-words.js';

/** The address of calls that need no key. */
export interface OpenConnection {
  /** Address of the API without a slash at its end: `http://localhost:3000/v1`. */
  readonly server: string;
}

/** The address of calls, and the key that they carry. */
export interface Connection extends OpenConnection {
  readonly secretKey: string;
}

export type FieldProblem = NonNullable<Problem['errors']>[number];

/** A refusal by the API, or a call that did not reach it. In the second case, there is no problem document. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: Problem['code'] | 'unreachable' | 'unexpected';
  readonly fields: readonly FieldProblem[];
  /** How long the server asks to wait before the next attempt; null if it says nothing about it. */
  readonly retryAfterMs: number | null;

  constructor(
    status: number,
    code: ApiError['code'],
    detail: string,
    { fields = [], retryAfterMs = null }: { readonly fields?: readonly FieldProblem[]; readonly retryAfterMs?: number | null } = {},
  ) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterMs = retryAfterMs;
  }

  /** What is wrong with the first field that is, otherwise with the call: for places without fields, or with a single one. */
  get reason(): string {
    return this.fields[0]?.detail ?? this.message;
  }

  /** Whether the same call may succeed later: no response, too many calls, or a server that is down, busy or starting. */
  get isPassing(): boolean {
    return PASSING.includes(this.status);
  }
}

const PASSING: readonly number[] = [0, 429, 502, 503, 504];

export interface CallOptions {
  /** Calls with the same key take effect only once. */
  readonly idempotencyKey?: string;
  /** The `ETag` of the state that the change was based on. The API refuses the change with 412 if the object has a different one. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal;
  /** For responses that take long to be sent. */
  readonly timeoutMs?: number;
}

/** Calls that hang are aborted. The slowest call of the API waits 5 s for a metadata API. */
const CALL_TIMEOUT_MS = 30_000;

/** Makes one call, described by its row of the contract. Throws `ApiError`, or the signal's reason if the signal aborts. */
export async function call<E extends Endpoint>(
  connection: Connection | OpenConnection,
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Output<E>> {
  const response = await send(connection, endpoint, input as LooseInput, options);
  const body = await wholeText(response, options.signal);
  if (!response.ok) throw problemOf(response, body);
  const output = body === '' ? undefined : parse(response.status, body);
  const tag = response.headers.get('etag');
  if (tag !== null && typeof output === 'object' && output !== null) TAGS.set(output, tag);
  return output as Output<E>;
}

/** The text of a response. Throws `ApiError` if the response was cut off, or the signal's reason if the signal aborts. */
async function wholeText(response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'unreachable', text('The response was interrupted. It is not known whether the request was carried out.'));
  }
}

const TAGS = new WeakMap<object, string>();

/** The `ETag` that an object was returned with; undefined if it had none. */
export function tagOf(output: object): string | undefined {
  return TAGS.get(output);
}

/** A copy with some members changed, to be shown until the API has responded. It keeps the tag of the original. */
export function changedCopy<Value extends object>(output: Value, changes: Partial<Value>): Value {
  const copy = { ...output, ...changes };
  const tag = tagOf(output);
  if (tag !== undefined) TAGS.set(copy, tag);
  return copy;
}

/**
 * Chooses which of two responses to keep: the old one if nothing changed, so that screens are not drawn again. Both are whole responses of
 * `call`, and keep their tags.
 */
export function keepIfSame(before: unknown, after: unknown): unknown {
  return JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

/** Makes one call that returns a file. Throws like `call`. */
export async function callForFile(connection: Connection, endpoint: Endpoint, input: LooseInput, options: CallOptions = {}): Promise<Blob> {
  const response = await send(connection, endpoint, input, options);
  if (!response.ok) throw problemOf(response, await wholeText(response, options.signal));
  try {
    return await response.blob();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, 'unreachable', text('The file was not transferred completely. Try again, with less data if you can.'));
  }
}

/** Makes one call whose response continues until the signal aborts. Throws like `call`. */
export async function callForStream(
  connection: Connection,
  endpoint: Endpoint,
  input: LooseInput,
  signal: AbortSignal,
): Promise<ReadableStreamDefaultReader<string>> {
  const response = await send(connection, endpoint, input, { signal, isStream: true });
  if (!response.ok || response.body === null) throw problemOf(response, await wholeText(response, signal));
  return response.body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
}

const UNAUTHORIZED = 401;
const refusedKeys = listenerSet();

/**
 * Adds a listener for keys that the API refuses, whatever the call is for. It is not called for the environment itself, which is read to
 * check a key.
 */
export const whenKeyIsRefused = refusedKeys.subscribe;

interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface SendOptions extends CallOptions {
  /** Whether the response is a stream, which has no timeout and ends when the signal aborts. */
  readonly isStream?: boolean;
}

async function send(
  connection: Connection | OpenConnection,
  endpoint: Endpoint,
  input: LooseInput,
  options: SendOptions,
): Promise<Response> {
  const [method, path] = endpoint.split(' ') as [string, string];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''));
  const headers: Record<string, string> = 'secretKey' in connection ? { authorization: `Bearer ${connection.secretKey}` } : {};
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
  if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch;
  const ends = [
    ...(options.isStream === true ? [] : [AbortSignal.timeout(options.timeoutMs ?? CALL_TIMEOUT_MS)]),
    ...(options.signal === undefined ? [] : [options.signal]),
  ];
  const url = `${connection.server}${filled}${queryString(input.query ?? {})}`;
  try {
    const early = method === 'GET' ? takeEarlyAnswer(url, headers) : null;
    const response = await (early ??
      fetch(url, {
        method,
        headers,
        body: input.body === undefined ? null : JSON.stringify(input.body),
        signal: AbortSignal.any(ends),
        // Only the key in the header identifies the caller.
        credentials: 'omit',
      }));
    if (response.status === UNAUTHORIZED && 'secretKey' in connection && endpoint !== 'GET /environment') refusedKeys.tell();
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(
      0,
      'unreachable',
      text('{server} does not respond. Check that the service is running and that this browser can reach it.', {
        server: connection.server,
      }),
    );
  }
}

/** Members with the value '' are sent. In a filter, '' matches rows without a value. */
function queryString(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}

function parse(status: number, body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new ApiError(status, 'unexpected', text('The response does not come from the API of this service: it is not JSON.'));
  }
}

function problemOf({ status, headers }: Response, body: string): ApiError {
  let problem: Partial<Problem> | null = null;
  try {
    problem = JSON.parse(body) as Partial<Problem> | null;
  } catch {
    // This is a proxy's own error page. Only the status is known.
  }
  if (typeof problem?.code !== 'string')
    return new ApiError(
      status,
      'unexpected',
      text('The server returned {status} without a reason. The response may come from a proxy.', { status }),
    );
  const retryAfterSeconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new ApiError(status, problem.code, problemWords(problem.code, problem.detail ?? problem.title), {
    fields: (problem.errors ?? []).map((field) => fieldWords(field, problem.detail)),
    retryAfterMs: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds * 1000 : null,
  });
}
