import type { ClientBase } from 'pg';
import { type FeedCursor, INVALIDATION_KIND, parseInvalidatedItemId } from '../../shared/records/records.js';
import type { StoreChange } from '../store/store-change.js';
import { KINDS, type Kind } from './kinds.js';
import type { NumberedFeedRow } from './sql.js';

/** An item whose remembered answers are no longer valid. */
export interface InvalidatedItem {
  readonly resource_type_id: string;
  readonly item_id: string;
}

/** The host's remembered answers about items. They are not part of the feed, but the feed names those that must be forgotten. */
export interface RememberedItems {
  /** When it returns, nothing that was remembered about the items is shown any more. Throws if that cannot be guaranteed. */
  invalidate(items: readonly InvalidatedItem[]): void;
  /** Forgets all items, because it is unknown which of them were invalidated. */
  invalidateAll(): void;
  /** API calls wait until every process acts by the rows that are being applied. `changesTable` says whether that requires a new table. */
  awaited(changesTable: boolean): void;
  /** The copy has reached this place in the feed. */
  applied(cursor: FeedCursor): void;
}

/** The copy to which rows are applied: the one that is followed, or one that is being built. */
export interface AppliedCopy {
  /** Returns the numbers of the stored environments, by id. */
  environmentNumbers(): ReadonlyMap<string, number>;
  /** Writes the changes and the cursor in one transaction. */
  apply(changes: readonly StoreChange[], cursor: FeedCursor): void;
}

export interface Applying {
  readonly client: ClientBase;
  readonly writer: AppliedCopy;
  readonly remembered: RememberedItems;
}

/**
 * Brings the store from its cursor to the last of these rows. The rows only name objects. What is written is the current state
 * in PostgreSQL, which is that of the row or a newer one. Objects and cursor are written in one LMDB transaction, so that a
 * process that dies at any moment continues from what is really there.
 *
 * A kind that this engine does not know is skipped, because an older engine may not know it. Its copy has its own codec
 * version, and the newer engine builds its own copy.
 */
export async function applyRows({ client, writer, remembered }: Applying, epoch: string, rows: readonly NumberedFeedRow[]): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  const changes: StoreChange[] = [];
  for (const kind of KINDS) {
    const named = new Map(rows.filter((row) => row.kind === kind.kind).map((row) => [row.object_id, row]));
    if (named.size === 0) continue;
    const found = await kind.read(client, [...named.keys()]);
    for (const { id } of found) named.delete(id);
    changes.push(...found);
    for (const row of named.values()) {
      const gone = removal(kind, row, writer);
      if (gone !== null) changes.push(gone);
    }
  }
  const invalidated = rows.filter((row) => row.kind === INVALIDATION_KIND).map((row) => parseInvalidatedItemId(row.object_id));
  // Before the cursor is moved, so that it is repeated after a crash in between.
  if (invalidated.length > 0) remembered.invalidate(invalidated);
  if (rows.some((row) => !row.is_creation)) remembered.awaited(changes.some(({ changesTable }) => changesTable));
  const cursor: FeedCursor = { epoch, position: last.position, mark: last.mark };
  writer.apply(changes, cursor);
  remembered.applied(cursor);
}

/** Returns the change that removes an object which is gone; null if the key under which the store has it is unknown. */
function removal(kind: Kind, row: NumberedFeedRow, writer: AppliedCopy): StoreChange | null {
  const number = row.environment_number ?? writer.environmentNumbers().get(row.environment_id);
  if (number === undefined || row.object_key === null) return null;
  return { id: row.object_id, key: kind.keyOf(number, row.object_key), record: null, changesTable: kind.changesTable };
}
