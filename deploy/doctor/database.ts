import type { Finding } from '../../control-plane/cli/finding.js';
import { counted } from '../../shared/base/counted.js';
import type { OpenedConnections } from './connections.js';
import { failure, ok, unchecked, warning } from './findings.js';
import type { Way } from './ways.js';

export interface DatabaseFacts {
  /** What DATABASE_URL connects to. */
  readonly way: Way;
  /** `server_version_num`. */
  readonly serverVersion: number;
  /** As PostgreSQL names it: `UTF8`. */
  readonly encoding: string;
  readonly hasTrigrams: boolean;
  readonly pending: readonly string[];
  /** Migrations that have run and that this build does not have. */
  readonly unknown: readonly string[];
  readonly connectionsMax: number;
  /** The part of `connectionsMax` that is reserved for superusers and the like. */
  readonly connectionsReserved: number;
  readonly connectionsOfOthers: number;
  /** The least of the limits of the role and of the database; null if neither has one. */
  readonly connectionLimit: number | null;
  /** Without the connections to DATABASE_POOL_URL. */
  readonly controlPlanes: OpenedConnections;
  readonly engines: OpenedConnections;
  /** The database's clock minus this machine's. */
  readonly skewMs: number;
  readonly roundTripMs: number;
  /** The keys that stored credentials are sealed with; null if the schema is not there yet, or if SECRETS_KEYS is malformed. */
  readonly sealedWith: readonly SealingKey[] | null;
  /** The key ids of SECRETS_KEYS; null if it is malformed. */
  readonly keyIds: readonly string[] | null;
}

/** A key that stored credentials are sealed with. */
export interface SealingKey {
  readonly id: string;
  /** One of the credentials, as `unseal` names it. */
  readonly place: string;
  /** Whether SECRETS_KEYS can decrypt that one. */
  readonly opens: boolean;
}

const SERVER_VERSION_MIN = 150_000;
const DATABASE_URL = 'DATABASE_URL=postgres://<user>:<password>@<host of PostgreSQL>:5432/<database>';
/** Receivers of webhooks accept signatures whose time differs by less than five minutes. */
const SKEW_WARNING_MS = 2_000;
const SKEW_FAILURE_MS = 60_000;

export const DATABASE_CHECKS = ['schema', 'connections', 'clock', 'secrets'] as const;

export function databaseAway(reason: string): readonly Finding[] {
  return [
    failure('database', `PostgreSQL cannot be reached: ${reason}.`, `${DATABASE_URL}, or systemctl start postgresql`),
    ...DATABASE_CHECKS.map((check) => unchecked(check, 'This check needs the database.')),
  ];
}

export function databaseFindings(facts: DatabaseFacts): readonly Finding[] {
  return [serverFinding(facts), schemaFinding(facts), connectionsFinding(facts), clockFinding(facts), secretsFinding(facts)];
}

function serverFinding({ way, serverVersion, encoding, hasTrigrams, roundTripMs }: DatabaseFacts): Finding {
  const version = `${Math.floor(serverVersion / 10_000)}.${serverVersion % 10_000}`;
  if (serverVersion < SERVER_VERSION_MIN)
    return failure('database', `PostgreSQL ${version} is too old.`, `${DATABASE_URL} of a PostgreSQL 15 or later`);
  if (way === 'transaction')
    return failure(
      'database',
      'DATABASE_URL points to a pooler in transaction mode, which loses notifications and locks.',
      `${DATABASE_URL} without the pooler, and set DATABASE_POOL_URL to the pooler`,
    );
  if (encoding !== 'UTF8')
    return failure(
      'database',
      `The database has the encoding ${encoding}, in which not every text can be stored.`,
      `createdb --encoding UTF8 --template template0 <another name>, and ${DATABASE_URL} of that one`,
    );
  if (!hasTrigrams)
    return failure(
      'database',
      'The extension pg_trgm is not available.',
      'apt-get install postgresql-contrib on the host of PostgreSQL, or the package of that name of its distribution',
    );
  const through = way === 'direct' ? '' : ' through a pooler in session mode';
  return ok('database', `PostgreSQL ${version} replies in ${Math.ceil(roundTripMs)} ms${through}.`);
}

function schemaFinding({ pending, unknown }: DatabaseFacts): Finding {
  if (pending.length > 0)
    return failure('schema', `Migrations that have not run: ${pending.length}, the first is ${pending[0]}.`, 'linkd migrate');
  if (unknown.length > 0)
    return warning(
      'schema',
      `The schema is that of a newer release: ${unknown.join(', ')}.`,
      'git checkout <tag of the newer release> && npm ci && npm run build; until then this release works with that schema',
    );
  return ok('schema', 'The schema is that of this release.');
}

function connectionsFinding(facts: DatabaseFacts): Finding {
  const { connectionsMax, connectionsReserved, connectionsOfOthers, connectionLimit, controlPlanes, engines } = facts;
  const ofServer = connectionsMax - connectionsReserved - connectionsOfOthers;
  const limit = connectionLimit ?? Number.POSITIVE_INFINITY;
  const available = Math.min(ofServer, limit);
  const needed = controlPlanes.connections + engines.connections;
  const restarting = needed + Math.max(controlPlanes.largest, engines.largest);
  const sum = `${counted(controlPlanes.processes, 'control plane')} and ${counted(engines.processes, 'engine')} open at most ${needed} connections, and PostgreSQL has ${available} for them`;
  const repairs = [
    ofServer < restarting ? [`max_connections = ${restarting + connectionsReserved + connectionsOfOthers} in postgresql.conf`] : [],
    limit < restarting
      ? [`psql -c "ALTER ROLE <role> CONNECTION LIMIT ${restarting}; ALTER DATABASE <database> CONNECTION LIMIT ${restarting}"`]
      : [],
  ];
  const repair = `${repairs.flat().join(' and ')}, or fewer DATABASE_CONNECTIONS`;
  if (needed > available) return failure('connections', `${sum}.`, repair);
  if (restarting > available) return warning('connections', `${sum}: a rolling restart needs ${restarting}.`, repair);
  return ok('connections', `${sum}.`);
}

function clockFinding({ skewMs, roundTripMs }: DatabaseFacts): Finding {
  // The error of the measurement is half of the round trip.
  const apart = Math.max(0, Math.abs(skewMs) - roundTripMs / 2);
  const text = `This machine's clock is ${(apart / 1000).toFixed(1)} s ${skewMs > 0 ? 'behind' : 'ahead of'} the database's.`;
  const repair = 'timedatectl set-ntp true, or chrony, on both machines';
  if (apart >= SKEW_FAILURE_MS) return failure('clock', text, repair);
  if (apart >= SKEW_WARNING_MS) return warning('clock', text, repair);
  return ok('clock', "This machine's clock and the database's agree.");
}

function secretsFinding({ sealedWith, keyIds }: DatabaseFacts): Finding {
  if (keyIds === null) return unchecked('secrets', 'SECRETS_KEYS must be well-formed first.');
  if (sealedWith === null) return unchecked('secrets', 'This check needs the schema.');
  const missing = sealedWith.filter(({ id }) => !keyIds.includes(id));
  if (missing.length > 0)
    return failure(
      'secrets',
      `Stored credentials are encrypted with ${quoted(missing)}, which is not in SECRETS_KEYS.`,
      `SECRETS_KEYS=<the present keys>,${missing[0]?.id}:<that key from its backup>`,
    );
  const others = sealedWith.filter(({ opens }) => !opens);
  if (others.length > 0)
    return failure(
      'secrets',
      `SECRETS_KEYS has another key under the name ${quoted(others)} than the one that encrypted these credentials: ${others.map(({ place }) => place).join(', ')}.`,
      `SECRETS_KEYS=<another name>:<the present key>,${others[0]?.id}:<the key of its backup>`,
    );
  const old = sealedWith.filter(({ id }) => id !== keyIds[0]);
  if (old.length > 0) return warning('secrets', `Some stored credentials are still encrypted with ${quoted(old)}.`, 'linkd secrets rotate');
  return ok('secrets', 'SECRETS_KEYS has the key of every stored credential; one credential of each key was decrypted as a test.');
}

function quoted(keys: readonly SealingKey[]): string {
  return keys.map(({ id }) => `"${id}"`).join(', ');
}
