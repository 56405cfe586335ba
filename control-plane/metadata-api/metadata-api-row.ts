import { formatInstant } from '../../shared/base/instant.js';
import type { MetadataApi } from '../../shared/contract/schemas/metadata-api.js';
import type { StoredAuth } from '../../shared/metadata/auth-rules.js';
import type { AuthType, ContentField, MetadataConfiguration, NumberField } from '../../shared/metadata/configuration.js';

/** A row of `metadata_apis`, as `METADATA_API_COLUMNS` selects it. */
export interface MetadataApiRow extends Readonly<Record<NumberField, number>> {
  readonly id: string;
  readonly resource_type_id: string;
  readonly generation: number;
  readonly status: 'active' | 'disabled';
  readonly url_template: string;
  readonly auth_type: AuthType;
  readonly header_name: string | null;
  /** Sealed for `metadataSecretPlace(id)`. */
  readonly secret: Buffer | null;
  readonly secret_hint: string | null;
  readonly headers: MetadataConfiguration['headers'];
  readonly field_mapping: MetadataConfiguration['field_mapping'];
  readonly field_defaults: MetadataConfiguration['field_defaults'];
  readonly required_fields: readonly ContentField[];
  readonly status_values: MetadataConfiguration['status_values'];
  readonly allowed_image_hosts: readonly string[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const METADATA_API_COLUMNS = `metadata_apis.id, metadata_apis.resource_type_id, metadata_apis.generation, metadata_apis.status,
  metadata_apis.url_template, metadata_apis.auth_type, metadata_apis.header_name, metadata_apis.secret, metadata_apis.secret_hint,
  metadata_apis.headers, metadata_apis.timeout_ms, metadata_apis.ttl_seconds, metadata_apis.negative_ttl_seconds,
  metadata_apis.stale_if_error_seconds, metadata_apis.max_concurrency, metadata_apis.max_requests_per_minute,
  metadata_apis.field_mapping, metadata_apis.field_defaults, metadata_apis.required_fields, metadata_apis.status_values,
  metadata_apis.allowed_image_hosts, metadata_apis.created_at, metadata_apis.updated_at`;

function numbersOf(from: Readonly<Record<NumberField, number>>): Record<NumberField, number> {
  return {
    timeout_ms: from.timeout_ms,
    ttl_seconds: from.ttl_seconds,
    negative_ttl_seconds: from.negative_ttl_seconds,
    stale_if_error_seconds: from.stale_if_error_seconds,
    max_concurrency: from.max_concurrency,
    max_requests_per_minute: from.max_requests_per_minute,
  };
}

export function configurationOfRow(row: MetadataApiRow): MetadataConfiguration {
  return {
    status: row.status,
    url_template: row.url_template,
    auth: { type: row.auth_type, header_name: row.header_name },
    headers: row.headers,
    ...numbersOf(row),
    field_mapping: row.field_mapping,
    field_defaults: row.field_defaults,
    required_fields: row.required_fields,
    status_values: row.status_values,
    allowed_image_hosts: row.allowed_image_hosts,
  };
}

export function storedAuthOfRow(row: MetadataApiRow | null): StoredAuth | null {
  return row === null ? null : { auth: { type: row.auth_type, header_name: row.header_name }, secret_set: row.secret !== null };
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
