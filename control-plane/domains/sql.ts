import type { DomainStatus } from '../../shared/contract/schemas/domain.js';
import { withAsciiNames } from '../../shared/net/host-name.js';
import type { EnvironmentName } from '../../shared/records/records.js';
import { containing } from '../db/containing.js';
import type { Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import { lockHostNames } from '../environment/host-locks.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { PageRequest } from '../http/cursor.js';
import type { DomainRow } from './domain-row.js';

const COLUMNS = `id, hostname, status, txt_value, failure_reason, missing_since, last_checked_at, next_check_at, redirects, case_insensitive,
  qr_style, created_at, updated_at`;

const SELECT = `SELECT ${COLUMNS} FROM domains`;

/** Whether the host is a link host or an open host of an environment. */
export async function isEnvironmentHost(database: Queryable, hostname: string): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'is_environment_host',
    text: 'SELECT 1 FROM environments WHERE link_host = $1 OR open_host = $1',
    values: [hostname],
  });
  return rowCount > 0;
}

export async function countDomains(database: Queryable, environmentId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: 'count_domains',
    text: 'SELECT count(*)::integer AS count FROM domains WHERE environment_id = $1',
    values: [environmentId],
  });
  return rows[0]?.count ?? 0;
}

/** Returns false if the environment has the host already. */
export async function insertDomain(database: Queryable, environmentId: string, row: DomainRow): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'insert_domain',
    text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, next_check_at, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
           ON CONFLICT (environment_id, hostname) DO NOTHING`,
    values: [
      row.id,
      environmentId,
      row.hostname,
      row.status,
      row.txt_value,
      row.next_check_at?.toISOString() ?? null,
      row.created_at.toISOString(),
    ],
  });
  return rowCount === 1;
}

export const findDomain = rowReader<DomainRow>({ name: 'find_domain', text: `${SELECT} WHERE id = $2 AND environment_id = $1` });

/** Newest first by keyset, one row more than the page holds. */
export async function listDomains(
  database: Queryable,
  environmentId: string,
  { status, search }: { readonly status?: DomainStatus | undefined; readonly search?: string | undefined },
  page: PageRequest,
): Promise<readonly DomainRow[]> {
  const { rows } = await database.query<DomainRow>({
    name: 'list_domains',
    text: `${SELECT} WHERE environment_id = $1 AND ($2::text IS NULL OR id < $2) AND ($3::text IS NULL OR status = $3)
             AND ($4::text IS NULL OR hostname ILIKE $4)
           ORDER BY id DESC LIMIT $5`,
    values: [environmentId, page.belowId, status ?? null, search === undefined ? null : containing(withAsciiNames(search)), page.limit + 1],
  });
  return rows;
}

/** Deletes the domain and writes the feed row, so that link hosts drop it. Returns false if it is already gone. */
export async function deleteDomain(database: Queryable, environmentId: string, domainId: string): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'delete_domain',
    text: `WITH domain AS (DELETE FROM domains WHERE id = $2 AND environment_id = $1 RETURNING id, environment_id)
           ${FEED_INSERT}
           SELECT 'domain', environment_id, id, id FROM domain`,
    values: [environmentId, domainId],
  });
  return rowCount === 1;
}

/**
 * Claims domains whose check is due by postponing their next check, so that no other server takes them. If the server that checks a domain
 * dies, the domain is due again then. Only the database's clock counts: if the clocks of two servers differed, one would take what the
 * other is checking.
 */
export async function claimDueDomains(
  database: Queryable,
  { rowsMax, leaseMs }: { readonly rowsMax: number; readonly leaseMs: number },
): Promise<readonly Pick<DomainRow, 'id' | 'hostname' | 'txt_value'>[]> {
  const { rows } = await database.query<Pick<DomainRow, 'id' | 'hostname' | 'txt_value'>>({
    text: `UPDATE domains SET next_check_at = now() + make_interval(secs => $1 / 1000.0)
           WHERE id IN (SELECT id FROM domains WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED)
           RETURNING id, hostname, txt_value`,
    values: [leaseMs, rowsMax],
  });
  return rows;
}

export type LockedDomain = DomainRow & { readonly environment_id: string; readonly environment: EnvironmentName };

/**
 * Locks the domain, of any environment, until the transaction ends, and with it the right to verify its host, so that of several
 * environments that prove it at the same time, one is first. Null if the domain is gone.
 */
export async function lockDomain(database: Queryable, domainId: string, hostname: string): Promise<LockedDomain | null> {
  await lockHostNames(database, [hostname]);
  const { rows } = await database.query<LockedDomain>({
    name: 'lock_domain',
    text: `SELECT ${COLUMNS.replaceAll(/\w+/g, 'domain.$&')}, environment.id AS environment_id, environment.name AS environment
           FROM domains AS domain JOIN environments AS environment ON environment.id = domain.environment_id
           WHERE domain.id = $1 FOR UPDATE OF domain`,
    values: [domainId],
  });
  return rows[0] ?? null;
}

/**
 * Returns whether the host is taken: by another verified domain, or as the link host or open host of an environment. Call it under
 * `lockDomain`.
 */
export async function isTaken(database: Queryable, { id, hostname }: Pick<DomainRow, 'id' | 'hostname'>): Promise<boolean> {
  const { rows } = await database.query<{ taken: boolean }>({
    name: 'is_domain_taken',
    text: `SELECT EXISTS (SELECT 1 FROM domains WHERE hostname = $2 AND status = 'verified' AND id <> $1)
             OR EXISTS (SELECT 1 FROM environments WHERE link_host = $2 OR open_host = $2) AS taken`,
    values: [id, hostname],
  });
  return rows[0]?.taken === true;
}

/** Writes the result of a check, and a feed row if the host begins or ceases to be served. */
export async function updateDomain(database: Queryable, row: DomainRow, changesHosts: boolean): Promise<void> {
  await database.query({
    name: 'update_domain',
    text: `WITH domain AS (
             UPDATE domains SET status = $2, failure_reason = $3, missing_since = $4, last_checked_at = $5, next_check_at = $6, updated_at = $7
             WHERE id = $1
             RETURNING id, environment_id
           )
           ${FEED_INSERT}
           SELECT 'domain', environment_id, id, id FROM domain WHERE $8::boolean`,
    values: [
      row.id,
      row.status,
      row.failure_reason,
      row.missing_since?.toISOString() ?? null,
      row.last_checked_at?.toISOString() ?? null,
      row.next_check_at?.toISOString() ?? null,
      row.updated_at.toISOString(),
      changesHosts,
    ],
  });
}

/** Writes the settings of a domain, with a feed row if link hosts know it. */
export async function updateDomainSettings(database: Queryable, row: DomainRow): Promise<void> {
  await database.query({
    name: 'update_domain_settings',
    text: `WITH domain AS (
             UPDATE domains SET redirects = $2, case_insensitive = $3, qr_style = $4, updated_at = $5
             WHERE id = $1 RETURNING id, environment_id, status
           )
           ${FEED_INSERT}
           SELECT 'domain', environment_id, id, id FROM domain WHERE status = 'verified'`,
    values: [
      row.id,
      JSON.stringify(row.redirects),
      row.case_insensitive,
      row.qr_style === null ? null : JSON.stringify(row.qr_style),
      row.updated_at.toISOString(),
    ],
  });
}
