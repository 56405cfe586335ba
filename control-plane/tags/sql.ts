import { containing } from '../db/containing.js';
import type { Queryable } from '../db/database.js';
import { isUniqueViolation } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import type { PageRequest } from '../http/cursor.js';

export interface TagRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = 'id, name, created_at, updated_at';

const SELECT_TAG = `SELECT ${COLUMNS} FROM tags WHERE id = $2 AND environment_id = $1`;

export const findTag = rowReader<TagRow>({ name: 'find_tag', text: SELECT_TAG });

/** Reads the same row, and locks it against other changes until the transaction ends. */
export const lockTag = rowReader<TagRow>({ name: 'lock_tag', text: `${SELECT_TAG} FOR UPDATE` });

/** Returns false if another tag of the environment has the name. The transaction cannot be used any more then. */
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

/** Updates the name in views that filter by the tag. Their members keep their order. */
export async function renameTagOfViews(
  database: Queryable,
  environmentId: string,
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: Date },
): Promise<void> {
  await database.query({
    text: `UPDATE saved_views SET updated_at = greatest(updated_at, $4::timestamptz), query = (
             SELECT json_object_agg(member.key, CASE member.key WHEN 'filters' THEN (
               SELECT json_object_agg(filter.key, CASE filter.key WHEN 'tag' THEN to_json($3::text) ELSE filter.value END)
               FROM json_each(member.value) AS filter) ELSE member.value END)
             FROM json_each(query) AS member)
           WHERE environment_id = $1 AND query #>> '{filters,tag}' = $2`,
    values: [environmentId, from, to, at.toISOString()],
  });
}

/** Links keep the number of the tag, which no other tag will get. */
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

/** How many tags the environment has, and which of these names are among them. */
export async function countTags(
  database: Queryable,
  environmentId: string,
  names: readonly string[],
): Promise<{ readonly count: number; readonly known: readonly string[] }> {
  const { rows } = await database.query<{ count: number; known: readonly string[] }>({
    name: 'count_tags',
    text: `SELECT count(*)::integer AS count, coalesce(array_agg(name) FILTER (WHERE name = ANY ($2::text[])), '{}') AS known
           FROM tags WHERE environment_id = $1`,
    values: [environmentId, names],
  });
  return rows[0] as (typeof rows)[number];
}

async function readTagNumbers(database: Queryable, environmentId: string, names: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await database.query<{ name: string; number: number }>({
    name: 'read_tag_numbers',
    text: 'SELECT name, number FROM tags WHERE environment_id = $1 AND name = ANY ($2::text[])',
    values: [environmentId, names],
  });
  return new Map(rows.map(({ name, number }) => [name, number]));
}

/**
 * Returns the numbers of the tags with these names, and creates those that are new. This takes at most three statements for all links of a
 * call, compared to two for each link with `number_tags`. Tags are created in the order of their names, so that two calls that create the
 * same ones wait for each other in one order and cannot deadlock.
 */
export async function numberTags(
  database: Queryable,
  environmentId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const numbers = await readTagNumbers(database, environmentId, names);
  const made = names.filter((name) => !numbers.has(name));
  if (made.length === 0) return numbers;
  await database.query({
    name: 'make_tags',
    text: `INSERT INTO tags (id, environment_id, name, created_at, updated_at)
           SELECT new_id('tag_', now()), $1, given.name, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
           FROM unnest($2::text[]) AS given (name)
           ORDER BY given.name COLLATE "C"
           ON CONFLICT DO NOTHING`,
    values: [environmentId, made],
  });
  // Read in a separate statement, because another call may have created some of them in the meantime.
  for (const [name, number] of await readTagNumbers(database, environmentId, made)) numbers.set(name, number);
  return numbers;
}
