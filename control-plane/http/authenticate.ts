import { createHash } from 'node:crypto';
import type { Route, Scope } from '../../shared/contract/route.js';
import type { Queryable } from '../db/database.js';
import { refuse } from './problems.js';

/** Whose call it is. */
export interface Caller {
  readonly keyId: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly string[];
  readonly environment: CallerEnvironment;
}

export interface CallerEnvironment {
  readonly id: string;
  readonly name: 'test' | 'live';
  readonly linkHost: string;
  /** IANA time zone of the project. */
  readonly timeZone: string;
  /** Origins from which browsers may call with a publishable key. */
  readonly webOrigins: readonly string[];
}

const KEY = /^(?:sk|pk)_(?:test|live)_[0-9A-Za-z]{32}$/;
const BEARER = /^Bearer +([^ ]+) *$/i;

/** A revoked key must be dead within a second on every process: half of it is for the cache, the rest for the answer. */
export const KEY_CACHE_MS = 500;

/** Only keys that exist are remembered, so that guesses push nothing out. Past this many the cache starts over. */
const CACHED_KEYS_MAX = 10_000;

export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

interface KeyRow {
  readonly key_id: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly string[];
  readonly environment_id: string;
  readonly environment_name: 'test' | 'live';
  readonly link_host: string;
  readonly time_zone: string;
  readonly web_origins: readonly string[];
}

async function findKey(database: Queryable, hash: Buffer): Promise<Caller | null> {
  const { rows } = await database.query<KeyRow>({
    name: 'find_key',
    text: `SELECT key.id AS key_id, key.kind, key.scopes, environment.id AS environment_id, environment.name AS environment_name,
             environment.link_host, project.time_zone, environment.web_origins
           FROM api_keys AS key
           JOIN environments AS environment ON environment.id = key.environment_id
           JOIN projects AS project ON project.id = environment.project_id
           WHERE key.hash = $1 AND key.revoked_at IS NULL`,
    values: [hash],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    keyId: row.key_id,
    kind: row.kind,
    scopes: row.scopes,
    environment: {
      id: row.environment_id,
      name: row.environment_name,
      linkHost: row.link_host,
      timeZone: row.time_zone,
      webOrigins: row.web_origins,
    },
  };
}

/** Answers whose key the header holds, or throws 401. Calls with one key that come together make one look-up. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

/** `monotonicMs` must not jump with the wall clock, or a cached key could outlive its revocation. */
export function createAuthenticate(database: Queryable, monotonicMs: () => number = () => performance.now()): Authenticate {
  const cache = new Map<string, { readonly caller: Promise<Caller | null>; readonly expiresMs: number }>();

  return async (authorization) => {
    const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    if (key === undefined || !KEY.test(key)) throw unauthorized();
    const hash = keyHash(key);
    const cacheKey = hash.toString('latin1');
    const now = monotonicMs();
    let entry = cache.get(cacheKey);
    if (entry === undefined || entry.expiresMs <= now) {
      if (cache.size >= CACHED_KEYS_MAX) cache.clear();
      // The time counts from before the look-up: what it reads may be that old when it comes back.
      entry = { caller: findKey(database, hash), expiresMs: now + KEY_CACHE_MS };
      cache.set(cacheKey, entry);
    }
    const forget = () => {
      if (cache.get(cacheKey) === entry) cache.delete(cacheKey);
    };
    const caller = await entry.caller.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (caller !== null) return caller;
    forget();
    throw unauthorized();
  };
}

function unauthorized() {
  return refuse('unauthorized', 'Send a valid key as "Authorization: Bearer <key>".', { 'www-authenticate': 'Bearer' });
}

/** Throws 403 unless the key is of the kind the row asks for and holds one of its scopes. */
export function authorize(caller: Caller, route: Route): void {
  if (caller.kind !== route.key)
    throw refuse('insufficient_scope', `This operation takes a ${route.key} key, and this one is ${caller.kind}.`);
  if (route.scopes.length > 0 && !route.scopes.some((scope: Scope) => caller.scopes.includes(scope)))
    throw refuse('insufficient_scope', `The key needs the scope ${route.scopes.join(' or ')}.`);
}
