import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import { aliasPath } from '../../shared/resolve/alias-path.js';
import { readTriedPath, type TriedPath } from '../../shared/resolve/explain-template.js';
import { assignHosts, type HostRole, normaliseHost } from '../../shared/resolve/hosts.js';
import type { Queryable } from '../db/database.js';
import { fieldError } from '../http/problems.js';
import { findAliasedPath } from './link-record.js';
import { verifiedDomains } from './sql.js';

/** What the host is to the environment, as link hosts see it; null if it is none of its. A path alone is asked for on the link host. */
export async function hostRoleOf(database: Queryable, record: EnvironmentRecord, host: string | null): Promise<HostRole | null> {
  if (host === null) return 'link';
  const name = normaliseHost(host);
  const verified = await verifiedDomains(database, record.id, [name]);
  const domains = verified.map((hostname) => ({ environment_number: record.number, hostname }));
  return assignHosts([record], domains).get(name)?.role ?? null;
}

/** The path of the link that has the URL or path as an alias, as link hosts look for it; null if none has. */
export async function aliasedPathOf(
  database: Queryable,
  record: EnvironmentRecord,
  { host, path }: TriedPath,
  role: HostRole | null,
): Promise<string | null> {
  const name = host === null ? normaliseHost(record.link_host) : normaliseHost(host);
  const alias = role === 'link' && record.alias_hosts.includes(name) ? aliasPath(path) : null;
  return alias === null ? null : findAliasedPath(database, record.id, `${name}/${alias}`);
}

/** What is wrong with a URL or path to try. Looks only at text. */
export function triedPathErrors(path: unknown): readonly FieldError[] {
  if (typeof path !== 'string' || readTriedPath(path) !== null) return [];
  return [fieldError('body', '/path', 'invalid_format', 'must be an http(s) URL, or a path that starts with /')];
}
