import { aliasAddress } from '../../shared/feed/alias-row.js';
import { LINK_RECORD_COLUMNS, type LinkRow, linkRecordFromRow } from '../../shared/feed/codec.js';
import type { LinkRecord } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';

/** The link at the path as engines know it, whatever its state; null if there is none. */
export async function findLinkRecord(database: Queryable, environmentId: string, path: string): Promise<LinkRecord | null> {
  const { rows } = await database.query<LinkRow>({
    name: 'find_link_record',
    text: `SELECT ${LINK_RECORD_COLUMNS} FROM links WHERE links.environment_id = $1 AND links.path = $2`,
    values: [environmentId, path],
  });
  return rows[0] === undefined ? null : linkRecordFromRow(rows[0]);
}

/** The path of the link that has the alias; null if none has it. */
export async function findAliasedPath(database: Queryable, environmentId: string, address: string): Promise<string | null> {
  const { rows } = await database.query<{ path: string }>({
    name: 'find_aliased_path',
    text: `SELECT links.path FROM link_aliases AS alias JOIN links ON links.id = alias.link_id
           WHERE alias.environment_id = $1 AND ${aliasAddress('alias')} = $2`,
    values: [environmentId, address],
  });
  return rows[0]?.path ?? null;
}
