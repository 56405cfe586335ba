import { PATH_RESERVATION_DAYS } from '../../shared/base/limits.js';
import type { EventRow } from '../../shared/webhooks/body.js';
import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { LinkRow } from './link-row.js';
import { json } from './sql.js';

/** Links and their events, as one statement takes them. */
export interface NewLink {
  readonly row: LinkRow;
  readonly event: EventRow;
}

/**
 * Links, feed rows and events in one statement. Returns the ids of the links that were made: a taken path is passed over
 * and leaves no event. Rows are inserted in the order of their paths, so that two calls which want the same paths wait for
 * each other in one order and never in a circle.
 */
export async function insertLinks(database: Queryable, environmentId: string, links: readonly NewLink[]): Promise<readonly string[]> {
  const column = <Value>(read: (link: NewLink) => Value): Value[] => links.map(read);
  const { rows } = await database.query<{ id: string }>({
    name: 'insert_links',
    text: `WITH given AS (
             SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
               $11::text[], $12::boolean[], $13::text[], $14::text[], $15::timestamptz[], $16::timestamptz[], $17::text[], $18::text[])
             AS g (id, path, deep_link_path, data, campaign, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
               allow_param_passthrough, destinations, domain, expires_at, created_at, event_id, event_body)
           ), link AS (
             INSERT INTO links (id, environment_id, path, deep_link_path, data, campaign, utm_source, utm_medium, utm_campaign,
               utm_term, utm_content, allow_param_passthrough, destinations, domain, expires_at, created_at, updated_at)
             SELECT id, $1, path, deep_link_path, data::json, campaign, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
               allow_param_passthrough, destinations::json, domain, expires_at, created_at, created_at
             FROM given ORDER BY path COLLATE "C"
             ON CONFLICT (environment_id, path) DO NOTHING
             RETURNING id, path
           ), feed AS (
             ${FEED_INSERT} SELECT 'link', $1, id, path FROM link
           ), event AS (
             SELECT insert_events(array_agg(event_id), array_agg(created_at), array_agg($1::text), array_agg('link.created'::text), array_agg(event_body))
             FROM given JOIN link USING (id)
           )
           SELECT link.id FROM link, event`,
    values: [
      environmentId,
      column(({ row }) => row.id),
      column(({ row }) => row.path),
      column(({ row }) => row.deep_link_path),
      column(({ row }) => json(row.data)),
      column(({ row }) => row.campaign),
      column(({ row }) => row.utm_source),
      column(({ row }) => row.utm_medium),
      column(({ row }) => row.utm_campaign),
      column(({ row }) => row.utm_term),
      column(({ row }) => row.utm_content),
      column(({ row }) => row.allow_param_passthrough),
      column(({ row }) => json(row.destinations)),
      column(({ row }) => row.domain),
      column(({ row }) => row.expires_at?.toISOString() ?? null),
      column(({ row }) => row.created_at.toISOString()),
      column(({ event }) => event.id),
      column(({ event }) => event.body),
    ],
  });
  return rows.map(({ id }) => id);
}

/** Frees the paths whose links were deleted longer ago than the reservation. */
export async function releasePaths(database: Queryable, environmentId: string, paths: readonly string[]): Promise<void> {
  await database.query({
    name: 'release_paths',
    text: `DELETE FROM links WHERE id IN (
             SELECT id FROM links
             WHERE environment_id = $1 AND path = ANY ($2::text[]) AND state = 'deleted' AND deleted_at <= now() - make_interval(days => $3)
             ORDER BY path FOR UPDATE)`,
    values: [environmentId, paths, PATH_RESERVATION_DAYS],
  });
}
