import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { encodeUlid, ID_PREFIXES, type IdKind, idBytes } from '../../shared/base/ids.js';
import { PAGE_DEFAULT } from '../../shared/base/limits.js';
import type { OperationId } from '../../shared/contract/routes.js';
import type { FieldError, FieldPlace } from '../../shared/contract/schemas/problem-codes.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import { fieldError } from './problems.js';

/**
 * A cursor identifies the last row of a page: the 16 bytes of its id (which begin with its creation time) and 12 bytes of
 * HMAC-SHA256 over the name of the list and those bytes. The row may have been deleted; the next page begins below its id. Every
 * process accepts the cursors of all other processes, including those from before a rotation of the keys.
 *
 * For a list that is sorted by a number which may change, cursors also hold the number, as six more bytes under the HMAC. So the next page
 * begins where the last row was when it was seen, wherever it is now.
 */
const ID_BYTES = 16;
const PLACE_BYTES = 6;
const MAC_BYTES = 12;

/** One list of one environment, for example `listDeliveries/env_.../wh_...`. */
export type ListName = string;

/** The last row seen, and its number if the list is sorted by a number. */
export interface CursorPlace {
  readonly id: string;
  readonly place: number | null;
}

export interface Cursors {
  /** `place` is a non-negative integer below 2^48. */
  encode(list: ListName, kind: IdKind, lastId: string, place?: number): string;
  /** Returns the last row seen, or null if the cursor was altered or made for another list. */
  decode(list: ListName, kind: IdKind, cursor: string): CursorPlace | null;
}

export function createCursors(secretKeys: SecretKeys): Cursors {
  const derive = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, '', 'list cursor', 32));
  const keys = [...secretKeys.keys.values()].map(derive);
  const current = derive(secretKeys.keys.get(secretKeys.current) as Buffer);
  const mac = (key: Buffer, list: ListName, row: Uint8Array) =>
    createHmac('sha256', key).update(`${list}\n`).update(row).digest().subarray(0, MAC_BYTES);

  return {
    encode(list, kind, lastId, place) {
      const id = idBytes(kind, lastId) as Uint8Array;
      const row = place === undefined ? id : Buffer.concat([id, placeBytes(place)]);
      return Buffer.concat([row, mac(current, list, row)]).toString('base64url');
    },
    decode(list, kind, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const hasPlace = bytes.length === ID_BYTES + PLACE_BYTES + MAC_BYTES;
      // Several Base64 texts decode to the same bytes; only the one that was issued is accepted.
      if ((!hasPlace && bytes.length !== ID_BYTES + MAC_BYTES) || bytes.toString('base64url') !== cursor) return null;
      const row = bytes.subarray(0, bytes.length - MAC_BYTES);
      const given = bytes.subarray(bytes.length - MAC_BYTES);
      if (!keys.some((key) => timingSafeEqual(mac(key, list, row), given))) return null;
      const id = ID_PREFIXES[kind] + encodeUlid(row.subarray(0, ID_BYTES));
      return { id, place: hasPlace ? row.readUIntBE(ID_BYTES, PLACE_BYTES) : null };
    },
  };
}

function placeBytes(place: number): Buffer {
  const bytes = Buffer.alloc(PLACE_BYTES);
  bytes.writeUIntBE(place, 0, PLACE_BYTES);
  return bytes;
}

/** Returns an error if the cursor belongs to none of the lists, which is usually one. For use in a check. */
export function cursorErrors(
  cursors: Cursors,
  lists: ListName | readonly ListName[],
  kind: IdKind,
  cursor: unknown,
  place: FieldPlace = 'query',
): readonly FieldError[] {
  if (typeof cursor !== 'string' || [lists].flat().some((list) => cursors.decode(list, kind, cursor) !== null)) return [];
  return [
    fieldError(
      place,
      '/cursor',
      'invalid_cursor',
      'The cursor was altered, or belongs to another list: use next_cursor of the previous page.',
    ),
  ];
}

export interface PageRequest {
  readonly limit: number;
  /** The page has rows below this id; null for the first page. */
  readonly belowId: string | null;
  /** The number of that row, if the list is sorted by a number. */
  readonly belowPlace?: number;
}

export function pageRequest(
  cursors: Cursors,
  list: ListName,
  kind: IdKind,
  query: { readonly limit?: number; readonly cursor?: string },
): PageRequest {
  const last = query.cursor === undefined ? null : cursors.decode(list, kind, query.cursor);
  return {
    limit: query.limit ?? PAGE_DEFAULT,
    belowId: last?.id ?? null,
    ...(last?.place == null ? {} : { belowPlace: last.place }),
  };
}

/** Makes a page of rows that were read with one more than the limit. `placeOf` returns the number by which a list is sorted, if it is. */
export function pageOf<Item extends { readonly id: string }>(
  cursors: Cursors,
  list: ListName,
  kind: IdKind,
  read: { readonly items: readonly Item[]; readonly limit: number; readonly placeOf?: (index: number) => number },
): { data: Item[]; next_cursor: string | null } {
  const data = read.items.slice(0, read.limit);
  const last = data.at(-1);
  if (read.items.length <= read.limit || last === undefined) return { data, next_cursor: null };
  return { data, next_cursor: cursors.encode(list, kind, last.id, read.placeOf?.(data.length - 1)) };
}

/** A call of a list of objects of an environment. A check has a query that may be wrong. */
interface ListCall<Query> {
  readonly caller: { readonly environment: { readonly id: string } };
  readonly query: Query;
}

/** The pages of a list of all objects of one kind of an environment. */
export interface PagedList {
  /** For use in a check. */
  errors(call: ListCall<{ readonly cursor?: unknown }>): readonly FieldError[];
  /** `select` reads one row more than the limit; `view` makes what is shown of a row. */
  page<Row extends { readonly id: string }, Item>(
    call: ListCall<{ readonly limit?: number; readonly cursor?: string }>,
    select: (page: PageRequest) => Promise<readonly Row[]>,
    view: (row: Row) => Item,
  ): Promise<{ data: Item[]; next_cursor: string | null }>;
}

export function pagedList(cursors: Cursors, operation: OperationId, kind: IdKind): PagedList {
  const nameOf = ({ caller }: ListCall<unknown>): ListName => `${operation}/${caller.environment.id}`;
  return {
    errors: (call) => cursorErrors(cursors, nameOf(call), kind, call.query.cursor),
    async page(call, select, view) {
      const request = pageRequest(cursors, nameOf(call), kind, call.query);
      const items = await select(request);
      const { data, next_cursor } = pageOf(cursors, nameOf(call), kind, { items, limit: request.limit });
      return { data: data.map(view), next_cursor };
    },
  };
}
