import type { Database, Queryable } from '../../control-plane/db/database.js';
import { keyHash } from '../../control-plane/http/authenticate.js';
import { createKey } from '../../control-plane/keys/keys.js';
import { createProject, projectFault } from '../../control-plane/projects/projects.js';
import type { Clock } from '../../shared/base/clock.js';
import { ENVIRONMENT_NAMES, type EnvironmentName } from '../../shared/records/records.js';
import type { Keys } from './credentials.js';
import { StartError } from './start-error.js';

/** Browsers and curl resolve names below `localhost` to this machine (RFC 6761), so the demo needs no DNS. */
export const LINK_HOSTS: Readonly<Record<EnvironmentName, string>> = { test: 'test.localhost', live: 'live.localhost' };
const PROJECT_NAME = 'Demo';
const KEY_NAME = 'local start';

export interface Demo {
  /** Whether this start has created the project. */
  readonly first: boolean;
  readonly keys: Readonly<Record<EnvironmentName, Keys>>;
  /** Environments whose keys were created now and should be shown. */
  readonly made: readonly EnvironmentName[];
}

interface EnvironmentId {
  readonly id: string;
  readonly name: EnvironmentName;
}

/**
 * The demo project with keys that work. `known` are the keys that an earlier start has written. If they are lost or belong to another
 * database, new ones are created, because only the hash of a key is stored.
 */
export async function prepareDemo(database: Database, known: Readonly<Record<EnvironmentName, Keys | null>>, clock: Clock): Promise<Demo> {
  const found = await findEnvironments(database);
  const environments = found.length > 0 ? found : await makeProject(database, clock);
  const keys: Partial<Record<EnvironmentName, Keys>> = {};
  const made: EnvironmentName[] = [];
  for (const name of ENVIRONMENT_NAMES) {
    const environment = environments.find((candidate) => candidate.name === name);
    if (environment === undefined)
      throw new StartError(
        `the link host ${LINK_HOSTS[name]} is not in this database though the other one of the demo is; use another database`,
      );
    const kept = known[name];
    if (kept !== null && (await bothWork(database, environment.id, kept))) keys[name] = kept;
    else {
      keys[name] = await makeKeys(database, environment, clock);
      made.push(name);
    }
  }
  return { first: found.length === 0, keys: keys as Record<EnvironmentName, Keys>, made };
}

async function makeProject(database: Database, clock: Clock): Promise<readonly EnvironmentId[]> {
  const hosts = { test: { linkHost: LINK_HOSTS.test }, live: { linkHost: LINK_HOSTS.live } };
  const here = { name: PROJECT_NAME, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, hosts };
  // A machine may be set to an offset or to nothing at all, and neither is a time zone for a project.
  const isUsable = (await projectFault(database, here)) === null;
  const { environments } = await createProject(database, isUsable ? here : { ...here, timeZone: 'UTC' }, clock());
  return [environments.test, environments.live];
}

async function makeKeys(database: Queryable, environment: EnvironmentId, clock: Clock): Promise<Keys> {
  const wanted = { environmentId: environment.id, environment: environment.name, name: KEY_NAME };
  const secret = await createKey(database, { ...wanted, kind: 'secret' }, clock());
  const publishable = await createKey(database, { ...wanted, kind: 'publishable' }, clock());
  return { secret_key: secret.key, publishable_key: publishable.key };
}

async function findEnvironments(database: Queryable): Promise<readonly EnvironmentId[]> {
  const { rows } = await database.query<EnvironmentId>({
    text: `SELECT id, name FROM environments
           WHERE (name = 'test' AND link_host = $1) OR (name = 'live' AND link_host = $2)`,
    values: [LINK_HOSTS.test, LINK_HOSTS.live],
  });
  return rows;
}

async function bothWork(database: Queryable, environmentId: string, keys: Keys): Promise<boolean> {
  const { rows } = await database.query<{ kind: string }>({
    text: `SELECT kind FROM api_keys
           WHERE environment_id = $1 AND revoked_at IS NULL AND (hash = $2 AND kind = 'secret' OR hash = $3 AND kind = 'publishable')`,
    values: [environmentId, keyHash(keys.secret_key), keyHash(keys.publishable_key)],
  });
  return rows.length === 2;
}
