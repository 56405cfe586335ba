import type { Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import { METADATA_API_COLUMNS, type MetadataApiRow } from './metadata-api-row.js';

export const findMetadataApi = rowReader<MetadataApiRow>({
  text: `SELECT ${METADATA_API_COLUMNS} FROM metadata_apis WHERE resource_type_id = $2 AND environment_id = $1`,
});

/** Writes the type's only configuration, in a new generation, and its feed row. Returns the row that is now stored. */
export async function putMetadataApi(
  database: Queryable,
  environmentId: string,
  row: Omit<MetadataApiRow, 'generation'>,
): Promise<MetadataApiRow> {
  const { rows } = await database.query<MetadataApiRow>({
    text: `
      WITH written AS (
        INSERT INTO metadata_apis (id, environment_id, resource_type_id, status, url_template, auth_type, header_name, secret,
          secret_hint, headers, timeout_ms, ttl_seconds, negative_ttl_seconds, stale_if_error_seconds, max_concurrency,
          max_requests_per_minute, field_mapping, field_defaults, required_fields, status_values, allowed_image_hosts, created_at,
          updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
        ON CONFLICT (resource_type_id) DO UPDATE SET generation = metadata_apis.generation + 1, status = excluded.status,
          url_template = excluded.url_template, auth_type = excluded.auth_type, header_name = excluded.header_name,
          secret = excluded.secret, secret_hint = excluded.secret_hint, headers = excluded.headers, timeout_ms = excluded.timeout_ms,
          ttl_seconds = excluded.ttl_seconds, negative_ttl_seconds = excluded.negative_ttl_seconds,
          stale_if_error_seconds = excluded.stale_if_error_seconds, max_concurrency = excluded.max_concurrency,
          max_requests_per_minute = excluded.max_requests_per_minute, field_mapping = excluded.field_mapping,
          field_defaults = excluded.field_defaults, required_fields = excluded.required_fields,
          status_values = excluded.status_values, allowed_image_hosts = excluded.allowed_image_hosts,
          updated_at = excluded.updated_at
        RETURNING *
      ), fed AS (
        ${FEED_INSERT}
        SELECT 'metadata_api', environment_id, id, resource_type_id FROM written
      )
      SELECT ${METADATA_API_COLUMNS} FROM written AS metadata_apis`,
    values: [
      row.id,
      environmentId,
      row.resource_type_id,
      row.status,
      row.url_template,
      row.auth_type,
      row.header_name,
      row.secret,
      row.secret_hint,
      JSON.stringify(row.headers),
      row.timeout_ms,
      row.ttl_seconds,
      row.negative_ttl_seconds,
      row.stale_if_error_seconds,
      row.max_concurrency,
      row.max_requests_per_minute,
      JSON.stringify(row.field_mapping),
      JSON.stringify(row.field_defaults),
      row.required_fields,
      JSON.stringify(row.status_values),
      row.allowed_image_hosts,
      row.created_at.toISOString(),
      row.updated_at.toISOString(),
    ],
  });
  return rows[0] as MetadataApiRow;
}
