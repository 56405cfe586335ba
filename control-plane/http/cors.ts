import type { Queryable } from '../db/database.js';
import { type Refusal, refuse } from './problems.js';

/**
 * Browsers on `/sdk/*` (https://fetch.spec.whatwg.org/#http-cors-protocol). A request carries a key, and is answered to the
 * web origins of that key's environment alone. A preflight carries none, so that it can only be told whether any environment
 * lists the origin; the request itself is judged again. Cookies mean nothing here and are never allowed.
 *
 * An origin that some environment lists may read whatever refuses its request, so that a page sees "unauthorized" and not
 * the silence of a network error. The origin of another environment than the key's may not.
 */
export interface Origins {
  /** Whether any environment lists the origin. */
  isListed(origin: string): Promise<boolean>;
}

/** As long as a key is believed: an origin that is taken off the list has lost it then everywhere. */
const ORIGIN_CACHE_MS = 500;

/** Only origins that are listed are remembered. Past this many the cache starts over. */
const CACHED_ORIGINS_MAX = 10_000;

/** A browser asks for this long not again (Chromium takes no more). A preflight decides nothing by itself. */
const PREFLIGHT_SECONDS = 7200;

const ORIGIN_CHARACTERS_MAX = 300;

export function createOrigins(database: Queryable, monotonicMs: () => number = () => performance.now()): Origins {
  const listedUntilMs = new Map<string, number>();
  return {
    async isListed(origin) {
      if (origin.length > ORIGIN_CHARACTERS_MAX) return false;
      const now = monotonicMs();
      if ((listedUntilMs.get(origin) ?? 0) > now) return true;
      if (!(await isListed(database, origin))) return false;
      if (listedUntilMs.size >= CACHED_ORIGINS_MAX) listedUntilMs.clear();
      listedUntilMs.set(origin, now + ORIGIN_CACHE_MS);
      return true;
    },
  };
}

async function isListed(database: Queryable, origin: string): Promise<boolean> {
  const { rows } = await database.query<{ listed: boolean }>({
    name: 'is_origin_listed',
    text: 'SELECT EXISTS (SELECT 1 FROM environments WHERE web_origins @> ARRAY[$1::text]) AS listed',
    values: [origin],
  });
  return rows[0]?.listed === true;
}

export function refuseOrigin(origin: string): Refusal {
  return refuse('origin_not_allowed', `The origin ${JSON.stringify(origin)} is no web origin of the environment.`);
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
export function preflightHeaders(origin: string, methods: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  };
}
