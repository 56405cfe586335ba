/** What a metadata API can say about an item that a card shows. */
export const CONTENT_FIELDS = ['title', 'description', 'image_url', 'canonical_url', 'deep_link_path', 'web_fallback_url'] as const;

/** The fields among them that contain a URL. */
export const URL_FIELDS = ['image_url', 'canonical_url', 'web_fallback_url'] as const satisfies readonly (typeof CONTENT_FIELDS)[number][];
export type ContentField = (typeof CONTENT_FIELDS)[number];

/** All fields that can be mapped. */
export const METADATA_FIELDS = [...CONTENT_FIELDS, 'resource_status'] as const;
export type MetadataField = (typeof METADATA_FIELDS)[number];

/** What a `resource_status` means. */
export const STATUS_MEANINGS = ['published', 'unpublished', 'deleted'] as const;
export type StatusMeaning = (typeof STATUS_MEANINGS)[number];

export const AUTH_TYPES = ['none', 'bearer', 'api_key_header'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

/** How the service authenticates itself to the customer's API. The credential itself is stored separately, sealed. */
export interface MetadataAuth {
  readonly type: AuthType;
  /** Set only for `api_key_header`. */
  readonly header_name: string | null;
}

/** Numbers of a configuration with default and bounds. Units are part of the names. */
export const NUMBER_BOUNDS = {
  timeout_ms: { fallback: 1500, min: 100, max: 5000 },
  ttl_seconds: { fallback: 3600, min: 10, max: 2_592_000 },
  negative_ttl_seconds: { fallback: 300, min: 0, max: 86_400 },
  stale_if_error_seconds: { fallback: 86_400, min: 0, max: 2_592_000 },
  max_concurrency: { fallback: 10, min: 1, max: 100 },
  max_requests_per_minute: { fallback: 600, min: 1, max: 60_000 },
} as const;
export type NumberField = keyof typeof NUMBER_BOUNDS;
export const NUMBER_FIELDS = Object.keys(NUMBER_BOUNDS) as readonly NumberField[];

/** A resource type's metadata API, accepted by `checkConfiguration`. */
export interface MetadataConfiguration extends Readonly<Record<NumberField, number>> {
  readonly status: 'active' | 'disabled';
  readonly url_template: string;
  readonly auth: MetadataAuth;
  readonly headers: Readonly<Record<string, string>>;
  readonly field_mapping: { readonly [Field in MetadataField]?: string };
  readonly field_defaults: { readonly [Field in ContentField]?: string };
  readonly required_fields: readonly ContentField[];
  readonly status_values: { readonly [Meaning in StatusMeaning]: readonly string[] };
  /** Lower case; empty if any host may serve an image. */
  readonly allowed_image_hosts: readonly string[];
}
