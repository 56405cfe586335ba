import type { ClientBase } from 'pg';
import { RESOURCE_TYPE_RECORD_COLUMNS, type ResourceTypeRow } from '../../shared/feed/codec.js';

const SELECT_RESOURCE_TYPES = `SELECT ${RESOURCE_TYPE_RECORD_COLUMNS}
  FROM resource_types JOIN environments ON environments.id = resource_types.environment_id`;

/** The resource types of these ids that exist, in no order. */
export async function readResourceTypesById(client: ClientBase, ids: readonly string[]): Promise<readonly ResourceTypeRow[]> {
  const { rows } = await client.query<ResourceTypeRow>({
    name: 'read_resource_types_by_id',
    text: `${SELECT_RESOURCE_TYPES} WHERE resource_types.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every resource type, for a cursor, in the order of the store's keys. */
export const SCAN_RESOURCE_TYPES = `${SELECT_RESOURCE_TYPES} ORDER BY environments.number, resource_types.id`;
