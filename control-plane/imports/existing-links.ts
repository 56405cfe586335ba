import { parseInstant } from '../../shared/base/instant.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import { aliasAddress } from '../../shared/feed/alias-row.js';
import type { Queryable } from '../db/database.js';
import { SHOWN_DOMAIN } from '../links/alias-sql.js';
import { type AliasAddress, aliasAddresses, storedAliases } from '../links/aliases.js';
import { textOf } from '../links/give-aliases.js';
import type { PlannedLink } from './plan-link.js';

/** What distinguishes a link that was imported before from another link at its address. */
export interface LinkIdentity {
  readonly web: string | null;
  readonly created_at: Date;
  /** The verified domain that it is shown on; null if it is shown on the link host. */
  readonly domain: string | null;
  /** Whether it was changed here after it was created. */
  readonly is_changed: boolean;
}

interface ExistingLink extends LinkIdentity {
  readonly id: string;
  readonly address: string;
  readonly path: string;
  readonly is_active: boolean;
}

/** The first alias of a planned link without a path, by which it would be found. */
function aliasOf({ body }: PlannedLink): AliasAddress | null {
  return body.path === undefined ? (aliasAddresses(storedAliases(body.aliases ?? []))[0] ?? null) : null;
}

const STATE = `links.state = 'active' AS is_active, links.updated_at <> links.created_at AS is_changed`;

/**
 * The links that the plans created before, in whichever run. Each has the address, the host, the time of creation and the web destination
 * of its plan.
 */
export async function findImported(
  database: Queryable,
  environmentId: string,
  planned: readonly PlannedLink[],
): Promise<ReadonlyMap<PlannedLink, ExistingLink>> {
  // PostgreSQL's text cannot contain a NUL, and neither can an address here.
  const paths = planned.flatMap(({ body }) => body.path ?? []).filter((path) => !path.includes('\0'));
  const aliases = planned.flatMap((plan) => aliasOf(plan) ?? []).filter(({ host }) => !host.includes('\0'));
  if (paths.length + aliases.length === 0) return new Map();
  const { rows } = await database.query<ExistingLink>({
    name: 'find_imported',
    // Looks up one after the other in the index: for so many at once, PostgreSQL would rather read the whole table, up to some 100,000
    // links.
    text: `SELECT found.* FROM unnest($2::text[]) AS asked (address), LATERAL (
             SELECT id, path AS address, path, ${SHOWN_DOMAIN} AS domain, ${STATE}, destinations ->> 'web' AS web, created_at FROM links
             WHERE environment_id = $1 AND path = asked.address AND state <> 'deleted' LIMIT 1) AS found
           UNION ALL
           SELECT found.* FROM unnest($3::text[], $4::text[]) AS asked (host, normal_path), LATERAL (
             SELECT links.id, ${aliasAddress('alias')}, links.path, ${SHOWN_DOMAIN} AS domain, ${STATE}, links.destinations ->> 'web', links.created_at
             FROM link_aliases AS alias JOIN links ON links.id = alias.link_id
             WHERE alias.environment_id = $1 AND alias.host = asked.host AND alias.normal_path = asked.normal_path
               AND links.state <> 'deleted' LIMIT 1) AS found`,
    values: [environmentId, paths, aliases.map(({ host }) => host), aliases.map(({ normal_path }) => normal_path)],
  });
  const byAddress = new Map(rows.map((row) => [row.address, row]));
  const found = new Map<PlannedLink, ExistingLink>();
  for (const plan of planned) {
    const row = byAddress.get(addressOf(plan));
    if (row !== undefined && isSame(row, plan)) found.set(plan, row);
  }
  return found;
}

/** Where a planned link is looked for: its path, or its first alias. */
export function addressOf(plan: PlannedLink): string {
  const alias = aliasOf(plan);
  return alias === null ? (plan.body.path ?? '') : textOf(alias);
}

/** Where a planned link would be found once it exists: its path, and each of its aliases. */
export function addressesOf({ body }: PlannedLink): readonly string[] {
  const aliases = aliasAddresses(storedAliases(body.aliases ?? [])).map(textOf);
  return body.path === undefined ? aliases : [body.path, ...aliases];
}

/**
 * Links of two domains may have the same path, so their hosts must match too, unless the link was changed here and so may have been moved
 * to another host.
 */
export function isSame(row: LinkIdentity, { body }: PlannedLink): boolean {
  if (body.path !== undefined && !row.is_changed && row.domain !== (body.domain ?? null)) return false;
  if (body.created_at !== undefined && parseInstant(body.created_at) !== row.created_at.getTime()) return false;
  const web = body.destinations?.web ?? null;
  return web === row.web || (web !== null && parseUrl(web)?.href === row.web);
}
