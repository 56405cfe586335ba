import type pg from 'pg';
import { migrationNames, readAppliedMigrations } from '../../control-plane/db/migrate.js';
import {
  CONNECTION_LIMIT,
  LIVING_PROCESSES_QUERY,
  type LivingProcesses,
  RESERVED_CONNECTIONS,
} from '../../shared/base/database-connections.js';
import { markPooled } from '../../shared/base/pooled-url.js';
import { SettingError } from '../../shared/base/settings.js';
import { clientClass } from '../../shared/net/pooled-client.js';
import { metadataSecretPlace, parseSecretKeys, type SecretKeys, unseal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { connectionsBySettings, openedConnections } from './connections.js';
import type { DatabaseFacts, SealingKey } from './database.js';
import { readWay } from './ways.js';

/** How long a database may take to connect, and for each statement. */
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** How many hosts are checked at most. */
export const HOSTS_MAX = 100;

export interface Installation {
  readonly database: DatabaseFacts;
  /** Link hosts, open hosts and verified custom domains; null if the schema is not there yet. */
  readonly hosts: readonly string[] | null;
  /** As in `WayFact`. */
  readonly server: string;
}

interface Wanted {
  readonly environment: NodeJS.ProcessEnv;
  /** The number of engines and of control planes. If null, the running ones are counted, as they report themselves. */
  readonly engines: number | null;
  readonly controlPlanes: number | null;
}

/** Changes nothing in the database. Throws what the driver throws. */
export async function readInstallation(databaseUrl: string, wanted: Wanted): Promise<Installation> {
  const { way, server } = await readWay(databaseUrl);
  // A pooler refuses time limits in the startup parameters.
  const connectionString = (way === 'direct' ? null : markPooled(databaseUrl)) ?? databaseUrl;
  const client = new (clientClass(connectionString))({
    connectionString,
    application_name: 'linkd-doctor',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // the current statement, or the next one, fails
  await client.connect();
  try {
    const { database, hosts } = await look(client, wanted);
    return { database: { ...database, way }, hosts, server };
  } finally {
    await client.end();
  }
}

interface Looked {
  readonly database: Omit<DatabaseFacts, 'way'>;
  readonly hosts: Installation['hosts'];
}

async function look(client: pg.Client, { environment, engines, controlPlanes }: Wanted): Promise<Looked> {
  const server = await readServer(client);
  const clock = await readClock(client);
  const build = await migrationNames();
  const applied = await readAppliedMigrations((text) => client.query<{ name: string }>(text));
  const pending = build.filter((name) => !applied.has(name));
  const hasSchema = pending.length === 0;
  const living = hasSchema ? (await client.query<LivingProcesses>(LIVING_PROCESSES_QUERY)).rows : [];
  const each = connectionsBySettings(environment);
  const opened = (half: LivingProcesses['half'], asked: number | null) =>
    openedConnections(
      living.find((processes) => processes.half === half),
      { asked, each: each[half] },
    );
  const secretKeys = keysOf(environment.SECRETS_KEYS ?? '');
  return {
    database: {
      ...server,
      ...clock,
      pending,
      unknown: [...applied].filter((name) => !build.includes(name)),
      controlPlanes: opened('control_planes', controlPlanes),
      engines: opened('engines', engines),
      sealedWith: hasSchema && secretKeys !== null ? await readSealingKeys(client, secretKeys) : null,
      keyIds: secretKeys === null ? null : [...secretKeys.keys.keys()],
    },
    hosts: hasSchema ? await readHosts(client) : null,
  };
}

function keysOf(text: string): SecretKeys | null {
  try {
    return parseSecretKeys(text);
  } catch (error) {
    if (error instanceof SettingError) return null;
    throw error;
  }
}

type Server = Pick<
  DatabaseFacts,
  'serverVersion' | 'encoding' | 'hasTrigrams' | 'connectionsMax' | 'connectionsReserved' | 'connectionsOfOthers' | 'connectionLimit'
>;

/**
 * Connections to other databases count as those of others. Those to this database are counted as a whole, as what the engines and control
 * planes open.
 */
async function readServer(client: pg.Client): Promise<Server> {
  const { rows } = await client.query<Server>(`
    SELECT current_setting('server_version_num')::integer AS "serverVersion",
      getdatabaseencoding() AS encoding,
      EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') AS "hasTrigrams",
      current_setting('max_connections')::integer AS "connectionsMax",
      ${RESERVED_CONNECTIONS} AS "connectionsReserved",
      ${CONNECTION_LIMIT} AS "connectionLimit",
      (SELECT count(*)::integer FROM pg_stat_activity WHERE datname <> current_database()) AS "connectionsOfOthers"`);
  return rows[0] as Server;
}

/** Uses the fastest of three rounds: the database read its clock between the request and the reply. */
async function readClock(client: pg.Client): Promise<Pick<DatabaseFacts, 'skewMs' | 'roundTripMs'>> {
  let best = { skewMs: 0, roundTripMs: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 3; round++) {
    const asked = performance.now();
    const { rows } = await client.query<{ now_ms: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms');
    const roundTripMs = performance.now() - asked;
    if (roundTripMs < best.roundTripMs) best = { skewMs: (rows[0]?.now_ms as number) - (Date.now() - roundTripMs / 2), roundTripMs };
  }
  return best;
}

interface SealedRow {
  readonly id: string;
  readonly of: keyof typeof PLACES;
  readonly row: string;
  readonly sealed: Buffer;
}

const PLACES = { webhook: webhookSecretPlace, metadata_api: metadataSecretPlace };

/** Reads and decrypts one credential for each key id, because two keys may have had the same id. */
async function readSealingKeys(client: pg.Client, keys: SecretKeys): Promise<readonly SealingKey[]> {
  // A sealed value begins with the length of its key's id, followed by the id.
  const { rows } = await client.query<SealedRow>(`
    SELECT DISTINCT ON (id) convert_from(substring(sealed FROM 2 FOR get_byte(sealed, 0)), 'UTF8') AS id, "of", "row", sealed
    FROM (
      SELECT 'webhook' AS "of", id AS "row", secret AS sealed FROM webhook_endpoints
      UNION ALL SELECT 'webhook', id, previous_secret FROM webhook_endpoints
      UNION ALL SELECT 'metadata_api', id, secret FROM metadata_apis
    ) AS credentials
    WHERE length(sealed) > 0
    ORDER BY id, "row"`);
  return rows.map(({ id, of, row, sealed }) => {
    const place = PLACES[of](row);
    return { id, place, opens: opens(keys, place, sealed) };
  });
}

function opens(keys: SecretKeys, place: string, sealed: Buffer): boolean {
  try {
    unseal(keys, place, sealed);
    return true;
  } catch {
    return false; // for whatever reason, it cannot be decrypted
  }
}

async function readHosts(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ host: string }>(
    `SELECT link_host AS host FROM environments
     UNION SELECT open_host FROM environments
     UNION SELECT hostname FROM domains WHERE status = 'verified'
     ORDER BY host LIMIT $1`,
    [HOSTS_MAX],
  );
  return rows.map(({ host }) => host);
}
