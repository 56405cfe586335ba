import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS_MAX = 6;
const ANSWER_MS_MAX = 30_000;
const WAIT_MS_MAX = 60_000;

/** A service did not answer as its documentation says. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly interrupted: AbortSignal;
}

/** A page of a service's API. One that asks for patience (429), or is down for a moment, is asked again. */
export async function getJson<Body>(url: string, { headers, interrupted }: Request): Promise<Body> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(url, headers, interrupted);
    if (answer.kind === 'body') return answer.body as Body;
    if (!answer.again || attempt === ATTEMPTS_MAX) throw new SourceError(`${new URL(url).host} ${answer.reason}`);
    await sleep(Math.min(WAIT_MS_MAX, answer.waitMs ?? 500 * 2 ** attempt), undefined, { signal: interrupted });
  }
}

type Answer =
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'none'; readonly reason: string; readonly again: boolean; readonly waitMs: number | null };

async function ask(url: string, headers: Readonly<Record<string, string>>, interrupted: AbortSignal): Promise<Answer> {
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(ANSWER_MS_MAX)]);
    response = await fetch(url, { headers: { accept: 'application/json', ...headers }, redirect: 'error', signal });
    text = await response.text();
  } catch (error) {
    interrupted.throwIfAborted();
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return {
      kind: 'none',
      reason: `cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
      again: true,
      waitMs: null,
    };
  }
  if (!response.ok) {
    const again = response.status === 429 || response.status >= 500;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { kind: 'none', reason: `answers ${response.status}`, again, waitMs: Number.isFinite(seconds) ? seconds * 1000 : null };
  }
  try {
    return { kind: 'body', body: JSON.parse(text) };
  } catch {
    return { kind: 'none', reason: 'does not answer with JSON; check the address', again: false, waitMs: null };
  }
}

/** The address without a slash at its end. */
export function baseOf(given: string | null, own: string): string {
  return (given ?? own).replace(/\/+$/, '');
}
