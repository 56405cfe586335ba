import type { EnvironmentRecord } from '../records/records.js';
import { normaliseHost } from './hosts.js';
import { aliasPath } from './normal-path.js';

/**
 * Returns the address to which the open page leads back, as aliases are looked up: the path of the link or the item on the
 * environment's link host. If another link has it as an alias, the page would lead there. Null if no alias can have it.
 */
export function wayBack({ link_host, alias_hosts }: Pick<EnvironmentRecord, 'link_host' | 'alias_hosts'>, path: string): string | null {
  const host = normaliseHost(link_host);
  const alias = alias_hosts.includes(host) ? aliasPath(`/${path}`) : null;
  return alias === null ? null : `${host}/${alias}`;
}
