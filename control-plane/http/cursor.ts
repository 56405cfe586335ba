import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { encodeUlid, ID_PREFIXES, type IdKind, idBytes } from '../../shared/base/ids.js';
import { PAGE_DEFAULT } from '../../shared/base/limits.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import { fieldError } from './problems.js';

/**
 * A cursor names the last row seen: the 16 bytes of its id (which begin with its creation time) and 12 bytes of
 * HMAC-SHA256 over the list's name and those bytes. The row itself may be gone; the next page begins below the id. Every
 * process opens the cursors of every other, and of the keys before a rotation.
 */
const ID_BYTES = 16;
const MAC_BYTES = 12;

/** One list of one environment, for example `listDeliveries/env_.../wh_...`. */
export type ListName = string;

export interface Cursors {
  encode(list: ListName, kind: IdKind, lastId: string): string;
  /** The id of the last row seen, or null if the cursor was altered or made for another list. */
  decode(list: ListName, kind: IdKind, cursor: string): string | null;
}

export function createCursors(secretKeys: SecretKeys): Cursors {
  const derive = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, '', 'list cursor', 32));
  const keys = [...secretKeys.keys.values()].map(derive);
  const current = derive(secretKeys.keys.get(secretKeys.current) as Buffer);
  const mac = (key: Buffer, list: ListName, id: Uint8Array) =>
    createHmac('sha256', key).update(`${list}\n`).update(id).digest().subarray(0, MAC_BYTES);

  return {
    encode(list, kind, lastId) {
      const id = idBytes(kind, lastId) as Uint8Array;
      return Buffer.concat([id, mac(current, list, id)]).toString('base64url');
    },
    decode(list, kind, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Base64 has spellings that decode alike; only the one that was given out is taken.
      if (bytes.length !== ID_BYTES + MAC_BYTES || bytes.toString('base64url') !== cursor) return null;
      const id = bytes.subarray(0, ID_BYTES);
      const given = bytes.subarray(ID_BYTES);
      return keys.some((key) => timingSafeEqual(mac(key, list, id), given)) ? ID_PREFIXES[kind] + encodeUlid(id) : null;
    },
  };
}

/** The error of a cursor that is none of this list's, as part of a check. */
export function cursorErrors(cursors: Cursors, list: ListName, kind: IdKind, cursor: unknown): readonly FieldError[] {
  if (typeof cursor !== 'string' || cursors.decode(list, kind, cursor) !== null) return [];
  return [fieldError('query', '/cursor', 'invalid_cursor', 'The cursor was altered, or made for another list.')];
}

export interface PageRequest {
  readonly limit: number;
  /** Rows below this id; null from the top. */
  readonly belowId: string | null;
}

export function pageRequest(
  cursors: Cursors,
  list: ListName,
  kind: IdKind,
  query: { readonly limit?: number; readonly cursor?: string },
): PageRequest {
  return {
    limit: query.limit ?? PAGE_DEFAULT,
    belowId: query.cursor === undefined ? null : cursors.decode(list, kind, query.cursor),
  };
}

/** The page of rows that were read with one row more than the limit. */
export function pageOf<Item extends { readonly id: string }>(
  cursors: Cursors,
  list: ListName,
  kind: IdKind,
  read: { readonly items: readonly Item[]; readonly limit: number },
): { data: Item[]; next_cursor: string | null } {
  const data = read.items.slice(0, read.limit);
  const last = data.at(-1);
  return { data, next_cursor: read.items.length > read.limit && last !== undefined ? cursors.encode(list, kind, last.id) : null };
}
