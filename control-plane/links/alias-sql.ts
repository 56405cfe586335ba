import { PATH_RESERVATION_DAYS } from '../../shared/base/limits.js';
import { aliasAddress } from '../../shared/feed/alias-row.js';
import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { AliasAddress } from './aliases.js';

/** An alias of a link. */
export interface LinkAddress extends AliasAddress {
  readonly link_id: string;
}

/**
 * Gives links these aliases, with their feed rows, and tells engines of hosts that had none so far. Addresses that links
 * have already, theirs or others', are passed over. Rows are inserted in the order of their addresses, so that two calls
 * which want the same ones wait for each other in one order and never in a circle.
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

/** The verified domain that a row of `links` is shown on; null if that is the link host. */
export const SHOWN_DOMAIN = `(SELECT hostname FROM domains
             WHERE domains.environment_id = links.environment_id AND domains.hostname = links.domain AND domains.status = 'verified')`;

/**
 * Whether a row of `links` that names a domain is shown on it: the domain is verified, or the link host has the alias of another link at
 * the path. A link whose domain was lost would be shown with the address of that link otherwise. Costs nothing if it names no domain.
 */
export function isShownOnDomain(alias: string): string {
  return `(${alias}.domain IS NOT NULL AND (
      EXISTS (SELECT 1 FROM domains WHERE domains.environment_id = ${alias}.environment_id
        AND domains.hostname = ${alias}.domain AND domains.status = 'verified')
      OR EXISTS (SELECT 1 FROM link_aliases AS other WHERE other.environment_id = ${alias}.environment_id
        AND other.host = (SELECT link_host FROM environments WHERE environments.id = ${alias}.environment_id)
        AND other.normal_path = ${alias}.path AND other.link_id <> ${alias}.id OFFSET 0)))`;
}

/** The host that a link is shown on unless an alias of another link is in its way there. */
const SHOWN_HOST = `coalesce(${SHOWN_DOMAIN}, (SELECT link_host FROM environments WHERE environments.id = links.environment_id))`;

/** Whether a row of `links` has its path: once it is deleted, the path stays its own for a time. */
function hasPath(days: string): string {
  return `(state <> 'deleted' OR deleted_at > now() - make_interval(days => ${days}))`;
}

/** The links that have these addresses as an alias, or are shown with them. Deleted links are among them for as long as they keep their paths. */
export async function findOwners(
  database: Queryable,
  environmentId: string,
  addresses: readonly AliasAddress[],
): Promise<readonly LinkAddress[]> {
  if (addresses.length === 0) return [];
  const { rows } = await database.query<LinkAddress>({
    name: 'find_owners',
    // One after the other in the index, however few aliases and links there are so far.
    text: `WITH asked AS (
             SELECT * FROM unnest($2::text[], $3::text[]) AS asked (host, normal_path)
           )
           SELECT alias.* FROM asked, LATERAL (
             SELECT link_id, host, normal_path FROM link_aliases
             WHERE environment_id = $1 AND link_aliases.host = asked.host AND link_aliases.normal_path = asked.normal_path LIMIT 1) AS alias
           UNION ALL SELECT link.id, asked.host, asked.normal_path FROM asked, LATERAL (
             SELECT id, ${SHOWN_HOST} AS host FROM links
             WHERE environment_id = $1 AND path = asked.normal_path AND ${hasPath('$4')} LIMIT 1) AS link
           WHERE link.host = asked.host`,
    values: [environmentId, addresses.map(({ host }) => host), addresses.map(({ normal_path }) => normal_path), PATH_RESERVATION_DAYS],
  });
  return rows;
}

/** Links that would be shown with aliases of other links. */
export interface DomainClash {
  readonly links: number;
  /** The path of the first of the aliases. */
  readonly path: string;
}

/** Which links would meet an alias on the link host if they were no longer shown on the domain; null if none would. */
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

/** An alias on one host that could not be moved to another one, and the link that has its address there. */
export interface MoveClash {
  readonly normal_path: string;
  readonly link_id: string;
  readonly other_id: string;
}

/**
 * What would be in the way on a host that becomes the link host: an alias with the path of one that is moved there, or with the
 * path of a link that is shown there from then on. Null if nothing is.
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
               SELECT id, environment_id, domain FROM links WHERE environment_id = $1 AND path = there.normal_path AND ${hasPath('$4')} LIMIT 1
             ) AS links
             WHERE id <> there.link_id AND ${SHOWN_HOST} = $2
           ) AS other
           WHERE there.environment_id = $1 AND there.host = $3
           ORDER BY there.normal_path LIMIT 1`,
    values: [environmentId, from, to, PATH_RESERVATION_DAYS],
  });
  return rows[0] ?? null;
}

/** Moves the aliases on a host to another one, where nothing is in their way. They get other ids: engines look for what they are told of by its id. */
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

/** Takes every alias from the link but these. Engines are told by a trigger. */
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
