import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { invariant } from '../../shared/base/invariant.js';
import { IDEMPOTENCY_HOURS } from '../../shared/base/limits.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { type SecretKeys, seal, unseal } from '../../shared/secrets/seal.js';
import type { Database, Queryable } from '../db/database.js';
import { canonicalJson } from './canonical-json.js';
import { fieldError, refuse } from './problems.js';
import { type Run, stillRunning, whileNoted } from './running-keys.js';

/** A response as it is sent, without the parts that belong to one request only (its id, its rate limit). */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if the response has no body; bytes or a stream if it is a file. */
  readonly body: string | Buffer | Readable;
  /** Opens the stream that is sent instead of a body. May throw a refusal. */
  readonly stream?: () => Readable;
}

export interface IdempotentRequest extends Run {
  readonly fingerprints: Fingerprints;
}

/** The response to a request with an `Idempotency-Key`. */
export interface RememberedReply extends Reply {
  /** The installation whose data the response holds, and with which it is erased. Null for none. */
  readonly installId: string | null;
}

/** Identify a request by its method, path with query, and body. */
export interface Fingerprints {
  /** Includes the bytes of the body. Releases from before `canonical` know only this one. */
  readonly exact: Buffer;
  /** Includes the JSON of the body, independent of the order of its members. */
  readonly canonical: Buffer;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the header's value, or an error if it is not a UUID. */
export function readIdempotencyKey(header: string | readonly string[]): string | FieldError {
  if (typeof header === 'string' && UUID.test(header)) return header.toLowerCase();
  return fieldError('header', '/Idempotency-Key', 'invalid_format', 'must be a UUID');
}

/** `body` is the parsed `rawBody`. They are undefined and null if there was no body. That is the same request as one with `{}`. */
export function requestFingerprints(method: string, url: string, rawBody: Uint8Array | null, body: unknown): Fingerprints {
  const fingerprint = (content: Uint8Array | string) => createHash('sha256').update(`${method}\n${url}\n`).update(content).digest();
  return { exact: fingerprint(rawBody ?? ''), canonical: fingerprint(canonicalJson(body === undefined ? {} : body)) };
}

/** How the response to a request is made. Both parts throw refusals. */
export interface Work {
  /** Whether the check may wait for another server. */
  readonly checkWaits: boolean;
  /** The part that has no effect: rules and look-ups. */
  readonly check: () => Promise<void>;
  /** The part that has the effect, and returns the response. */
  readonly effect: (database: Database) => Promise<RememberedReply>;
}

/**
 * Looks the key up and runs the work at most once for it. The response is stored in the transaction of the effect, so it can be
 * replayed even after a crash between commit and response. While the first request runs, another one with the same key gets 409
 * immediately: a transaction-level advisory lock marks the key as running, and PostgreSQL releases it with the transaction. Rules
 * and look-ups run before the transaction, so that a slow one holds no connection. While they wait for another server, a row in
 * `idempotency_runs` marks the key as running. A refusal is an exception and is not stored: the request had no effect, and a
 * corrected request may use the same key.
 */
export async function answerOnce(database: Database, secretKeys: SecretKeys, request: IdempotentRequest, work: Work): Promise<Reply> {
  const remembered = await findRemembered(database, request);
  if (remembered !== null) return replay(remembered, secretKeys, request);
  const takeEffect = () =>
    database.transaction(async (transaction) => {
      if (!(await tryLock(transaction, request))) throw stillRunning();
      // A separate statement: a snapshot from before the lock would not see what the previous holder of the lock stored.
      const meanwhile = await findRemembered(transaction, request);
      if (meanwhile !== null) return replay(meanwhile, secretKeys, request);
      const reply = await work.effect(transaction);
      invariant(typeof reply.body === 'string', 'an operation that answers a file has no effect to remember');
      await remember(transaction, request, { ...reply, sealed: seal(secretKeys, place(request), reply.body) });
      return reply;
    });
  if (work.checkWaits) return whileNoted(database, request, work.check, takeEffect);
  await work.check();
  return takeEffect();
}

function replay(remembered: Remembered, secretKeys: SecretKeys, request: IdempotentRequest): Reply {
  const { exact, canonical } = request.fingerprints;
  if (!remembered.fingerprint.equals(exact) && !remembered.canonical_fingerprint?.equals(canonical))
    throw refuse('idempotency_key_reused', 'This Idempotency-Key was first sent with another request: use a new one.');
  return {
    status: remembered.status,
    headers: { ...remembered.headers, 'idempotent-replayed': 'true' },
    body: unseal(secretKeys, place(request), remembered.body),
  };
}

/** The place for sealing a response. Responses can hold secrets that are shown once, so they are sealed at rest like other credentials. */
function place(request: IdempotentRequest): string {
  return `idempotency_keys/${request.keyId}/${request.idempotencyKey}/body`;
}

interface Remembered {
  readonly fingerprint: Buffer;
  /** Null in a row written by a release that does not know it. */
  readonly canonical_fingerprint: Buffer | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Returns null if there is no stored response for the key. Throws a refusal if another request with the key is running. */
async function findRemembered(database: Queryable, request: IdempotentRequest): Promise<Remembered | null> {
  const { rows } = await database.query<Remembered | { readonly status: null }>({
    name: 'find_idempotency_key',
    text: `SELECT fingerprint, canonical_fingerprint, status, headers, body FROM idempotency_keys
           WHERE key_id = $1 AND idempotency_key = $2 AND created_at > now() - make_interval(hours => $3)
           UNION ALL
           SELECT NULL, NULL, NULL, NULL, NULL FROM idempotency_runs
           WHERE key_id = $1 AND idempotency_key = $2 AND request_id <> $4 AND ends_at > now()`,
    values: [request.keyId, request.idempotencyKey, IDEMPOTENCY_HOURS, request.requestId],
  });
  const answer = rows.find((row) => row.status !== null);
  if (answer === undefined && rows.length > 0) throw stillRunning();
  return answer ?? null;
}

async function tryLock(database: Queryable, request: IdempotentRequest): Promise<boolean> {
  const { rows } = await database.query<{ locked: boolean }>({
    name: 'lock_idempotency_key',
    text: 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
    values: [`idempotency/${request.keyId}/${request.idempotencyKey}`],
  });
  return rows[0]?.locked === true;
}

/** Stores the response. Replaces an existing row, which must be older than 24 hours, because otherwise it would have been found before. */
async function remember(
  database: Queryable,
  request: IdempotentRequest,
  reply: RememberedReply & { readonly sealed: Buffer },
): Promise<void> {
  await database.query({
    name: 'remember_answer',
    text: `INSERT INTO idempotency_keys (key_id, idempotency_key, fingerprint, canonical_fingerprint, status, headers, body, install_id, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
           ON CONFLICT (key_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
             canonical_fingerprint = excluded.canonical_fingerprint, status = excluded.status, headers = excluded.headers,
             body = excluded.body, install_id = excluded.install_id, created_at = excluded.created_at`,
    values: [
      request.keyId,
      request.idempotencyKey,
      request.fingerprints.exact,
      request.fingerprints.canonical,
      reply.status,
      JSON.stringify(reply.headers),
      reply.sealed,
      reply.installId,
    ],
  });
}

/** Deletes expired keys. Returns the number of deleted rows; call it until it returns 0. */
export async function forgetOldKeys(database: Queryable, rowsMax: number): Promise<number> {
  const { rowCount } = await database.query({
    text: `DELETE FROM idempotency_keys WHERE (key_id, idempotency_key) IN (
             SELECT key_id, idempotency_key FROM idempotency_keys
             WHERE created_at <= now() - make_interval(hours => $1) ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    values: [IDEMPOTENCY_HOURS, rowsMax],
  });
  return rowCount;
}
