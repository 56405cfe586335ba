import type { Queryable } from '../db/database.js';
import { isUniqueViolation } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import type { PageRequest } from '../http/cursor.js';
import type { ViewRow } from './view-row.js';

const COLUMNS = 'id, name, query, created_at, updated_at';

export async function countViews(database: Queryable, environmentId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    text: 'SELECT count(*)::integer AS count FROM saved_views WHERE environment_id = $1',
    values: [environmentId],
  });
  return rows[0]?.count ?? 0;
}

/** Inserts the view. Returns false and writes nothing if the name is taken. */
export async function insertView(database: Queryable, environmentId: string, row: ViewRow): Promise<boolean> {
  const { rowCount } = await database.query({
    text: `INSERT INTO saved_views (id, environment_id, name, query, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
           ON CONFLICT (environment_id, name) DO NOTHING`,
    values: [row.id, environmentId, row.name, JSON.stringify(row.query), row.created_at.toISOString()],
  });
  return rowCount === 1;
}

const SELECT_VIEW = `SELECT ${COLUMNS} FROM saved_views WHERE id = $2 AND environment_id = $1`;

export const findView = rowReader<ViewRow>({ text: SELECT_VIEW });

/** Reads the same row, and locks it against other changes until the transaction ends. */
export const lockView = rowReader<ViewRow>({ text: `${SELECT_VIEW} FOR UPDATE` });

/** Returns false if another view of the environment has the name. The transaction is aborted then. */
export async function updateView(database: Queryable, { id, name, query, updated_at }: ViewRow): Promise<boolean> {
  try {
    await database.query({
      text: 'UPDATE saved_views SET name = $2, query = $3, updated_at = $4 WHERE id = $1',
      values: [id, name, JSON.stringify(query), updated_at.toISOString()],
    });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Deletes the view and its share. */
export async function deleteView(database: Queryable, viewId: string): Promise<void> {
  await database.query({ text: 'DELETE FROM saved_views WHERE id = $1', values: [viewId] });
}

/** Lists views, newest first, by keyset. Returns one row more than the page holds. */
export async function listViews(database: Queryable, environmentId: string, page: PageRequest): Promise<readonly ViewRow[]> {
  const { rows } = await database.query<ViewRow>({
    text: `SELECT ${COLUMNS} FROM saved_views WHERE environment_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    values: [environmentId, page.belowId, page.limit + 1],
  });
  return rows;
}
