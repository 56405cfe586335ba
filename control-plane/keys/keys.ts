import { idAt } from '../../shared/base/ids.js';
import { randomBase62 } from '../../shared/base/random-text.js';
import { SCOPES, type Scope } from '../../shared/contract/schemas/scopes.js';
import type { EnvironmentName } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';
import { keyHash } from '../http/authenticate.js';
import type { PageRequest } from '../http/cursor.js';

const KEY_CHARACTERS = 32;

export interface KeyRow {
  readonly id: string;
  readonly environment_id: string;
  readonly environment: EnvironmentName;
  readonly kind: 'secret' | 'publishable';
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly prefix: string;
  readonly last4: string;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
  /** The minute of the last use; null if there was none. */
  readonly last_used_at: Date | null;
}

export interface NewKey {
  readonly environmentId: string;
  readonly environment: EnvironmentName;
  readonly kind: 'secret' | 'publishable';
  readonly name: string;
  /** The scopes of a secret key; all of them if absent. A publishable key has none. */
  readonly scopes?: readonly Scope[];
}

/** A key that was created. `key` is shown only this once, because only its SHA-256 is stored. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

export async function createKey(database: Queryable, wanted: NewKey, nowMs: number): Promise<CreatedKey> {
  const prefix = `${wanted.kind === 'secret' ? 'sk' : 'pk'}_${wanted.environment}_`;
  const key = prefix + randomBase62(KEY_CHARACTERS);
  const id = idAt('key', nowMs);
  const scopes = wanted.kind === 'publishable' ? [] : (wanted.scopes ?? SCOPES);
  await database.query({
    text: `INSERT INTO api_keys (id, environment_id, kind, name, scopes, hash, prefix, last4, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      id,
      wanted.environmentId,
      wanted.kind,
      wanted.name,
      scopes,
      keyHash(key),
      prefix,
      key.slice(-4),
      new Date(nowMs).toISOString(),
    ],
  });
  return { id, key };
}

const SELECTED = `SELECT key.id, key.environment_id, environment.name AS environment, key.kind, key.name, key.scopes, key.prefix, key.last4,
             key.created_at, key.revoked_at, key.last_used_at
           FROM api_keys AS key JOIN environments AS environment ON environment.id = key.environment_id
           WHERE key.environment_id = $1`;

/** The keys of an environment, newest first, including revoked ones. */
export async function listKeys(database: Queryable, environmentId: string): Promise<readonly KeyRow[]> {
  const { rows } = await database.query<KeyRow>({ text: `${SELECTED} ORDER BY key.id DESC`, values: [environmentId] });
  return rows;
}

/** The same by keyset, one row more than the page holds. */
export async function readKeys(
  database: Queryable,
  environmentId: string,
  status: 'active' | 'revoked' | null,
  page: PageRequest,
): Promise<readonly KeyRow[]> {
  const { rows } = await database.query<KeyRow>({
    text: `${SELECTED} AND ($2::text IS NULL OR key.id < $2) AND ($3::text IS NULL OR (key.revoked_at IS NULL) = ($3 = 'active'))
           ORDER BY key.id DESC LIMIT $4`,
    values: [environmentId, page.belowId, status, page.limit + 1],
  });
  return rows;
}

/**
 * Revokes the key; every process refuses it within a second. Returns false if there is no such key. If the key is already revoked, it keeps
 * the first time.
 */
export async function revokeKey(database: Queryable, keyId: string): Promise<boolean> {
  const { rowCount } = await database.query({
    text: 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1',
    values: [keyId],
  });
  return rowCount === 1;
}

/** The name that the key's creator has given it. */
export async function readKeyName(database: Queryable, keyId: string): Promise<string> {
  const { rows } = await database.query<{ name: string }>({
    name: 'read_key_name',
    text: 'SELECT name FROM api_keys WHERE id = $1',
    values: [keyId],
  });
  return rows[0]?.name ?? '';
}
