import { setTimeout as sleep } from 'node:timers/promises';
import { parseExactly } from '../../../shared/base/exact-numbers.js';
import { isObject } from '../../../shared/base/issue.js';
import { parseUrl } from '../../../shared/base/parse-url.js';
import { withDeadline } from '../../../shared/base/with-deadline.js';
import type { OnWait } from './source-link.js';
import { instantOf } from './source-row.js';

const ATTEMPTS_MAX = 6;
const ANSWER_MS_MAX = 30_000;
/** A service may ask for a wait of hours, until its daily count is reset. It is asked again earlier, in case a shorter wait is enough. */
const WAIT_MS_MAX = 15 * 60_000;
/** The largest pages of any service, 500 links of Shlink, have one or two megabytes. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** Shorter waits are not reported to the operator. */
const WAIT_NAMED_MS_MIN = 5_000;

/** A service did not respond as its documentation says. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** The status of the response; null if there was no response, or if it was not JSON. */
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

/** The statuses that services return for a key that lacks a right. */
const REFUSED: ReadonlySet<number | null> = new Set([401, 403, 404]);

export function isRefused(error: unknown): error is SourceError {
  return error instanceof SourceError && REFUSED.has(error.status);
}

export interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly interrupted: AbortSignal;
  readonly onWait?: OnWait;
}

/** Requests a page of a service's API. Retries if the service limits the rate (429) or is down for a moment. */
export async function getJson<Body>(url: string, { headers, interrupted, onWait }: Request): Promise<Body> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(url, headers, interrupted);
    if (answer.kind === 'body') return answer.body as Body;
    const reason = `${new URL(url).host} ${answer.reason}`;
    if (!answer.again || attempt === ATTEMPTS_MAX) throw new SourceError(reason, answer.status);
    // A service may ask for no wait at all, and would have refused every attempt within a moment.
    const waitMs = Math.min(WAIT_MS_MAX, Math.max(answer.waitMs ?? 0, 500 * 2 ** attempt));
    if (waitMs >= WAIT_NAMED_MS_MIN) onWait?.(reason, waitMs);
    await sleep(waitMs, undefined, { signal: interrupted });
  }
}

/** Requests a page that is an object. Its members may be absent or of another type. */
export async function getObject<Body extends object>(url: string, request: Request): Promise<{ readonly [Name in keyof Body]?: unknown }> {
  const body = await getJson<unknown>(url, request);
  if (!isObject(body)) throw undocumented(url);
  return body as { readonly [Name in keyof Body]?: unknown };
}

/** Returns the value, if it is a list of objects. Throws `SourceError` if not: the address may be that of something else. */
export function listIn<Item extends object>(value: unknown, url: string): readonly Item[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw undocumented(url);
  return value as readonly Item[];
}

function undocumented(url: string): SourceError {
  return new SourceError(`${new URL(url).host} returns something else than its documentation says; check the address`, null);
}

type Answer =
  | { readonly kind: 'body'; readonly body: unknown }
  | {
      readonly kind: 'none';
      readonly reason: string;
      readonly status: number | null;
      readonly again: boolean;
      readonly waitMs: number | null;
    };

async function ask(url: string, headers: Readonly<Record<string, string>>, interrupted: AbortSignal): Promise<Answer> {
  let response: Response;
  let text: string | null;
  try {
    [response, text] = await withDeadline(ANSWER_MS_MAX, interrupted, async (signal) => {
      // A redirect is not followed, because the key would go to another host.
      const answer = await fetch(url, { headers: { accept: 'application/json', ...headers }, redirect: 'manual', signal });
      return [answer, await boundedText(answer)];
    });
  } catch (error) {
    interrupted.throwIfAborted();
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return {
      kind: 'none',
      reason: `cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
      status: null,
      again: true,
      waitMs: null,
    };
  }
  if (!response.ok) {
    const { status, headers } = response;
    const again = status === 429 || status >= 500;
    return {
      kind: 'none',
      reason: `answers ${status}${redirectOf(response)}`,
      status,
      again,
      waitMs: waitMsOf(headers.get('retry-after')),
    };
  }
  if (text === null)
    return {
      kind: 'none',
      reason: `returns more than ${ANSWER_BYTES_MAX / 1024 / 1024} MB at once; check the address`,
      status: null,
      again: false,
      waitMs: null,
    };
  try {
    return { kind: 'body', body: parseExactly(text) };
  } catch {
    // A body without a length may be cut off. A page of another kind would come again.
    const isCut = /^\s*[[{]/.test(text);
    return { kind: 'none', reason: 'does not return JSON; check the address', status: null, again: isCut, waitMs: null };
  }
}

/** The text of the response; null if it is longer than any page of a service. */
async function boundedText({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Where the response redirects to, as the rest of a sentence; '' if it does not. */
function redirectOf({ status, headers, url }: Response): string {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  const leadsTo = location === null ? null : parseUrl(location, url);
  return leadsTo === null ? '' : ` with a redirect to ${leadsTo.origin}; pass the address that answers by itself`;
}

/** Nobody asks for a wait of 30 years: such a number is a time since 1970. */
const WAIT_SECONDS_MAX = 1e9;

/**
 * The wait that `Retry-After` asks for, in milliseconds; null if it is absent or cannot be read. It is in seconds or a date. Dub writes the
 * time when the wait is over, in milliseconds since 1970.
 */
function waitMsOf(retryAfter: string | null): number | null {
  const text = (retryAfter ?? '').trim();
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number < WAIT_SECONDS_MAX) return number * 1000;
  const ms = Date.parse(instantOf(number) ?? text) - Date.now();
  return Number.isNaN(ms) ? null : ms;
}

/** The address without a slash at its end. */
export function baseOf(given: string | null, own: string): string {
  return (given ?? own).replace(/\/+$/, '');
}
