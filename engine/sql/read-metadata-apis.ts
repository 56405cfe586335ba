import type { ClientBase } from 'pg';
import { METADATA_API_RECORD_COLUMNS, type MetadataApiRow } from '../../shared/feed/metadata-api-row.js';

const SELECT_METADATA_APIS = `SELECT ${METADATA_API_RECORD_COLUMNS}
  FROM metadata_apis JOIN environments ON environments.id = metadata_apis.environment_id`;

/** The metadata APIs of these ids that exist, in no order. */
export async function readMetadataApisById(client: ClientBase, ids: readonly string[]): Promise<readonly MetadataApiRow[]> {
  const { rows } = await client.query<MetadataApiRow>({
    name: 'read_metadata_apis_by_id',
    text: `${SELECT_METADATA_APIS} WHERE metadata_apis.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every metadata API, for a cursor, in the order of the store's keys. */
export const SCAN_METADATA_APIS = `${SELECT_METADATA_APIS} ORDER BY environments.number, metadata_apis.resource_type_id`;
