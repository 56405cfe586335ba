import { asciiHostName } from '../../shared/net/host-name.js';
import type { Queryable } from '../db/database.js';
import { linkHosts } from '../links/alias-sql.js';
import { hostKey, type TargetHosts } from './plan-link.js';
import type { SourceLink } from './sources/source-link.js';

/**
 * The mapping of hosts, extended by the hosts that the links name and that are verified domains of the environment: such a host stays the
 * same unless another one was given for it. The link host stays the same without an entry.
 */
export async function withOwnHosts(
  sources: readonly SourceLink[],
  { environmentId, hosts, linkHost }: TargetHosts,
  database: Queryable,
): Promise<TargetHosts['hosts']> {
  const named = new Set(sources.flatMap(({ addresses }) => addresses.flatMap(({ host }) => (host === null ? [] : hostKey(host)))));
  const unknown = [...named].filter((host) => host !== linkHost && !hosts.has(host) && asciiHostName(host) === host);
  if (unknown.length === 0) return hosts;
  const own = await linkHosts(database, environmentId, unknown);
  return new Map([...hosts, ...own.map((host) => [host, host] as const)]);
}
