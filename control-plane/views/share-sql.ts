import type { Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import type { ShareRow } from './share-row.js';
import type { ViewQuery } from './view-row.js';

const COLUMNS = 'id, password, expires_at, created_at, updated_at';

/** Inserts the share. Returns false and writes nothing if the view is shared already. */
export async function insertShare(database: Queryable, viewId: string, row: ShareRow): Promise<boolean> {
  const { rowCount } = await database.query({
    text: `INSERT INTO view_shares (id, view_id, password, expires_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
           ON CONFLICT (view_id) DO NOTHING`,
    values: [row.id, viewId, row.password, row.expires_at?.toISOString() ?? null, row.created_at.toISOString()],
  });
  return rowCount === 1;
}

const SELECT_SHARE = `SELECT ${COLUMNS} FROM view_shares WHERE view_id = $1`;

export const findShareOfView = rowReader<ShareRow, [viewId: string]>({ text: SELECT_SHARE });

/** Reads the same row, and locks it against other changes until the transaction ends. */
export const lockShareOfView = rowReader<ShareRow, [viewId: string]>({ text: `${SELECT_SHARE} FOR UPDATE` });

export async function updateShare(database: Queryable, { id, password, expires_at, updated_at }: ShareRow): Promise<void> {
  await database.query({
    text: 'UPDATE view_shares SET password = $2, expires_at = $3, updated_at = $4 WHERE id = $1',
    values: [id, password, expires_at?.toISOString() ?? null, updated_at.toISOString()],
  });
}

export async function deleteShare(database: Queryable, shareId: string): Promise<void> {
  await database.query({ text: 'DELETE FROM view_shares WHERE id = $1', values: [shareId] });
}

/** A share with the view that it shows. */
export interface SharedViewRow extends Pick<ShareRow, 'id' | 'password' | 'expires_at'> {
  readonly environment_id: string;
  readonly time_zone: string;
  readonly name: string;
  readonly query: ViewQuery;
}

export const findSharedView = rowReader<SharedViewRow, [shareId: string]>({
  name: 'find_shared_view',
  text: `SELECT share.id, share.password, share.expires_at, view.environment_id, project.time_zone, view.name, view.query
         FROM view_shares AS share
         JOIN saved_views AS view ON view.id = share.view_id
         JOIN environments AS environment ON environment.id = view.environment_id
         JOIN projects AS project ON project.id = environment.project_id
         WHERE share.id = $1`,
});
