import { containing } from '../db/containing.js';
import type { Queryable } from '../db/database.js';
import { isUniqueViolation } from '../db/database.js';
import type { PageRequest } from '../http/cursor.js';

export interface TagRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = 'id, name, created_at, updated_at';

export async function findTag(database: Queryable, environmentId: string, tagId: string): Promise<TagRow | null> {
  const { rows } = await database.query<TagRow>({
    name: 'find_tag',
    text: `SELECT ${COLUMNS} FROM tags WHERE id = $2 AND environment_id = $1`,
    values: [environmentId, tagId],
  });
  return rows[0] ?? null;
}

/** Reads the same row, and locks it against other changes until the transaction ends. */
export async function lockTag(database: Queryable, environmentId: string, tagId: string): Promise<TagRow | null> {
  const { rows } = await database.query<TagRow>({
    name: 'lock_tag',
    text: `SELECT ${COLUMNS} FROM tags WHERE id = $2 AND environment_id = $1 FOR UPDATE`,
    values: [environmentId, tagId],
  });
  return rows[0] ?? null;
}

/** Returns false if another tag of the environment has the name. The transaction is of no more use then. */
export async function renameTag(database: Queryable, { id, name, updated_at }: TagRow): Promise<boolean> {
  try {
    await database.query({
      name: 'rename_tag',
      text: 'UPDATE tags SET name = $2, updated_at = $3 WHERE id = $1',
      values: [id, name, updated_at.toISOString()],
    });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Links keep its number, which no other tag will have. */
export async function deleteTag(database: Queryable, tagId: string): Promise<void> {
  await database.query({ name: 'delete_tag', text: 'DELETE FROM tags WHERE id = $1', values: [tagId] });
}

/** Newest first by keyset, one row more than the page holds. */
export async function listTags(
  database: Queryable,
  environmentId: string,
  search: string | null,
  page: PageRequest,
): Promise<readonly TagRow[]> {
  const { rows } = await database.query<TagRow>({
    text: `SELECT ${COLUMNS} FROM tags
           WHERE environment_id = $1 AND ($2::text IS NULL OR name COLLATE "default" ILIKE $2) AND ($3::text IS NULL OR id < $3)
           ORDER BY id DESC LIMIT $4`,
    values: [environmentId, search === null ? null : containing(search), page.belowId, page.limit + 1],
  });
  return rows;
}

/** How many tags the environment would have with those of these names. */
export async function countTagsWith(database: Queryable, environmentId: string, names: readonly string[]): Promise<number> {
  const { rows } = await database.query<{ count: string }>({
    name: 'count_tags_with',
    text: `SELECT count(*) FROM (
             SELECT name FROM tags WHERE environment_id = $1 UNION SELECT name FROM unnest($2::text[]) AS given (name)) AS all_tags`,
    values: [environmentId, names],
  });
  return Number(rows[0]?.count);
}
