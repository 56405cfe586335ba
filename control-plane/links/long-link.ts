import type { EnvironmentRecord, LinkRecord } from '../../shared/records/records.js';
import type { TriedPath } from '../../shared/resolve/explain-template.js';
import type { HostRole } from '../../shared/resolve/hosts.js';
import { LONG_LINK_ADDRESS, longLinkRecord, type ReadLongLink, readLongLink } from '../../shared/resolve/long-link.js';
import { leadsToBlocked } from '../blocklist/check.js';
import type { Queryable } from '../db/database.js';
import { findLinkRecord } from './link-record.js';

/** Reads a URL on a host of the environment as a long link, as link hosts do. */
export function triedLongLink({ path, query }: TriedPath, settings: EnvironmentRecord, role: HostRole | null): ReadLongLink {
  return role === null || path !== LONG_LINK_ADDRESS ? { kind: 'none' } : readLongLink(query, settings);
}

/** The link as visitors of the long link follow it; null if there is no link at its path. */
export async function findLongLink(
  database: Queryable,
  environmentId: string,
  { path, content }: Extract<ReadLongLink, { kind: 'long_link' }>,
): Promise<LinkRecord | null> {
  const link = await findLinkRecord(database, environmentId, path);
  return link === null ? null : longLinkRecord(link, content, await leadsToBlocked(database, content.urls));
}
