import { createHash } from 'node:crypto';
import { UNKNOWN_KEYS_PER_MINUTE } from '../../shared/base/limits.js';
import type { Route } from '../../shared/contract/routes/route.js';
import type { Scope } from '../../shared/contract/schemas/scopes.js';
import { addressOfLimit } from '../../shared/net/address.js';
import type { EnvironmentName } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';
import type { Share } from '../peers/peers.js';
import { refuse } from './problems.js';
import { RateLimiter, refuseOverLimit } from './rate-limit.js';

/** The caller of a request. */
export interface Caller {
  readonly keyId: string;
  /** The name that the operator has given to the key. */
  readonly keyName: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly string[];
  readonly environment: CallerEnvironment;
}

export interface CallerEnvironment {
  readonly id: string;
  readonly name: EnvironmentName;
  readonly linkHost: string;
  /** IANA time zone of the project. */
  readonly timeZone: string;
  /** Origins from which browsers may call with a publishable key. */
  readonly webOrigins: readonly string[];
}

const KEY = /^(?:sk|pk)_(?:test|live)_[0-9A-Za-z]{32}$/;
const BEARER = /^Bearer +([^ ]+) *$/i;

/** A revoked key must be refused within a second on every process. The cache may take half of that, and the response the rest. */
export const KEY_CACHE_MS = 500;

/** Maximum number of cached keys that exist. Beyond it, the key that was looked up longest ago is evicted. */
const KNOWN_KEYS_MAX = 10_000;

/** Keys that do not exist are cached separately, so that guesses evict nothing else. Clients with a wrong key try it again and again. */
const UNKNOWN_KEYS_MAX = 10_000;
const UNKNOWN_KEY_MS = 10_000;

/** The expiry of a key that is looked up again at its next use. */
const EXPIRED_MS = Number.NEGATIVE_INFINITY;

export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A well-formed key, known or unknown. */
export interface PresentedKey {
  readonly hash: Buffer;
  /** The hash as text. */
  readonly name: string;
}

/** Returns the key in an `Authorization` header. Throws 401 if there is none. Does not look it up. */
export function presentedKey(authorization: string | undefined): PresentedKey {
  const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (key === undefined || !KEY.test(key)) throw unauthorized();
  const hash = keyHash(key);
  return { hash, name: hash.toString('latin1') };
}

interface KeyRow {
  readonly key_id: string;
  readonly key_name: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly string[];
  readonly environment_id: string;
  readonly environment_name: EnvironmentName;
  readonly link_host: string;
  readonly time_zone: string;
  readonly web_origins: readonly string[];
}

async function findKey(database: Queryable, hash: Buffer): Promise<Caller | null> {
  const { rows } = await database.query<KeyRow>({
    name: 'find_key',
    text: `SELECT key.id AS key_id, key.name AS key_name, key.kind, key.scopes, environment.id AS environment_id, environment.name AS environment_name,
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
    keyName: row.key_name,
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

interface KnownKey {
  readonly caller: Caller;
  readonly expiresMs: number;
}

interface Lookup {
  readonly answer: Promise<Caller | null>;
  /** Requests after this time do not share the look-up, because its result may be too old for them. */
  readonly expiresMs: number;
}

/**
 * Finds the owner of a key. Simultaneous calls with the same key share one look-up.
 *
 * A key that this process does not know costs a query, and anybody can invent keys, so the number of unknown keys per address
 * and minute is limited. Known keys are not subject to this limit.
 */
export class Authenticator {
  readonly #database: Queryable;
  readonly #monotonicMs: () => number;
  readonly #known = new Map<string, KnownKey>();
  readonly #unknownUntilMs = new Map<string, number>();
  readonly #lookups = new Map<string, Lookup>();
  /** Number of changes of environments so far. */
  #changes = 0;
  readonly #tries: RateLimiter;
  readonly #onUsed: (keyId: string) => void;

  /**
   * `monotonicMs` must not jump with the wall clock, or a cached key could outlive its revocation. `onUsed` is called when a key that is
   * used is looked up, and not for further calls while it is cached.
   */
  constructor(
    database: Queryable,
    monotonicMs: () => number = () => performance.now(),
    share?: () => Share,
    onUsed: (keyId: string) => void = () => {},
  ) {
    this.#database = database;
    this.#monotonicMs = monotonicMs;
    this.#onUsed = onUsed;
    this.#tries = new RateLimiter(UNKNOWN_KEYS_PER_MINUTE, monotonicMs, share);
  }

  /** Returns the owner that the key had at its last look-up, however long ago; null if it is not cached. */
  remembered(key: PresentedKey): Caller | null {
    return this.#known.get(key.name)?.caller ?? null;
  }

  /** Makes the keys of the environment be looked up again, because its settings changed. Other processes do so within KEY_CACHE_MS. */
  forgetEnvironment(environmentId: string): void {
    // A look-up in progress may have read the row before the change. Requests that already wait for it get its result, later ones do not.
    this.#changes++;
    this.#lookups.clear();
    for (const [name, { caller }] of this.#known)
      if (caller.environment.id === environmentId) this.#known.set(name, { caller, expiresMs: EXPIRED_MS });
  }

  /** Returns the owner of the key. Throws 401 for an unknown key, and 429 if the address has tried too many of them. */
  async authenticate(key: PresentedKey, address: string): Promise<Caller> {
    const now = this.#monotonicMs();
    const known = this.#known.get(key.name);
    if (known !== undefined && known.expiresMs > now) return known.caller;
    if ((this.#unknownUntilMs.get(key.name) ?? 0) > now) throw unauthorized();
    let lookup = this.#lookups.get(key.name);
    if (lookup === undefined || lookup.expiresMs <= now) {
      const expiresMs = now + KEY_CACHE_MS;
      const answer = known === undefined ? this.#lookUpStranger(key, address, expiresMs) : this.#lookUp(key, expiresMs);
      lookup = { answer, expiresMs };
      this.#lookups.set(key.name, lookup);
    }
    const caller = await lookup.answer.finally(() => {
      if (this.#lookups.get(key.name) === lookup) this.#lookups.delete(key.name);
    });
    if (caller === null) throw unauthorized();
    return caller;
  }

  /** Looks up a key that is not cached. Only keys that turn out not to exist count against the address. */
  #lookUpStranger(key: PresentedKey, address: string, expiresMs: number): Promise<Caller | null> {
    const network = addressOfLimit(address);
    refuseOverLimit(this.#tries.count(network), 'Too many unknown keys from this address.');
    return this.#lookUp(key, expiresMs).then(
      (caller) => {
        if (caller !== null) this.#tries.giveBack(network);
        return caller;
      },
      (error: unknown) => {
        this.#tries.giveBack(network);
        throw error;
      },
    );
  }

  async #lookUp(key: PresentedKey, expiresMs: number): Promise<Caller | null> {
    const changes = this.#changes;
    const caller = await findKey(this.#database, key.hash);
    this.#known.delete(key.name);
    if (caller === null) keepNewest(this.#unknownUntilMs, UNKNOWN_KEYS_MAX).set(key.name, this.#monotonicMs() + UNKNOWN_KEY_MS);
    else {
      keepNewest(this.#known, KNOWN_KEYS_MAX).set(key.name, { caller, expiresMs: changes === this.#changes ? expiresMs : EXPIRED_MS });
      this.#onUsed(caller.keyId);
    }
    return caller;
  }
}

/** Evicts the oldest entries until the map has room for one more. Returns the map. */
function keepNewest<Value>(map: Map<string, Value>, entriesMax: number): Map<string, Value> {
  for (const oldest of map.keys()) {
    if (map.size < entriesMax) break;
    map.delete(oldest);
  }
  return map;
}

function unauthorized() {
  return refuse('unauthorized', 'Send a valid key as "Authorization: Bearer <key>".', { 'www-authenticate': 'Bearer' });
}

/** Throws 403 unless the key is of the kind that the route requires and has the scopes that it requires. */
export function authorize(caller: Caller, route: Route): void {
  const kind = route.key ?? 'secret';
  if (caller.kind !== kind) throw refuse('insufficient_scope', `This operation requires a ${kind} key, but this one is ${caller.kind}.`);
  if (route.scopes.length > 0 && !route.scopes.some((scope: Scope) => caller.scopes.includes(scope)))
    throw refuse('insufficient_scope', `The key requires the scope ${route.scopes.join(' or ')}.`);
  if (route.alsoScope !== undefined && !caller.scopes.includes(route.alsoScope))
    throw refuse('insufficient_scope', `The key also requires the scope ${route.alsoScope}.`);
}
