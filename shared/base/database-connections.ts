/** The owner of connections, which determines how often they are opened. */
type Owner = 'engine host' | 'redirect process' | 'engine host that delivers' | 'engine host beside others' | 'control plane';

/** Connections to PostgreSQL of one name, as `pg_stat_activity` shows it. */
export interface NamedConnections {
  readonly owner: Owner;
  readonly name: string;
  readonly max: number;
  /** Replaces `max`: the setting that gives the number. */
  readonly setting?: string;
  /** Whether they go through DATABASE_POOL_URL if it is set. */
  readonly pooled: boolean;
}

/** Connections of the control plane's pools. */
export const BACKGROUND_CONNECTIONS = 6;
export const QUEUE_CONNECTIONS = 4;

/** Every connection that the service opens; deploy/README.md shows them, and a test compares both with what processes open. */
export const DATABASE_CONNECTIONS: readonly NamedConnections[] = [
  { owner: 'engine host', name: 'link-service listen config_feed', max: 1, pooled: false },
  { owner: 'engine host', name: 'link-service bootstrap', max: 1, pooled: false },
  { owner: 'engine host', name: 'link-service sync', max: 1, pooled: true },
  { owner: 'engine host', name: 'click-flusher', max: 1, pooled: true },
  { owner: 'engine host', name: 'link-service answers', max: 1, pooled: true },
  { owner: 'engine host', name: 'link-service answers written', max: 1, pooled: true },
  { owner: 'engine host', name: 'link-service engines', max: 1, pooled: true },
  { owner: 'redirect process', name: 'link-service read-through', max: 1, pooled: true },
  { owner: 'redirect process', name: 'link-service click-limits', max: 1, pooled: true },
  { owner: 'redirect process', name: 'link-service block-list', max: 1, pooled: true },
  { owner: 'engine host that delivers', name: 'link-service webhooks', max: 5, pooled: false },
  { owner: 'engine host that delivers', name: 'link-service listen webhook_due config_feed', max: 1, pooled: false },
  { owner: 'engine host beside others', name: 'link-service listen metadata', max: 1, pooled: false },
  { owner: 'control plane', name: 'control-plane', max: 16, setting: 'DATABASE_CONNECTIONS', pooled: true },
  { owner: 'control plane', name: 'control-plane-background', max: BACKGROUND_CONNECTIONS, pooled: true },
  { owner: 'control plane', name: 'control-plane-queue', max: QUEUE_CONNECTIONS, pooled: true },
  { owner: 'control plane', name: 'control-plane-large-calls', max: 2, pooled: true },
  { owner: 'control plane', name: 'control-plane-counting', max: 1, pooled: false },
  { owner: 'control plane', name: 'control-plane-reading-clicks', max: 1, pooled: false },
];

export interface EngineSize {
  readonly redirectProcesses: number;
  readonly delivers: boolean;
  readonly pooled: boolean;
}

/** Returns how many connections to PostgreSQL itself an engine host opens at most. */
export function engineConnections({ redirectProcesses, delivers, pooled }: EngineSize): number {
  const hosts: Readonly<Record<Owner, number>> = {
    'engine host': 1,
    'redirect process': redirectProcesses,
    'engine host that delivers': delivers ? 1 : 0,
    'engine host beside others': 1,
    'control plane': 0,
  };
  return sum(pooled, ({ owner, max }) => hosts[owner] * max);
}

/** The same for a control plane, whose pool for requests has `apiConnections`. */
export function controlPlaneConnections(apiConnections: number, pooled: boolean): number {
  return sum(pooled, ({ owner, max, setting }) => (owner === 'control plane' ? (setting === undefined ? max : apiConnections) : 0));
}

function sum(pooled: boolean, count: (connections: NamedConnections) => number): number {
  return DATABASE_CONNECTIONS.filter((connections) => !(pooled && connections.pooled)).reduce((total, row) => total + count(row), 0);
}

/** SQL: how many connections the server keeps for superusers and, since PostgreSQL 16, for roles with a privilege for it. */
export const RESERVED_CONNECTIONS = `(current_setting('superuser_reserved_connections')::integer
  + coalesce(nullif(current_setting('reserved_connections', true), ''), '0')::integer)`;

/** SQL: how many connections the server has for all others. */
export const SERVER_CONNECTIONS = `(current_setting('max_connections')::integer - ${RESERVED_CONNECTIONS})`;

/** SQL: the least of the connection limits of the role and of the database; null if neither has one. They do not hold for superusers. */
export const CONNECTION_LIMIT = `(SELECT least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) FROM pg_roles, pg_database
  WHERE rolname = current_user AND NOT rolsuper AND datname = current_database())`;

/** How many connections the server allows, and how many the living processes may open at most. */
export interface ConnectionDemand {
  readonly usable: number;
  readonly demanded: number;
}

/** The query for it. The sum includes every process that has a row, including the one that asks. */
export const CONNECTION_DEMAND_QUERY = `
  SELECT least(${SERVER_CONNECTIONS}, ${CONNECTION_LIMIT}) AS usable,
    ((SELECT coalesce(sum(connections), 0) FROM engines WHERE left_at IS NULL)
      + (SELECT coalesce(sum(connections), 0) FROM control_planes))::integer AS demanded`;

/** The living processes of one half. */
export interface LivingProcesses {
  readonly half: 'engines' | 'control_planes';
  readonly processes: number;
  readonly connections: number;
  /** The most connections of one process. */
  readonly largest: number;
  /** Processes that have not reported a number. */
  readonly unsaid: number;
}

export const LIVING_PROCESSES_QUERY = `
  SELECT half, count(id)::integer AS processes, coalesce(sum(connections), 0)::integer AS connections,
    coalesce(max(connections), 0)::integer AS largest, (count(id) - count(connections))::integer AS unsaid
  FROM (
    SELECT 'engines' AS half, id::text, connections FROM engines WHERE left_at IS NULL
    UNION ALL SELECT 'control_planes', id::text, connections FROM control_planes
  ) AS living
  GROUP BY half`;

/** Returns a line for the operator; null if the server allows all of the connections. */
export function connectionShortage({ usable, demanded }: ConnectionDemand): string | null {
  if (demanded <= usable) return null;
  return `PostgreSQL allows ${usable} connections, but the running processes may open ${demanded}: raise max_connections and the limits of the role and the database, or set DATABASE_POOL_URL`;
}
