import { idAt } from '../../shared/base/ids.js';
import { isHostName } from '../../shared/net/host-name.js';
import { ENVIRONMENT_NAMES, type EnvironmentName } from '../../shared/records/records.js';
import type { Database, Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import { lockHostNames } from '../environment/host-locks.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import { findMoveClash, lockAliasOwners, moveAliases } from '../links/alias-sql.js';
import { timeZoneFault } from '../local-days/time-zone.js';

export interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly created_at: Date;
}

export interface EnvironmentRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: EnvironmentName;
  readonly link_host: string;
  readonly open_host: string;
}

export interface NewProject {
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly hosts: { readonly [Name in EnvironmentName]: { readonly linkHost: string; readonly openHost?: string } };
}

export interface CreatedProject {
  readonly id: string;
  readonly environments: { readonly [Name in EnvironmentName]: EnvironmentRow };
}

/** What is wrong with a new project, for the operator; null if nothing is. */
export async function projectFault(database: Queryable, wanted: NewProject): Promise<string | null> {
  const hosts = ENVIRONMENT_NAMES.flatMap((name) => [wanted.hosts[name].linkHost, openHost(wanted.hosts[name])]);
  return nameFault(wanted.name) ?? hostsFault(hosts) ?? (await timeZoneFault(database, wanted.timeZone));
}

/** What is wrong with the name of a project or a key; null if nothing is. */
export function nameFault(name: string): string | null {
  if (name.length >= 1 && name.length <= 200 && !/\p{Cc}/u.test(name)) return null;
  return 'the name must have 1 to 200 characters, none of them a control character';
}

/** What is wrong with the hosts, which must all be different; null if nothing is. */
export function hostsFault(hosts: readonly string[]): string | null {
  const bad = hosts.find((host) => !isHostName(host));
  if (bad !== undefined) return `"${bad}" is not a host name`;
  return new Set(hosts).size === hosts.length ? null : 'all hosts must be different';
}

function openHost({ linkHost, openHost: given }: { readonly linkHost: string; readonly openHost?: string }): string {
  return given ?? `open.${linkHost}`;
}

/** A host already belongs to another environment, or is a verified domain. */
export class HostTakenError extends Error {
  override readonly name = 'HostTakenError';
}

/** Creates a project that has no `projectFault`. Throws a `HostTakenError`. */
export async function createProject(database: Database, wanted: NewProject, nowMs: number): Promise<CreatedProject> {
  const id = idAt('project', nowMs);
  const environmentOf = (name: EnvironmentName): EnvironmentRow => ({
    id: idAt('environment', nowMs),
    project_id: id,
    name,
    link_host: wanted.hosts[name].linkHost,
    open_host: openHost(wanted.hosts[name]),
  });
  const environments = { test: environmentOf('test'), live: environmentOf('live') };
  const hosts = Object.values(environments).flatMap(({ link_host, open_host }) => [link_host, open_host]);
  await database.transaction(async (transaction) => {
    await lockHostNames(transaction, hosts);
    const taken = await findTakenHost(transaction, '', hosts);
    if (taken !== null) throw new HostTakenError(taken);
    await insertProject(transaction, { id, name: wanted.name, time_zone: wanted.timeZone, created_at: new Date(nowMs) });
    for (const name of ENVIRONMENT_NAMES) await insertEnvironment(transaction, environments[name], new Date(nowMs));
  });
  return { id, environments };
}

async function insertProject(database: Queryable, row: ProjectRow): Promise<void> {
  await database.query({
    text: 'INSERT INTO projects (id, name, time_zone, created_at) VALUES ($1, $2, $3, $4)',
    values: [row.id, row.name, row.time_zone, row.created_at.toISOString()],
  });
}

/** Inserts the environment and its feed row. */
async function insertEnvironment(database: Queryable, row: EnvironmentRow, created: Date): Promise<void> {
  await database.query({
    text: `WITH environment AS (
             INSERT INTO environments (id, project_id, name, link_host, open_host, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING id, number
           )
           ${FEED_INSERT}
           SELECT 'environment', id, id, number::text FROM environment`,
    values: [row.id, row.project_id, row.name, row.link_host, row.open_host, created.toISOString()],
  });
}

export async function listProjects(database: Queryable): Promise<readonly ProjectRow[]> {
  const { rows } = await database.query<ProjectRow>({
    text: 'SELECT id, name, time_zone, created_at FROM projects ORDER BY id DESC',
    values: [],
  });
  return rows;
}

export async function listEnvironments(database: Queryable, projectId: string): Promise<readonly EnvironmentRow[]> {
  const { rows } = await database.query<EnvironmentRow>({
    text: 'SELECT id, project_id, name, link_host, open_host FROM environments WHERE project_id = $1 ORDER BY name DESC',
    values: [projectId],
  });
  return rows;
}

export const findEnvironment = rowReader<EnvironmentRow, [id: string]>({
  text: 'SELECT id, project_id, name, link_host, open_host FROM environments WHERE id = $1',
});

/** The number that identifies the environment in the click log. */
export async function findEnvironmentNumber(database: Queryable, environmentId: string): Promise<number> {
  const { rows } = await database.query<{ number: number }>({
    name: 'read_environment_number',
    text: 'SELECT number FROM environments WHERE id = $1',
    values: [environmentId],
  });
  return (rows[0] as { number: number }).number;
}

export const findProject = rowReader<ProjectRow, [id: string]>({
  text: 'SELECT id, name, time_zone, created_at FROM projects WHERE id = $1',
});

/**
 * Sets the environment's hosts, which must have no `hostsFault`. Aliases on the old link host are moved to the new one. Returns null on
 * success, or the reason why nothing was changed. Calls that want the same host at the same time wait for each other, and for the
 * verification of a domain at it, because no constraint of the tables ensures that a link host is neither an open host nor a verified
 * domain.
 */
export function changeHosts(database: Database, environment: EnvironmentRow, nowMs: number): Promise<string | null> {
  return database.transaction(async (transaction) => {
    await lockHostNames(transaction, [environment.link_host, environment.open_host]);
    await lockAliasOwners(transaction, environment.id);
    await lockEnvironment(transaction, environment.id);
    const taken = await findTakenHost(transaction, environment.id, [environment.link_host, environment.open_host]);
    if (taken !== null) return taken;
    const before = await findEnvironment(transaction, environment.id);
    const move = { from: before?.link_host ?? '', to: environment.link_host };
    const clash = move.from === move.to ? null : await findMoveClash(transaction, environment.id, move);
    if (clash !== null) {
      const { normal_path, link_id, other_id } = clash;
      return `the alias ${move.to}/${normal_path} of the link ${link_id} has the address that the link ${other_id} would get: remove that alias first`;
    }
    if (move.from !== move.to) await moveAliases(transaction, environment.id, move);
    await updateHosts(transaction, environment, new Date(nowMs));
    return null;
  });
}

/** Waits for the transactions that are writing rows of the environment, such as links. */
async function lockEnvironment(database: Queryable, environmentId: string): Promise<void> {
  await database.query({ text: 'SELECT FROM environments WHERE id = $1 FOR UPDATE', values: [environmentId] });
}

/** Says which of the hosts is taken, and by what; null if none is. */
async function findTakenHost(database: Queryable, environmentId: string, hosts: readonly string[]): Promise<string | null> {
  const { rows } = await database.query<{ host: string; is_own_domain: boolean }>({
    text: `SELECT host, EXISTS (SELECT 1 FROM domains WHERE hostname = host AND status = 'verified' AND environment_id = $1) AS is_own_domain
           FROM unnest($2::text[]) AS host
           WHERE EXISTS (SELECT 1 FROM environments WHERE id <> $1 AND host IN (link_host, open_host))
              OR EXISTS (SELECT 1 FROM domains WHERE hostname = host AND status = 'verified')`,
    values: [environmentId, hosts],
  });
  const [taken] = rows;
  if (taken === undefined) return null;
  const { host, is_own_domain } = taken;
  return is_own_domain
    ? `the host "${host}" is a verified domain of this environment: delete the domain first`
    : `the host "${host}" already belongs to another environment`;
}

/** Updates the environment's hosts, including those on which aliases are looked for, and writes its feed row. */
async function updateHosts(database: Queryable, row: EnvironmentRow, updated: Date): Promise<void> {
  await database.query({
    text: `WITH environment AS (
             UPDATE environments SET link_host = $2, open_host = $3, updated_at = greatest(updated_at, $4::timestamptz),
               alias_hosts = CASE WHEN link_host = ANY (alias_hosts) AND $2 <> ALL (alias_hosts) THEN alias_hosts || $2 ELSE alias_hosts END
             WHERE id = $1
             RETURNING id, number
           )
           ${FEED_INSERT}
           SELECT 'environment', id, id, number::text FROM environment`,
    values: [row.id, row.link_host, row.open_host, updated.toISOString()],
  });
}
