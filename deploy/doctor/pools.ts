import type { Finding } from '../../control-plane/cli/finding.js';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { failure, ok, warning } from './findings.js';
import { settingOf } from './settings.js';
import { type WayOrFault, wayOrFault } from './ways.js';

/** The two connection strings that may be set besides DATABASE_URL. */
export interface PoolFacts {
  /** For DATABASE_POOL_URL; null if it is not set. */
  readonly pool: WayOrFault | null;
  /** For QUEUE_DATABASE_URL; null if it is not set. */
  readonly queue: WayOrFault | 'none' | null;
  /** The server of DATABASE_URL; null if it cannot be reached. */
  readonly server: string | null;
}

export async function readPoolFacts(environment: NodeJS.ProcessEnv, server: string | null): Promise<PoolFacts> {
  const poolUrl = settingOf(controlPlaneSettings.databasePoolUrl, environment);
  const queueUrl = settingOf(controlPlaneSettings.queueDatabaseUrl, environment);
  const asksQueue = queueUrl !== '' && queueUrl !== 'none';
  const [pool, queue] = await Promise.all([poolUrl === '' ? null : wayOrFault(poolUrl), asksQueue ? wayOrFault(queueUrl) : null]);
  return { pool, queue: queueUrl === 'none' ? 'none' : queue, server };
}

export function poolFindings({ pool, queue, server }: PoolFacts): readonly Finding[] {
  return [poolFinding(pool, server), queueFinding(queue, server)];
}

const POOL_URL = 'DATABASE_POOL_URL=postgres://<user>:<password>@<host of PgBouncer>:6432/<database>';
const QUEUE_URL = 'QUEUE_DATABASE_URL=postgres://<user>:<password>@<host of PostgreSQL>:5432/<database>, or leave it empty';

function poolFinding(pool: WayOrFault | null, server: string | null): Finding {
  if (pool === null) return ok('pool', 'DATABASE_POOL_URL is not set: everything connects to DATABASE_URL.');
  if ('fault' in pool)
    return failure('pool', `DATABASE_POOL_URL cannot be used: ${pool.fault}.`, `systemctl restart pgbouncer, or ${POOL_URL}`);
  if (isElsewhere(pool.server, server))
    return failure('pool', 'DATABASE_POOL_URL points to another database than DATABASE_URL.', `${POOL_URL} of DATABASE_URL`);
  if (pool.way === 'session')
    return warning(
      'pool',
      'The pooler of DATABASE_POOL_URL keeps one session per client, so clients wait when all sessions are taken.',
      'pool_mode = transaction in pgbouncer.ini',
    );
  if (pool.way === 'direct')
    return warning(
      'pool',
      'DATABASE_POOL_URL points to PostgreSQL itself: connections through it are neither shared nor counted.',
      `${POOL_URL}, or leave it empty`,
    );
  return ok('pool', 'DATABASE_POOL_URL points to a pooler in transaction mode.');
}

function queueFinding(queue: PoolFacts['queue'], server: string | null): Finding {
  if (queue === null) return ok('queue', 'QUEUE_DATABASE_URL is not set: the queue has the connections of the rest.');
  if (queue === 'none') return ok('queue', 'QUEUE_DATABASE_URL is none: this host delivers no webhooks.');
  if ('fault' in queue) return failure('queue', `QUEUE_DATABASE_URL cannot be used: ${queue.fault}.`, QUEUE_URL);
  if (isElsewhere(queue.server, server))
    return failure('queue', 'QUEUE_DATABASE_URL points to another database than DATABASE_URL.', QUEUE_URL);
  if (queue.way === 'transaction')
    return failure('queue', 'QUEUE_DATABASE_URL points to a pooler in transaction mode, which loses session settings.', QUEUE_URL);
  return ok('queue', 'QUEUE_DATABASE_URL points to the database of DATABASE_URL.');
}

function isElsewhere(server: string, wanted: string | null): boolean {
  return wanted !== null && server !== wanted;
}
