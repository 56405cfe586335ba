import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { newId } from '../../shared/base/ids.js';
import { parseSecretKeys, seal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { buildEvent, eventColumns } from '../../shared/webhooks/body.js';
import { sampleData } from '../../shared/webhooks/samples.js';
import { makeProject, withPostgres } from '../load/rest-service.js';

export const BENCH_SECRETS_KEYS = `bench:${Buffer.alloc(32, 3).toString('base64')}`;

/** A PostgreSQL of its own, as durable as an operator's, with one project. */
export interface BenchQueue {
  readonly url: string;
  readonly pool: pg.Pool;
  /** The project's live environment, to which the events belong. */
  readonly environmentId: string;
  addEndpoints(origin: string, count: number): Promise<void>;
  /** Emits events with `insert_events`, in one transaction. Returns their ids. */
  emit(count: number): Promise<readonly string[]>;
  /** Returns the number of deliveries that are not finished. */
  queued(): Promise<number>;
}

export function withQueue<Result>(work: (queue: BenchQueue) => Promise<Result>): Promise<Result> {
  return withPostgres(async (postgres) => {
    const url = postgres.url();
    const { environmentId } = await makeProject(url);
    const pool = new pg.Pool({ connectionString: url, max: 8 });
    // `end()` does not wait for the last connection to be closed, and the server, which stops next, reports that to it.
    pool.on('error', () => {});
    try {
      return await work({
        url,
        pool,
        environmentId,
        addEndpoints: (origin, count) => addEndpoints(pool, environmentId, origin, count),
        emit: (count) => emit(pool, environmentId, count),
        async queued() {
          const { rows } = await pool.query<{ count: number }>(
            'SELECT count(*)::integer AS count FROM webhook_deliveries WHERE due_at IS NOT NULL',
          );
          return rows[0]?.count ?? 0;
        },
      });
    } finally {
      await pool.end();
    }
  });
}

async function addEndpoints(pool: pg.Pool, environmentId: string, origin: string, count: number): Promise<void> {
  const secretKeys = parseSecretKeys(BENCH_SECRETS_KEYS);
  for (let index = 0; index < count; index++) {
    const id = newId('webhook');
    const sealed = seal(secretKeys, webhookSecretPlace(id), `whsec_${randomBytes(24).toString('base64url')}`);
    await pool.query(
      `INSERT INTO webhook_endpoints (id, environment_id, url, events, secret, created_at, updated_at)
       VALUES ($1, $2, $3, '{link.created}', $4, now(), now())`,
      [id, environmentId, `${origin}/hook/${index}`, sealed],
    );
  }
}

async function emit(pool: pg.Pool, environmentId: string, count: number): Promise<readonly string[]> {
  const atMs = Date.now();
  const data = sampleData('link.created', 'live', atMs) as Parameters<typeof buildEvent<'link.created'>>[2];
  const origin = { environment_id: environmentId, environment: 'live', at_ms: atMs } as const;
  const events = Array.from({ length: count }, () => buildEvent(origin, 'link.created', data));
  await pool.query({ name: 'emit', text: 'SELECT insert_events($1, $2, $3, $4, $5)', values: eventColumns(events) });
  return events.map((event) => event.id);
}
