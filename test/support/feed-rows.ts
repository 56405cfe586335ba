import type { ClientBase } from 'pg';
import { FEED_INSERT } from '../../control-plane/feed/feed-row.js';
import { columnsOf } from '../../engine/database/columns.js';
import type { FeedKind } from '../../shared/records/records.js';

export interface FeedRow {
  readonly kind: FeedKind;
  readonly environment_id: string;
  readonly object_id: string;
  readonly object_key: string;
}

/** Inserts feed rows without the objects they name. */
export async function insertFeedRows(client: ClientBase, rows: readonly FeedRow[]): Promise<void> {
  await client.query({
    name: 'insert_feed_rows',
    text: `${FEED_INSERT} SELECT kind, environment_id, object_id, object_key
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS given (kind, environment_id, object_id, object_key)`,
    values: columnsOf(rows, 'kind', 'environment_id', 'object_id', 'object_key'),
  });
}
