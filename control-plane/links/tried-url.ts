import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { DOMAIN_RECORD_COLUMNS, type DomainRow, domainRecordFromRow } from '../../shared/feed/domain-row.js';
import type { DomainRecord, EnvironmentRecord, LinkRecord } from '../../shared/records/records.js';
import { readTriedPath, type TriedPath } from '../../shared/resolve/explain-template.js';
import { assignHosts, type HostRole, normaliseHost } from '../../shared/resolve/hosts.js';
import { reservedAddress, shortPath } from '../../shared/resolve/link-addresses.js';
import { aliasPath, lowerCasePath } from '../../shared/resolve/normal-path.js';
import { wayBack } from '../../shared/resolve/way-back.js';
import type { Queryable } from '../db/database.js';
import { fieldError } from '../http/problems.js';
import { findAliasedPath, findLinkRecord } from './link-record.js';

/** A host of the environment, as link hosts see it. */
export interface TriedHost {
  readonly role: HostRole;
  /** The settings of a custom host; null for a host of the operator. */
  readonly domain: DomainRecord | null;
}

/** Null if the host does not belong to the environment. A path without a host is looked up on the link host. */
export async function findTriedHost(database: Queryable, record: EnvironmentRecord, host: string | null): Promise<TriedHost | null> {
  if (host === null) return { role: 'link', domain: null };
  const name = normaliseHost(host);
  const own = assignHosts([record], []).get(name);
  if (own !== undefined) return { role: own.role, domain: null };
  const { rows } = await database.query<DomainRow>({
    name: 'find_domain_record',
    text: `SELECT ${DOMAIN_RECORD_COLUMNS} FROM domains JOIN environments ON environments.id = domains.environment_id
           WHERE domains.environment_id = $1 AND domains.hostname = $2 AND domains.status = 'verified'`,
    values: [record.id, name],
  });
  return rows[0] === undefined ? null : { role: 'link', domain: domainRecordFromRow(rows[0]) };
}

/** Whether the path matches the pattern of a template of the environment that is not archived, whether or not it is active. */
export type LeadsToTemplate = (database: Queryable, environmentId: string, path: string) => Promise<boolean>;

/** What the environment has besides its links. */
export interface TriedSetting {
  readonly settings: EnvironmentRecord;
  readonly leadsToTemplate: LeadsToTemplate;
}

/** The link that a URL or path leads to. */
export interface TriedLink {
  readonly path: string;
  /** Whether the address is an alias of the link. */
  readonly aliased: boolean;
  /** The path in lower case, if it is followed instead of the requested one; otherwise null. */
  readonly lower: string | null;
  /** Null if there is no link at the path. */
  readonly record: LinkRecord | null;
}

/**
 * Looks for the link as link hosts do: by alias, then by path. If both find nothing, no template matches the path, and the host ignores
 * case, it looks again in lower case. Null if no link can have the address.
 */
export async function findTriedLink(
  database: Queryable,
  { settings, leadsToTemplate }: TriedSetting,
  tried: TriedPath,
  host: TriedHost | null,
): Promise<TriedLink | null> {
  if (host === null || reservedAddress(tried.path) !== null) return null;
  const exact = await linkAt(database, settings, tried, host);
  if (exact !== null && (exact.aliased || exact.record !== null)) return exact;
  const lower = lowerCasePath(tried.path, host.domain);
  if (lower === null || (exact === null && (await leadsToTemplate(database, settings.id, tried.path)))) return exact;
  const found = await linkAt(database, settings, { ...tried, path: lower }, host);
  return found === null || found.record === null ? exact : { ...found, lower };
}

async function linkAt(database: Queryable, settings: EnvironmentRecord, tried: TriedPath, { role }: TriedHost): Promise<TriedLink | null> {
  const aliased = await aliasedPathOf(database, settings, tried, role);
  const path = aliased ?? shortPath(tried.path);
  if (path === '') return null;
  return { path, aliased: aliased !== null, lower: null, record: await findLinkRecord(database, settings.id, path) };
}

/** The path of the link that has the URL or path as an alias; null if there is none. */
async function aliasedPathOf(
  database: Queryable,
  record: EnvironmentRecord,
  { host, path }: TriedPath,
  role: HostRole,
): Promise<string | null> {
  const name = host === null ? normaliseHost(record.link_host) : normaliseHost(host);
  const alias = role === 'link' && record.alias_hosts.includes(name) ? aliasPath(path) : null;
  return alias === null ? null : findAliasedPath(database, record.id, `${name}/${alias}`);
}

/** Whether the open page of the link or item at the path would lead back to another link, which has the address there as an alias. */
export async function leadsBackElsewhere(database: Queryable, settings: EnvironmentRecord, path: string): Promise<boolean> {
  const address = wayBack(settings, path);
  const aliased = address === null ? null : await findAliasedPath(database, settings.id, address);
  return aliased !== null && aliased !== path;
}

/** What is wrong with a URL or path to test. Values that are not text are ignored. */
export function triedPathErrors(path: unknown): readonly FieldError[] {
  if (typeof path !== 'string' || readTriedPath(path) !== null) return [];
  return [fieldError('body', '/path', 'invalid_format', 'must be an http(s) URL, or a path that starts with /')];
}
