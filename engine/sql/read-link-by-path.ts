import type { ClientBase, QueryConfig } from 'pg';
import { LINK_RECORD_COLUMNS, type LinkRow } from '../../shared/feed/codec.js';

/** The link of the path, whatever its state; null where there is none. By the unique index. */
export async function readLinkByPath(client: ClientBase, environmentId: string, path: string): Promise<LinkRow | null> {
  const query: QueryConfig = {
    name: 'read_link_by_path',
    text: `SELECT ${LINK_RECORD_COLUMNS} FROM links WHERE links.environment_id = $1 AND links.path = $2`,
    values: [environmentId, path],
  };
  const { rows } = await client.query<LinkRow>(query);
  return rows[0] ?? null;
}
