import { hkdfSync, randomFillSync } from 'node:crypto';
import { encodeUlid, ID_PREFIXES, idBytes, writeTime } from '../base/ids.js';
import { type SipHashKey, sipHash, sipHashKey } from '../base/siphash.js';
import type { SecretKeys } from './seal.js';

/**
 * Ids of clicks are signed, so that a link host can distinguish an id that it, or another host, has issued from one
 * that somebody made up, without asking anybody. They keep the form of all ids, a prefix and a ULID:
 *
 *     6 bytes  time
 *     5 bytes  drawn: nobody can guess them, and two clicks of one millisecond differ
 *     5 bytes  signature: the first bytes of SipHash-2-4 of the 11 bytes before
 *
 * The keys are derived from SECRETS_KEYS, which all hosts and control planes share: the first one signs, all of them
 * verify. See shared/decisions/2026-11-22-signed-click-ids.md.
 */
export const DRAWN_BYTES = 5;
const TIME_BYTES = 6;
const SIGNED_BYTES = TIME_BYTES + DRAWN_BYTES;
const SIGNATURE_BYTES = 5;

export const KEY_NAME_BYTES = 8;

export interface ClickIdKey {
  /** Identifies the key, and reveals nothing else about it. */
  readonly name: Buffer;
  readonly signing: SipHashKey;
  /** The key from which the drawn bytes of a series of ids are derived. */
  readonly drawing: Buffer;
}

export interface ClickIdKeys {
  /** The key that signs. */
  readonly current: ClickIdKey;
  readonly all: readonly ClickIdKey[];
}

export function deriveClickIdKeys({ current, keys }: SecretKeys): ClickIdKeys {
  const derived = new Map([...keys].map(([id, key]) => [id, deriveKey(key)]));
  return { current: derived.get(current) as ClickIdKey, all: [...derived.values()] };
}

function deriveKey(secret: Buffer): ClickIdKey {
  const part = (purpose: string, bytes: number): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `click ids: ${purpose}`, bytes));
  return { name: part('name', KEY_NAME_BYTES), signing: sipHashKey(part('signature', 16)), drawing: part('drawing', 32) };
}

const hash = new Int32Array(2);
const hashBytes = new Uint8Array(hash.buffer);

/** Writes the signature of the ULID's first 11 bytes after them. */
export function signUlid(key: SipHashKey, ulid: Uint8Array): void {
  sipHash(key, ulid, SIGNED_BYTES, hash);
  for (let index = 0; index < SIGNATURE_BYTES; index++) ulid[SIGNED_BYTES + index] = hashBytes[index] as number;
}

/** A new id that belongs to no series. */
export function newClickId({ current }: ClickIdKeys, timeMs: number): string {
  const ulid = new Uint8Array(16);
  randomFillSync(ulid, TIME_BYTES, DRAWN_BYTES);
  writeTime(ulid, timeMs);
  signUlid(current.signing, ulid);
  return ID_PREFIXES.click + encodeUlid(ulid);
}

/** Whether the text is the id of a click that was signed with one of the keys. */
export function isSignedClickId({ all }: ClickIdKeys, text: string): boolean {
  const ulid = idBytes('click', text);
  return ulid !== null && all.some(({ signing }) => isSignedBy(signing, ulid));
}

/** An early return reveals nothing useful: there are 2^40 signatures to try, each by a request. */
function isSignedBy(key: SipHashKey, ulid: Uint8Array): boolean {
  sipHash(key, ulid, SIGNED_BYTES, hash);
  for (let index = 0; index < SIGNATURE_BYTES; index++) if (ulid[SIGNED_BYTES + index] !== hashBytes[index]) return false;
  return true;
}
