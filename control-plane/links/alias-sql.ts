import { PATH_RESERVATION_DAYS } from '../../shared/base/limits.js';
import { aliasAddress } from '../../shared/feed/alias-row.js';
import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { AliasAddress } from './aliases.js';
import { keepsAddresses } from './release-addresses.js';

/** An alias of a link. */
export interface LinkAddress extends AliasAddress {
  readonly link_id: string;
}

/**
 * Adds these aliases to their links, writes the feed rows, and tells engines about hosts that had no aliases so far. Skips addresses that
 * are aliases already, of the same link or another one. Rows are inserted in the order of their addresses, so that two calls that want the
 * same ones wait for each other in one order and cannot deadlock.
 */
export async function insertAliases(database: Queryable, environmentId: string, aliases: readonly LinkAddress[]): Promise<void> {
  if (aliases.length === 0) return;
  await database.query({
    name: 'insert_aliases',
    text: `WITH given AS (
             SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS g (link_id, host, normal_path)
           ), alias AS (
             INSERT INTO link_aliases (id, environment_id, link_id, host, normal_path)
             SELECT new_id('als_', now()), $1, link_id, host, normal_path FROM given
             ORDER BY host COLLATE "C", normal_path COLLATE "C"
             ON CONFLICT (environment_id, host, normal_path) DO NOTHING
             RETURNING id, environment_id, host, normal_path
           ), known AS (
             UPDATE environments
             SET alias_hosts = ARRAY(SELECT DISTINCT host FROM unnest(alias_hosts || ARRAY(SELECT host FROM given)) AS host ORDER BY host)
             WHERE id = $1 AND NOT alias_hosts @> ARRAY(SELECT host FROM given)
             RETURNING id, number
           )
           ${FEED_INSERT}
           SELECT 'alias', environment_id, id, ${aliasAddress('alias')} FROM alias
           UNION ALL SELECT 'environment', id, id, number::text FROM known`,
    values: [
      environmentId,
      aliases.map(({ link_id }) => link_id),
      aliases.map(({ host }) => host),
      aliases.map(({ normal_path }) => normal_path),
    ],
  });
}

/** The verified domain that a row of `links` is shown on; null if the row is shown on the link host. */
export const SHOWN_DOMAIN = `(SELECT hostname FROM domains
             WHERE domains.environment_id = links.environment_id AND domains.hostname = links.domain AND domains.status = 'verified')`;

/**
 * Whether a row of `links` that names a domain is shown on it: the domain is verified, or the link host has the alias of another link at
 * the path. In the second case, a link whose domain was lost would otherwise be shown with the address of that other link. Costs nothing if
 * the row names no domain.
 */
export function isShownOnDomain(alias: string): string {
  return `(${alias}.domain IS NOT NULL AND (
      EXISTS (SELECT 1 FROM domains WHERE domains.environment_id = ${alias}.environment_id
        AND domains.hostname = ${alias}.domain AND domains.status = 'verified')
      OR EXISTS (SELECT 1 FROM link_aliases AS other WHERE other.environment_id = ${alias}.environment_id
        AND other.host = (SELECT link_host FROM environments WHERE environments.id = ${alias}.environment_id)
        AND other.normal_path = ${alias}.path AND other.link_id <> ${alias}.id OFFSET 0)))`;
}

/** The host that a link is shown on, unless an alias of another link has its address there. */
const SHOWN_HOST = `coalesce(${SHOWN_DOMAIN}, (SELECT link_host FROM environments WHERE environments.id = links.environment_id))`;

/** The links that have these addresses as an alias or are shown with them, including deleted links that still keep their paths. */
export async function findOwners(
  database: Queryable,
  environmentId: string,
  addresses: readonly AliasAddress[],
): Promise<readonly LinkAddress[]> {
  if (addresses.length === 0) return [];
  const { rows } = await database.query<LinkAddress>({
    name: 'find_owners',
    // LATERAL with LIMIT looks up one address after the other in the index, however few aliases and links there are so far.
    text: `WITH asked AS (
             SELECT * FROM unnest($2::text[], $3::text[]) AS asked (host, normal_path)
           )
           SELECT alias.* FROM asked, LATERAL (
             SELECT link_id, host, normal_path FROM link_aliases JOIN links ON links.id = link_id
             WHERE link_aliases.environment_id = $1 AND host = asked.host AND normal_path = asked.normal_path AND ${keepsAddresses('$4')}
             LIMIT 1) AS alias
           UNION ALL SELECT link.id, asked.host, asked.normal_path FROM asked, LATERAL (
             SELECT id, ${SHOWN_HOST} AS host FROM links
             WHERE environment_id = $1 AND path = asked.normal_path AND ${keepsAddresses('$4')} LIMIT 1) AS link
           WHERE link.host = asked.host`,
    values: [environmentId, addresses.map(({ host }) => host), addresses.map(({ normal_path }) => normal_path), PATH_RESERVATION_DAYS],
  });
  return rows;
}

/** Links that would be shown with addresses that are aliases of other links. */
export interface DomainClash {
  readonly links: number;
  /** The path of the first of the aliases. */
  readonly path: string;
}

/**
 * Finds the links that would have the address of another link's alias on the link host if they were no longer shown on the domain. Null if
 * there are none.
 */
export async function findDomainClash(
  database: Queryable,
  environmentId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DomainClash | null> {
  const { rows } = await database.query<{ links: number; path: string | null }>({
    text: `SELECT count(*)::integer AS links, min(links.path) AS path
           FROM links JOIN link_aliases AS alias ON alias.environment_id = links.environment_id AND alias.normal_path = links.path
           WHERE links.environment_id = $1 AND links.domain = $2 AND links.state <> 'deleted'
             AND alias.environment_id = $1 AND alias.host = $3 AND alias.link_id <> links.id`,
    values: [environmentId, from, to],
  });
  const [{ links, path } = { links: 0, path: null }] = rows;
  return path === null ? null : { links, path };
}

/**
 * A path that two links would have on a host that becomes the link host: `link_id` has it as an alias there, and `other_id` would get it.
 */
export interface MoveClash {
  readonly normal_path: string;
  readonly link_id: string;
  readonly other_id: string;
}

/**
 * Finds what is in the way on a host that becomes the link host: an alias there whose path is also that of an alias that is moved there, or
 * of a link that would be shown there from then on. Null if there is none.
 */
export async function findMoveClash(
  database: Queryable,
  environmentId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<MoveClash | null> {
  const { rows } = await database.query<MoveClash>({
    text: `SELECT there.normal_path, there.link_id, other.link_id AS other_id
           FROM link_aliases AS there, LATERAL (
             SELECT link_id FROM link_aliases AS moved
             WHERE moved.environment_id = $1 AND moved.host = $2 AND moved.normal_path = there.normal_path
             UNION ALL SELECT id FROM (
               SELECT id, environment_id, domain FROM links WHERE environment_id = $1 AND path = there.normal_path AND ${keepsAddresses('$4')} LIMIT 1
             ) AS links
             WHERE id <> there.link_id AND ${SHOWN_HOST} = $2
           ) AS other
           WHERE there.environment_id = $1 AND there.host = $3
           ORDER BY there.normal_path LIMIT 1`,
    values: [environmentId, from, to, PATH_RESERVATION_DAYS],
  });
  return rows[0] ?? null;
}

/**
 * Locks the links that have aliases on the environment's link host, for `moveAliases`. Call it before the environment is locked: a call
 * that gives aliases locks its link first.
 */
export async function lockAliasOwners(database: Queryable, environmentId: string): Promise<void> {
  await database.query({
    text: `SELECT count(*) FROM (
             SELECT FROM links WHERE id IN (
               SELECT link_id FROM link_aliases WHERE environment_id = $1 AND host = (SELECT link_host FROM environments WHERE id = $1)
             ) ORDER BY id FOR NO KEY UPDATE
           ) AS locked`,
    values: [environmentId],
  });
}

/**
 * Moves the aliases of a host to another one, on which nothing may be in their way. They get new ids, because engines look up a row of the
 * feed by its id.
 */
export async function moveAliases(
  database: Queryable,
  environmentId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await database.query({
    text: `UPDATE links SET aliases = (
             SELECT json_agg(json_build_object('host', CASE alias ->> 'host' WHEN $2 THEN $3 ELSE alias ->> 'host' END, 'path', alias ->> 'path') ORDER BY place)
             FROM json_array_elements(aliases) WITH ORDINALITY AS given (alias, place))
           WHERE id IN (SELECT link_id FROM link_aliases WHERE environment_id = $1 AND host = $2)`,
    values: [environmentId, from, to],
  });
  await database.query({
    text: `WITH moved AS (
             DELETE FROM link_aliases WHERE environment_id = $1 AND host = $2 RETURNING link_id, normal_path
           ), alias AS (
             INSERT INTO link_aliases (id, environment_id, link_id, host, normal_path)
             SELECT new_id('als_', now()), $1, link_id, $3, normal_path FROM moved
             RETURNING id, environment_id, host, normal_path
           )
           ${FEED_INSERT}
           SELECT 'alias', environment_id, id, ${aliasAddress('alias')} FROM alias`,
    values: [environmentId, from, to],
  });
}

/** Removes every alias of the link except these. A trigger writes the feed rows for the engines. */
export async function deleteOtherAliases(database: Queryable, linkId: string, kept: readonly AliasAddress[]): Promise<void> {
  await database.query({
    name: 'delete_other_aliases',
    text: `DELETE FROM link_aliases
           WHERE link_id = $1 AND (host, normal_path) NOT IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
    values: [linkId, kept.map(({ host }) => host), kept.map(({ normal_path }) => normal_path)],
  });
}

/** Which of the names are hosts of the environment's links: its link host, and its verified domains. */
export async function linkHosts(database: Queryable, environmentId: string, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await database.query<{ host: string }>({
    name: 'link_hosts',
    text: `SELECT link_host AS host FROM environments WHERE id = $1 AND link_host = ANY ($2::text[])
           UNION SELECT hostname FROM domains WHERE environment_id = $1 AND hostname = ANY ($2::text[]) AND status = 'verified'`,
    values: [environmentId, names],
  });
  return rows.map(({ host }) => host);
}
