import type { Queryable } from '../db/database.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { EnvironmentRow, EnvironmentSettings } from './environment-row.js';

const SELECT = `SELECT environment.id, environment.name, environment.project_id, project.name AS project_name, project.time_zone,
    environment.link_host, environment.open_host, environment.interstitial, environment.default_destinations, environment.ios_apps,
    environment.android_apps, environment.web_origins, environment.attribution_window_minutes, environment.append_click_id, environment.brand,
    environment.long_link_hosts, environment.long_link_path, environment.created_at, environment.updated_at
  FROM environments AS environment JOIN projects AS project ON project.id = environment.project_id
  WHERE environment.id = $1`;

/** The environment of a key. It exists, because the key refers to it. */
export async function readEnvironment(database: Queryable, environmentId: string): Promise<EnvironmentRow> {
  const { rows } = await database.query<EnvironmentRow>({ name: 'read_environment', text: SELECT, values: [environmentId] });
  return rows[0] as EnvironmentRow;
}

/** Reads the same row, and locks it against other changes until the transaction ends. */
export async function lockSettings(database: Queryable, environmentId: string): Promise<EnvironmentRow> {
  const { rows } = await database.query<EnvironmentRow>({
    name: 'lock_environment_settings',
    text: `${SELECT} FOR NO KEY UPDATE OF environment`,
    values: [environmentId],
  });
  return rows[0] as EnvironmentRow;
}

/** Writes the settings and the feed row. Throws a unique violation (SQLSTATE 23505) if another environment has the open host. */
export async function updateEnvironment(
  database: Queryable,
  environmentId: string,
  settings: EnvironmentSettings,
  updatedAt: Date,
): Promise<void> {
  await database.query({
    name: 'update_environment',
    text: `WITH environment AS (
             UPDATE environments SET open_host = $2, interstitial = $3, default_destinations = $4, ios_apps = $5, android_apps = $6,
               web_origins = $7, attribution_window_minutes = $8, updated_at = $9, append_click_id = $10,
               brand = $11, long_link_hosts = $12, long_link_path = $13
             WHERE id = $1
             RETURNING id, number
           )
           ${FEED_INSERT}
           SELECT 'environment', id, id, number::text FROM environment`,
    values: [
      environmentId,
      settings.open_host,
      settings.interstitial,
      JSON.stringify(settings.default_destinations),
      JSON.stringify(settings.ios_apps),
      JSON.stringify(settings.android_apps),
      settings.web_origins,
      settings.attribution_window_minutes,
      updatedAt.toISOString(),
      settings.append_click_id,
      JSON.stringify(settings.brand),
      settings.long_link_hosts,
      settings.long_link_path,
    ],
  });
}

/**
 * Resets the open host to the one that an environment begins with, and writes the feed row. If somebody else has that name now, the number
 * of the environment is added to it.
 */
export async function resetOpenHost(database: Queryable, environmentId: string, updatedAt: Date): Promise<void> {
  await database.query({
    text: `WITH environment AS (
             UPDATE environments SET open_host = CASE
                 WHEN EXISTS (SELECT 1 FROM environments AS other WHERE 'open.' || environments.link_host IN (other.link_host, other.open_host))
                   OR EXISTS (SELECT 1 FROM domains WHERE hostname = 'open.' || environments.link_host AND status = 'verified')
                 THEN 'open-' || number || '.' || link_host
                 ELSE 'open.' || link_host END,
               updated_at = greatest(updated_at, $2::timestamptz)
             WHERE id = $1
             RETURNING id, number
           )
           ${FEED_INSERT}
           SELECT 'environment', id, id, number::text FROM environment`,
    values: [environmentId, updatedAt.toISOString()],
  });
}

/** Whether the host is a host of another environment, this environment's link host, or a verified domain of any environment. */
export async function isHostTaken(database: Queryable, environmentId: string, host: string): Promise<boolean> {
  const { rows } = await database.query<{ taken: boolean }>({
    name: 'is_host_taken',
    text: `SELECT EXISTS (SELECT 1 FROM environments WHERE (link_host = $2 OR open_host = $2) AND (id <> $1 OR link_host = $2))
             OR EXISTS (SELECT 1 FROM domains WHERE hostname = $2 AND status = 'verified') AS taken`,
    values: [environmentId, host],
  });
  return rows[0]?.taken === true;
}

/** The verified domains of an environment. */
export async function verifiedHostnames(database: Queryable, environmentId: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ hostname: string }>({
    name: 'verified_hostnames',
    text: `SELECT hostname FROM domains WHERE environment_id = $1 AND status = 'verified'`,
    values: [environmentId],
  });
  return rows.map(({ hostname }) => hostname);
}

/** Whether the environment has a link at the path, in any state except deleted. */
export async function hasLink(database: Queryable, environmentId: string, path: string): Promise<boolean> {
  const { rows } = await database.query({
    name: 'environment_has_link',
    text: `SELECT 1 FROM links WHERE environment_id = $1 AND path = $2 AND deleted_at IS NULL`,
    values: [environmentId, path],
  });
  return rows.length > 0;
}
