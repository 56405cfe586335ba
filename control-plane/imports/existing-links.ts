import { parseUrl } from '../../shared/base/parse-url.js';
import { aliasAddress } from '../../shared/feed/alias-row.js';
import type { Queryable } from '../db/database.js';
import { aliasAddresses, storedAliases } from '../links/aliases.js';
import type { PlannedLink } from './plan-link.js';

interface ExistingLink {
  readonly id: string;
  readonly address: string;
  readonly path: string;
  /** The verified domain that it is shown on; null if that is the link host. */
  readonly domain: string | null;
  readonly state: string;
  readonly web: string | null;
  readonly created_at: Date;
}

/** Where a planned link would be found: its path, or else its first alias. */
function addressOf({ body }: PlannedLink): string | null {
  if (body.path !== undefined) return body.path;
  const [alias] = aliasAddresses(storedAliases(body.aliases ?? []));
  return alias === undefined ? null : `${alias.host}/${alias.normal_path}`;
}

const SHOWN_DOMAIN = `(SELECT hostname FROM domains
             WHERE domains.environment_id = links.environment_id AND domains.hostname = links.domain AND domains.status = 'verified') AS domain`;

/** The link that a plan has made before, by whichever run: it has the address, the time of creation and the web destination. */
export async function findImported(
  database: Queryable,
  environmentId: string,
  planned: readonly PlannedLink[],
): Promise<ReadonlyMap<PlannedLink, ExistingLink>> {
  // No text of PostgreSQL holds a NUL, and no address here.
  const addresses = planned.flatMap((plan) => addressOf(plan) ?? []).filter((address) => !address.includes('\0'));
  if (addresses.length === 0) return new Map();
  const { rows } = await database.query<ExistingLink>({
    text: `SELECT id, path AS address, path, ${SHOWN_DOMAIN}, state, destinations ->> 'web' AS web, created_at FROM links
           WHERE environment_id = $1 AND path = ANY ($2::text[]) AND state <> 'deleted'
           UNION ALL
           SELECT links.id, ${aliasAddress('alias')}, links.path, ${SHOWN_DOMAIN}, links.state, links.destinations ->> 'web', links.created_at
           FROM link_aliases AS alias JOIN links ON links.id = alias.link_id
           WHERE alias.environment_id = $1 AND ${aliasAddress('alias')} = ANY ($2::text[]) AND links.state <> 'deleted'`,
    values: [environmentId, addresses],
  });
  const byAddress = new Map(rows.map((row) => [row.address, row]));
  const found = new Map<PlannedLink, ExistingLink>();
  for (const plan of planned) {
    const row = byAddress.get(addressOf(plan) ?? '');
    if (row !== undefined && isSame(row, plan)) found.set(plan, row);
  }
  return found;
}

function isSame(row: ExistingLink, { body }: PlannedLink): boolean {
  if (body.created_at !== undefined && Date.parse(body.created_at) !== row.created_at.getTime()) return false;
  const web = body.destinations?.web ?? null;
  return web === row.web || (web !== null && parseUrl(web)?.href === row.web);
}
