import { type Refusal, refuse } from './problems.js';

/**
 * CORS for browsers on `/sdk/*` (https://fetch.spec.whatwg.org/#http-cors-protocol). A request carries a key, and only pages of the
 * web origins of that key's environment may read the response. A preflight carries no key. Every origin gets the same response to it, so
 * that nobody learns which origins an environment lists, and nothing has to be looked up. Only the request itself is checked.
 *
 * Refusals from before the key is known, because of a limit or an unknown key, may be read from any origin, so that a page sees
 * "unauthorized" and not a network error without a reason. Cookies mean nothing here and are never allowed.
 */

/** How long a browser may cache a preflight (Chromium accepts no more). A preflight decides nothing by itself. */
const PREFLIGHT_SECONDS = 7200;

export function refuseOrigin(origin: string): Refusal {
  return refuse('origin_not_allowed', `The origin ${JSON.stringify(origin)} is not a web origin of the environment.`);
}

/** The headers that a page may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
].join(', ');

/** The headers of a response to a page of the origin. */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS };
}

export const CORS_HEADER_NAMES = Object.keys(corsHeaders(''));

/** The headers of the response to a preflight. */
export function preflightHeaders(methods: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}
