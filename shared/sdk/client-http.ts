import { type Camel, camelPointer, toCamel, toSnake } from './casing.js';
import type { components } from './client-types.js';
import { retryAfterMs } from './retry-after.js';

export type Problem = components['schemas']['Problem'];

/** Why a call failed. If there was no answer, `status` is 0 and there is no `problem`. */
export interface Failure {
  readonly operation: string;
  readonly status: number;
  readonly problem: Problem | null;
  readonly cause: unknown;
}

export type Outcome<Answer> =
  | { readonly kind: 'answer'; readonly answer: Camel<Answer> }
  /** The same call will be refused again. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** It may be sent again after this many milliseconds. */
  | { readonly kind: 'later'; readonly failure: Failure; readonly afterMs: number };

export interface ClientTransport {
  readonly baseUrl: string;
  readonly publishableKey: string;
  readonly timeoutMs: number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** A timer with more milliseconds ends at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;
/**
 * The limit for all requests of a page that continue when it closes (Fetch standard, "inflightKeepaliveBytes"), less
 * what others may have under way.
 */
const KEEPALIVE_BYTES_MAX = 60_000;
/** A unit of a JavaScript string takes at most three bytes of UTF-8. */
const UTF8_BYTES_MAX = 3;

/** Sends one POST. Never throws and never hangs: a failure is an outcome. */
export async function post<Answer>(
  transport: ClientTransport,
  operation: string,
  body: object,
  idempotencyKey: string,
): Promise<Outcome<Answer>> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(new Error(`no answer within ${transport.timeoutMs} ms`));
        abort.abort();
      },
      Math.min(transport.timeoutMs, TIMER_MS_MAX),
    );
  });
  try {
    // Raced, because not every fetch that an app may pass supports signals.
    return await Promise.race([send<Answer>(transport, operation, { body, idempotencyKey, signal: abort.signal }), late]);
  } catch (cause) {
    return { kind: 'later', failure: { operation, status: 0, problem: null, cause }, afterMs: 0 };
  } finally {
    clearTimeout(timer);
  }
}

async function send<Answer>(
  transport: ClientTransport,
  operation: string,
  { body, idempotencyKey, signal }: { readonly body: object; readonly idempotencyKey: string; readonly signal: AbortSignal },
): Promise<Outcome<Answer>> {
  const text = JSON.stringify(toSnake(body));
  const response = await transport.fetch(`${transport.baseUrl}/sdk/${operation}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${transport.publishableKey}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: text,
    // An event that is sent while its page closes still arrives. Browsers refuse larger bodies of this kind as if they were offline.
    keepalive: text.length * UTF8_BYTES_MAX <= KEEPALIVE_BYTES_MAX,
    credentials: 'omit',
    signal,
  });
  const answer = await response.text();
  if (response.ok) return { kind: 'answer', answer: toCamel(readAnswer<Answer>(answer)) };
  const failure: Failure = { operation, status: response.status, problem: readProblem(answer), cause: null };
  if (!isPassing(response.status)) return { kind: 'refused', failure };
  return { kind: 'later', failure, afterMs: retryAfterMs(response.headers.get('retry-after')) ?? 0 };
}

/**
 * Throws if the text is no answer of the service: the page of a network that asks people to sign in has a status of 200 as well. Links and
 * events have an id, and what a URL or an open leads to has a route in the app.
 */
function readAnswer<Answer>(text: string): Answer {
  const value = Object(JSON.parse(text));
  if (!('id' in value || 'deep_link_path' in value)) throw new Error('no answer of the service');
  return value;
}

/** A proxy in front of the service answers in a form of its own. `errors` of another form is left out. */
function readProblem(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('code' in value)) return null;
    const { errors, ...problem } = value as Problem;
    if (!Array.isArray(errors)) return problem;
    const fields = errors.filter((field) => typeof field?.pointer === 'string');
    return { ...problem, errors: fields.map((field) => ({ ...field, pointer: camelPointer(field.pointer) })) };
  } catch {
    return null;
  }
}

/** Whether the status may pass: too many requests, a server's fault, or a first call with the same key that is still running. */
function isPassing(status: number): boolean {
  return status === 409 || status === 429 || status >= 500;
}
