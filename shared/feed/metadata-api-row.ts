import {
  type AuthType,
  type ContentField,
  type MetadataConfiguration,
  NUMBER_FIELDS,
  type NumberField,
} from '../metadata/configuration.js';
import type { MetadataApiRecord } from '../records/records.js';

/** A configuration as it is stored, as `METADATA_CONFIGURATION_COLUMNS` selects it. */
export interface MetadataConfigurationRow extends Readonly<Record<NumberField, number>> {
  readonly id: string;
  readonly resource_type_id: string;
  /** Raised by every PUT. */
  readonly generation: number;
  readonly status: 'active' | 'disabled';
  readonly url_template: string;
  readonly auth_type: AuthType;
  readonly header_name: string | null;
  /** Sealed for `metadataSecretPlace(id)`. */
  readonly secret: Buffer | null;
  readonly headers: MetadataConfiguration['headers'];
  readonly field_mapping: MetadataConfiguration['field_mapping'];
  readonly field_defaults: MetadataConfiguration['field_defaults'];
  readonly required_fields: readonly ContentField[];
  readonly status_values: MetadataConfiguration['status_values'];
  readonly allowed_image_hosts: readonly string[];
}

/** Select list over `metadata_apis` that gives `MetadataConfigurationRow`s. */
export const METADATA_CONFIGURATION_COLUMNS = `metadata_apis.id, metadata_apis.resource_type_id, metadata_apis.generation,
  metadata_apis.status, metadata_apis.url_template, metadata_apis.auth_type, metadata_apis.header_name, metadata_apis.secret,
  metadata_apis.headers, metadata_apis.timeout_ms, metadata_apis.ttl_seconds, metadata_apis.negative_ttl_seconds,
  metadata_apis.stale_if_error_seconds, metadata_apis.max_concurrency, metadata_apis.max_requests_per_minute,
  metadata_apis.field_mapping, metadata_apis.field_defaults, metadata_apis.required_fields, metadata_apis.status_values,
  metadata_apis.allowed_image_hosts`;

/** Returns the numbers of a configuration, from an object that may have other members. */
export function numbersOf(from: Readonly<Record<NumberField, number>>): Record<NumberField, number> {
  return Object.fromEntries(NUMBER_FIELDS.map((field) => [field, from[field]])) as Record<NumberField, number>;
}

export function configurationOfRow(row: MetadataConfigurationRow): MetadataConfiguration {
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

/** What a metadata API's record is built from, as `METADATA_API_RECORD_COLUMNS` selects it. */
export interface MetadataApiRow extends MetadataConfigurationRow {
  readonly environment_number: number;
  readonly blocked_urls: readonly string[];
}

/** Select list over `metadata_apis JOIN environments` that gives `MetadataApiRow`s. */
export const METADATA_API_RECORD_COLUMNS = `${METADATA_CONFIGURATION_COLUMNS}, environments.number AS environment_number, metadata_apis.blocked_urls`;

/** Leaves out those that lead to something on the block list. */
function defaultsToShow({ field_defaults, blocked_urls }: MetadataApiRow): MetadataConfiguration['field_defaults'] {
  if (blocked_urls.length === 0) return field_defaults;
  return Object.fromEntries(Object.entries(field_defaults).filter(([, text]) => !blocked_urls.includes(text)));
}

export function metadataApiRecordFromRow(row: MetadataApiRow): MetadataApiRecord {
  return {
    id: row.id,
    environment_number: row.environment_number,
    resource_type_id: row.resource_type_id,
    generation: row.generation,
    status: row.status,
    timeout_ms: row.timeout_ms,
    configuration: JSON.stringify({ ...configurationOfRow(row), field_defaults: defaultsToShow(row) }),
    secret: row.secret === null ? null : row.secret.toString('base64'),
  };
}
