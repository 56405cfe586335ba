import { idToUuid, uuidToId } from '../../shared/base/ids.js';
import type { Queryable } from '../db/database.js';

/** Reads the paths of links by their `uuid`. Links that have been deleted for good are left out. */
export async function readLinkPaths(
  database: Queryable,
  environmentId: string,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map(uuids.map((uuid) => [uuidToId('link', uuid), uuid]));
  const { rows } = await database.query<{ id: string; path: string }>({
    name: 'read_link_paths',
    text: 'SELECT id, path FROM links WHERE environment_id = $1 AND id = ANY ($2)',
    values: [environmentId, [...ids.keys()]],
  });
  return new Map(rows.map(({ id, path }) => [ids.get(id) as string, path]));
}

/** Reads the keys of the environment's resource types by their ids, including archived ones. */
export async function readTypeKeys(database: Queryable, environmentId: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ id: string; key: string }>({
    name: 'read_type_keys',
    text: 'SELECT id, key FROM resource_types WHERE environment_id = $1',
    values: [environmentId],
  });
  return new Map(rows.map(({ id, key }) => [id, key]));
}

/** Reads the `uuid` of each of these resource types by its key. */
export async function readTypeUuids(database: Queryable, environmentId: string): Promise<ReadonlyMap<string, string>> {
  const keys = await readTypeKeys(database, environmentId);
  return new Map([...keys].map(([id, key]) => [key, idToUuid('resourceType', id) as string]));
}
