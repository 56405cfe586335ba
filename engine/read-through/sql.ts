import type { ClientBase, QueryConfig } from 'pg';
import { LINK_RECORD_COLUMNS, type LinkRow } from '../../shared/feed/codec.js';
import { columnsOf } from '../database/columns.js';

/** A path of an environment. */
export interface AskedPath {
  readonly environmentId: string;
  readonly path: string;
}

/**
 * Returns the links of the paths, whatever their state, in no particular order; none for a path that has no link. It takes one
 * look into the unique index per path: the `LIMIT` keeps the planner from reading the whole table for many paths.
 */
export async function readLinksByPath(client: ClientBase, asked: readonly AskedPath[]): Promise<readonly LinkRow[]> {
  const query: QueryConfig = {
    name: 'read_links_by_path',
    text: `SELECT found.*
           FROM unnest($1::text[], $2::text[]) AS asked (environment_id, path)
           CROSS JOIN LATERAL (
             SELECT ${LINK_RECORD_COLUMNS} FROM links
             WHERE links.environment_id = asked.environment_id AND links.path = asked.path
             LIMIT 1
           ) AS found`,
    values: columnsOf(asked, 'environmentId', 'path'),
  };
  const { rows } = await client.query<LinkRow>(query);
  return rows;
}
