import { LINK_RECORD_COLUMNS, type LinkRow, linkRecordFromRow } from '../../shared/feed/codec.js';
import type { LinkRecord } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';

/** The link at the path, whatever its state, as the engine reads it. */
export async function findLinkRecord(database: Queryable, environmentId: string, path: string): Promise<LinkRecord | null> {
  const { rows } = await database.query<LinkRow>({
    name: 'find_link_record',
    text: `SELECT ${LINK_RECORD_COLUMNS} FROM links WHERE links.environment_id = $1 AND links.path = $2`,
    values: [environmentId, path],
  });
  return rows[0] === undefined ? null : linkRecordFromRow(rows[0]);
}
