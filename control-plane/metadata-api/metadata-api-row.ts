import { formatInstant } from '../../shared/base/instant.js';
import type { MetadataApi } from '../../shared/contract/schemas/metadata-api.js';
import { METADATA_CONFIGURATION_COLUMNS, type MetadataConfigurationRow, numbersOf } from '../../shared/feed/metadata-api-row.js';
import type { StoredConfiguration } from '../../shared/metadata/auth-rules.js';

/** A row of `metadata_apis`, as `METADATA_API_COLUMNS` selects it. */
export interface MetadataApiRow extends MetadataConfigurationRow {
  readonly secret_hint: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const METADATA_API_COLUMNS = `${METADATA_CONFIGURATION_COLUMNS}, metadata_apis.secret_hint, metadata_apis.created_at,
  metadata_apis.updated_at`;

/** The stored configuration, parts of which a new one may keep; null if there is none yet. */
export function storedOfRow(row: MetadataApiRow | null): StoredConfiguration | null {
  if (row === null) return null;
  const { status, url_template, auth_type: type, header_name, secret } = row;
  return { status, url_template, auth: { type, header_name }, secret_set: secret !== null };
}

/** The configuration as the API shows it. */
export function metadataApiOfRow(row: MetadataApiRow): MetadataApi {
  return {
    id: row.id,
    resource_type_id: row.resource_type_id,
    status: row.status,
    url_template: row.url_template,
    auth: { type: row.auth_type, header_name: row.header_name, secret_set: row.secret !== null, secret_hint: row.secret_hint },
    headers: { ...row.headers },
    ...numbersOf(row),
    field_mapping: row.field_mapping,
    field_defaults: row.field_defaults,
    required_fields: [...row.required_fields],
    status_values: {
      published: [...row.status_values.published],
      unpublished: [...row.status_values.unpublished],
      deleted: [...row.status_values.deleted],
    },
    allowed_image_hosts: [...row.allowed_image_hosts],
    created_at: formatInstant(row.created_at.getTime()),
    updated_at: formatInstant(row.updated_at.getTime()),
  };
}
