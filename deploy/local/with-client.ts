import type pg from 'pg';
import { clientClass } from '../../shared/net/pooled-client.js';

/** Runs `work` on a separate connection. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new (clientClass(url))({ connectionString: url });
  client.on('error', () => undefined); // the current statement, or the next one, fails
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
