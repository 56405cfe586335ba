import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';

/**
 * Objects other than links whose URLs visitors are sent to or shown, in the order in which a scan locks them: a call that loses a domain
 * also locks its environment last (`leaveDomain`).
 */
export const KINDS = ['domain', 'url_template', 'metadata_api', 'environment'] as const;
export type Kind = (typeof KINDS)[number];

export interface ObjectUrls {
  readonly id: string;
  /** As they are stored in the object, without duplicates. */
  readonly urls: readonly string[];
  /** The URLs that were on the block list at the last check. */
  readonly blocked_urls: readonly string[];
}

/** The URLs of the objects of each kind. */
const URLS: Readonly<Record<Kind, string>> = {
  environment: `SELECT id, blocked_urls, ARRAY(
      SELECT value FROM json_each_text(default_destinations::json)
      UNION SELECT app ->> 'app_store_url' FROM json_array_elements(ios_apps::json) AS app WHERE app ->> 'app_store_url' IS NOT NULL
      UNION SELECT app ->> 'play_store_url' FROM json_array_elements(android_apps::json) AS app WHERE app ->> 'play_store_url' IS NOT NULL
      UNION SELECT brand ->> 'support_url' WHERE brand ->> 'support_url' IS NOT NULL
    ) AS urls FROM environments`,
  domain: `SELECT id, blocked_urls, ARRAY(SELECT DISTINCT value FROM json_each_text(redirects) WHERE value IS NOT NULL) AS urls FROM domains`,
  url_template: `SELECT id, blocked_urls, ARRAY(SELECT DISTINCT value FROM json_each_text(redirects::json) WHERE value IS NOT NULL) AS urls
    FROM url_templates WHERE status <> 'archived'`,
  metadata_api: `SELECT id, blocked_urls, ARRAY(
      SELECT DISTINCT value FROM json_each_text(field_defaults) WHERE key IN ('image_url', 'canonical_url', 'web_fallback_url')
    ) AS urls FROM metadata_apis`,
};

/** The objects of a kind that have a URL, or that had a blocked one. */
export async function urlsOf(database: Queryable, kind: Kind): Promise<readonly ObjectUrls[]> {
  const { rows } = await database.query<ObjectUrls>({
    text: `SELECT * FROM (${URLS[kind]}) AS object WHERE urls <> '{}' OR blocked_urls <> '{}' ORDER BY id`,
    values: [],
  });
  return rows;
}

/** Updates the object and writes its feed row, with the same columns as other writes of the kind. */
const UPDATES: Readonly<Record<Kind, string>> = {
  environment: `WITH changed AS (UPDATE environments SET blocked_urls = $2 WHERE id = $1 RETURNING id, number)
    ${FEED_INSERT} SELECT 'environment', id, id, number::text FROM changed`,
  domain: `WITH changed AS (UPDATE domains SET blocked_urls = $2 WHERE id = $1 RETURNING id, environment_id)
    ${FEED_INSERT} SELECT 'domain', environment_id, id, id FROM changed`,
  url_template: `WITH changed AS (UPDATE url_templates SET blocked_urls = $2 WHERE id = $1 RETURNING id, environment_id)
    ${FEED_INSERT} SELECT 'url_template', environment_id, id, id FROM changed`,
  metadata_api: `WITH changed AS (UPDATE metadata_apis SET blocked_urls = $2 WHERE id = $1 RETURNING id, environment_id, resource_type_id)
    ${FEED_INSERT} SELECT 'metadata_api', environment_id, id, resource_type_id FROM changed`,
};

export async function setBlockedUrls(database: Queryable, kind: Kind, id: string, blocked: readonly string[]): Promise<void> {
  await database.query({ text: UPDATES[kind], values: [id, blocked] });
}
