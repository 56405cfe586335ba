import { PATH_RESERVATION_DAYS } from '../../shared/base/limits.js';
import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { AliasAddress } from './aliases.js';

/** Whether a row of `links` keeps its path and its aliases, as SQL. A deleted link keeps them for this number of days. */
export function keepsAddresses(days: string): string {
  return `(state <> 'deleted' OR deleted_at > now() - make_interval(days => ${days}))`;
}

/**
 * Common table expressions that delete the links with these ids (`gone`), and tell engines, which store these links too. `ids` is a query
 * that locks the rows.
 */
export function deletedLinks(ids: string): string {
  return `gone AS (
      DELETE FROM links WHERE id IN (${ids}) RETURNING id, environment_id, path
    ), fed AS (${FEED_INSERT} SELECT 'link', environment_id, id, path FROM gone)`;
}

/**
 * Deletes the links that no longer keep their addresses (the periodic deletion comes to them later) and have one of these: as their path,
 * whatever the host, or as an alias. Call it where a dry run takes everything back.
 */
export async function releaseAddresses(database: Queryable, environmentId: string, addresses: readonly AliasAddress[]): Promise<void> {
  if (addresses.length === 0) return;
  await database.query({
    name: 'release_addresses',
    text: `WITH asked AS (
             SELECT * FROM unnest($2::text[], $3::text[]) AS asked (host, normal_path)
           ), owner AS (
             SELECT link.id FROM asked, LATERAL (
               SELECT id FROM links WHERE environment_id = $1 AND path = asked.normal_path LIMIT 1) AS link
             UNION SELECT alias.link_id FROM asked, LATERAL (
               SELECT link_id FROM link_aliases
               WHERE environment_id = $1 AND link_aliases.host = asked.host AND link_aliases.normal_path = asked.normal_path LIMIT 1) AS alias
           ), ${deletedLinks(`SELECT id FROM links WHERE id IN (SELECT id FROM owner) AND NOT ${keepsAddresses('$4')} ORDER BY id FOR UPDATE`)}
           SELECT FROM gone`,
    values: [environmentId, addresses.map(({ host }) => host), addresses.map(({ normal_path }) => normal_path), PATH_RESERVATION_DAYS],
  });
}
