import type { Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { PageRequest } from '../http/cursor.js';
import type { ResourceTypeRow } from './resource-type-row.js';

const COLUMNS = 'id, key, name, status, created_at, updated_at';

/** Whether any type, including archived ones, has the key. */
export async function keyIsTaken(database: Queryable, environmentId: string, key: string): Promise<boolean> {
  const { rowCount } = await database.query({
    text: 'SELECT 1 FROM resource_types WHERE environment_id = $1 AND key = $2',
    values: [environmentId, key],
  });
  return rowCount === 1;
}

/** How many types are not archived. */
export async function countResourceTypes(database: Queryable, environmentId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM resource_types WHERE environment_id = $1 AND status <> 'archived'`,
    values: [environmentId],
  });
  return rows[0]?.count ?? 0;
}

/** Writes a new type and its feed row. */
export async function insertResourceType(database: Queryable, environmentId: string, row: ResourceTypeRow): Promise<void> {
  await database.query({
    text: `WITH written AS (
             INSERT INTO resource_types (id, environment_id, key, name, status, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             RETURNING id, environment_id
           )
           ${FEED_INSERT} SELECT 'resource_type', environment_id, id, id FROM written`,
    values: [row.id, environmentId, row.key, row.name, row.status, row.created_at.toISOString(), row.updated_at.toISOString()],
  });
}

const SELECT_TYPE = `SELECT ${COLUMNS} FROM resource_types WHERE id = $2 AND environment_id = $1`;

export const findResourceType = rowReader<ResourceTypeRow>({ text: SELECT_TYPE });

/** Reads the same row, and locks it against other changes until the transaction ends. */
export const lockResourceType = rowReader<ResourceTypeRow>({ text: `${SELECT_TYPE} FOR NO KEY UPDATE` });

/** Reads the same row for a transaction that creates something of the type. The type cannot be archived before the transaction ends. */
export const holdResourceType = rowReader<ResourceTypeRow>({ text: `${SELECT_TYPE} FOR SHARE` });

/** Newest first by keyset, one row more than the page holds. Without a status, types that are not archived. */
export async function listResourceTypes(
  database: Queryable,
  environmentId: string,
  status: ResourceTypeRow['status'] | null,
  page: PageRequest,
): Promise<readonly ResourceTypeRow[]> {
  const { rows } = await database.query<ResourceTypeRow>({
    text: `SELECT ${COLUMNS} FROM resource_types
           WHERE environment_id = $1 AND status = coalesce($2, 'active') AND ($3::text IS NULL OR id < $3)
           ORDER BY id DESC LIMIT $4`,
    values: [environmentId, status, page.belowId, page.limit + 1],
  });
  return rows;
}

/** Writes a changed type and its feed row. */
export async function updateResourceType(database: Queryable, row: ResourceTypeRow): Promise<void> {
  await database.query({
    text: `WITH written AS (
             UPDATE resource_types SET name = $2, status = $3, updated_at = $4 WHERE id = $1
             RETURNING id, environment_id
           )
           ${FEED_INSERT} SELECT 'resource_type', environment_id, id, id FROM written`,
    values: [row.id, row.name, row.status, row.updated_at.toISOString()],
  });
}
