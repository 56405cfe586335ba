import pg from 'pg';
import { createFlusher, type Flusher, type FlusherSettings } from '../../engine/spool/flusher.js';
import { newId } from '../../shared/base/ids.js';
import { createLogger } from '../../shared/base/log.js';

/** A project with its live environment; answers the environment's number and id. */
export async function makeEnvironment(client: pg.ClientBase, timeZone = 'UTC'): Promise<{ number: number; id: string }> {
  const project = newId('project');
  const id = newId('environment');
  await client.query('INSERT INTO projects (id, name, time_zone) VALUES ($1, $2, $3)', [project, 'Test', timeZone]);
  const { rows } = await client.query<{ number: number }>(
    `INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ($1, $2, 'live', $3, $4) RETURNING number`,
    [id, project, `${id}.localhost`, `open.${id}.localhost`],
  );
  return { id, number: rows[0]?.number as number };
}

/** An active endpoint of the environment that wants these events. */
export async function makeEndpoint(client: pg.ClientBase, environmentId: string, events: readonly string[]): Promise<string> {
  const id = newId('webhook');
  await client.query(
    `INSERT INTO webhook_endpoints (id, environment_id, url, events, secret, created_at, updated_at)
     VALUES ($1, $2, 'https://hooks.example.com/', $3, '\\x00', now(), now())`,
    [id, environmentId, events],
  );
  return id;
}

export function makeFlusher(settings: Pick<FlusherSettings, 'databaseUrl' | 'dir'> & Partial<FlusherSettings>): Flusher {
  return createFlusher({ clock: Date.now, logger: createLogger('test', 'silent'), ...settings });
}

export async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A test that ends its own connections by force expects this.
  client.on('error', () => {});
  await client.connect();
  return client;
}

export async function countClicks(client: pg.ClientBase): Promise<{ rows: number; ids: number; paths: number }> {
  const { rows } = await client.query<{ rows: number; ids: number; paths: number }>(
    'SELECT count(*)::integer AS rows, count(DISTINCT id)::integer AS ids, count(DISTINCT path)::integer AS paths FROM clicks',
  );
  return rows[0] as { rows: number; ids: number; paths: number };
}
