import type { Queryable } from '../../control-plane/db/database.js';
import { newId } from '../../shared/base/ids.js';

export interface MetadataApiColumns {
  readonly environmentId: string;
  readonly resourceTypeId: string;
  /** Seals the credential for the id that the row will have. Without it there is no credential. */
  readonly secretOf?: (id: string) => Buffer;
}

/** Inserts a metadata API as a PUT with the defaults does, without its feed row. */
export async function insertMetadataApi(
  database: Pick<Queryable, 'query'>,
  { environmentId, resourceTypeId, secretOf }: MetadataApiColumns,
): Promise<string> {
  const id = newId('metadataApi');
  await database.query({
    text: `INSERT INTO metadata_apis (id, environment_id, resource_type_id, status, url_template, auth_type, secret, headers, timeout_ms,
             ttl_seconds, negative_ttl_seconds, stale_if_error_seconds, max_concurrency, max_requests_per_minute, field_mapping,
             field_defaults, required_fields, status_values, allowed_image_hosts, created_at, updated_at)
           VALUES ($1, $2, $3, 'active', 'https://api.example.com/{id}', $4, $5, '{}', 1500, 3600, 300, 86400, 10, 600,
             '{"title":"title"}', '{}', '{}', '{"published":[],"unpublished":[],"deleted":[]}', '{}', now(), now())`,
    values: [id, environmentId, resourceTypeId, secretOf === undefined ? 'none' : 'bearer', secretOf?.(id) ?? null],
  });
  return id;
}
