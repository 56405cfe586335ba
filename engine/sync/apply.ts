import type { ClientBase } from 'pg';
import type { FeedCursor } from '../../shared/feed/records.js';
import type { NumberedFeedRow } from '../sql/read-feed.js';
import type { ConfigWriter } from '../store/config-writer.js';
import type { StoreChange } from '../store/store-change.js';
import { KINDS, type Kind } from './kinds.js';

/**
 * Brings the store from its cursor to the last of these rows. The rows only name objects; what is written is the state
 * that PostgreSQL has now, which is that of the row or a newer one. Objects and cursor are one LMDB transaction, so that
 * a process that dies at any moment continues from what is really there.
 *
 * A kind this engine does not know is passed over: it is an older engine's right not to know. The copy it keeps is of
 * its own codec version, and the newer engine builds its own anew.
 */
export async function applyRows(client: ClientBase, writer: ConfigWriter, epoch: string, rows: readonly NumberedFeedRow[]): Promise<void> {
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
  const cursor: FeedCursor = { epoch, position: last.position, mark: last.mark };
  writer.apply(changes, cursor);
}

/** The change that removes an object which is gone; null where nothing says what the store knows it by. */
function removal(kind: Kind, row: NumberedFeedRow, writer: ConfigWriter): StoreChange | null {
  const number = row.environment_number ?? writer.environmentNumbers().get(row.environment_id);
  if (number === undefined || row.object_key === null) return null;
  return { id: row.object_id, key: kind.keyOf(number, row.object_key), record: null, changesTable: kind.changesTable };
}
