import { type Refusal, refuse } from './problems.js';

/**
 * Browsers on `/sdk/*` (https://fetch.spec.whatwg.org/#http-cors-protocol). A request carries a key, and is answered to the
 * web origins of that key's environment alone. A preflight carries none: every origin is told the same, so that nobody learns
 * from it which origins anybody lists, and nothing is looked up. The request itself is judged.
 *
 * What refuses a request before its key is known, a limit or an unknown key, may be read from any origin: a page then sees
 * "unauthorized" and not the silence of a network error. Cookies mean nothing here and are never allowed.
 */

/** A browser asks for this long not again (Chromium takes no more). A preflight decides nothing by itself. */
const PREFLIGHT_SECONDS = 7200;

export function refuseOrigin(origin: string): Refusal {
  return refuse('origin_not_allowed', `The origin ${JSON.stringify(origin)} is not a web origin of the environment.`);
}

/** What the page may read besides the body. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
].join(', ');

/** Of an answer to a page of the origin. */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS };
}

export const CORS_HEADER_NAMES = Object.keys(corsHeaders(''));

/** Of the answer to a preflight. */
export function preflightHeaders(methods: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}
