import { withClient } from '../../deploy/local/with-client.js';
import { serverUrl } from './database.js';
import { until } from './until.js';

/**
 * Counts the transactions in the database, as PostgreSQL counts them. A backend adds its own to the counters some time
 * later and when it ends, so all clients' backends are ended first; pools open others when they need them.
 */
export function countTransactions(databaseUrl: string): Promise<number> {
  const database = new URL(databaseUrl).pathname.slice(1);
  return withClient(serverUrl(), async (client) => {
    const ofClients = "FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'";
    await client.query(`SELECT pg_terminate_backend(pid) ${ofClients}`, [database]);
    await until(async () => (await client.query(`SELECT 1 ${ofClients}`, [database])).rowCount === 0);
    const { rows } = await client.query('SELECT (xact_commit + xact_rollback)::integer AS count FROM pg_stat_database WHERE datname = $1', [
      database,
    ]);
    return rows[0].count;
  });
}
