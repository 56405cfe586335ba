import type pg from 'pg';
import { withClient } from '../../deploy/local/with-client.js';
import { BENCH_HOST } from './links.js';

/** Rows of one statement. */
const CHUNK = 500_000;
/** Has no common divisor with the sizes of the bench, so that neighbours in the table are far from each other in the index. */
const STRIDE = 7_368_787;

/** `pathOf` in SQL: seven digits of base 36. */
const PATH = [6, 5, 4, 3, 2, 1, 0]
  .map((digit) => `substr('0123456789abcdefghijklmnopqrstuvwxyz', ((n / ${36 ** digit}) % 36 + 1)::integer, 1)`)
  .join(' || ');

/** Rows with what a bootstrap reads: those of the bench's links, in an order that is unrelated to that of their paths. */
const FILL = `
  INSERT INTO links (id, environment_id, path, deep_link_path, destinations, created_at, updated_at)
  SELECT 'lnk_' || lpad(n::text, 26, '0'), $1, ${PATH}, '/item/' || n, ('{"web":"https://destination.example/item/' || n || '"}')::json, now(), now()
  FROM (SELECT $2::bigint + (($3::bigint + step) * ${STRIDE}) % $4::bigint AS n FROM generate_series(0, $5::bigint - 1) AS step) AS numbers`;

const UNIQUE = 'links_environment_id_path_key';

/**
 * Prepares the table for tens of millions of rows in minutes: without the indexes that no engine reads, which would
 * take hours, and without the triggers, which count links.
 */
export async function makeLinkRoom(databaseUrl: string, environmentId: string): Promise<void> {
  await withoutTriggers(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'links'::regclass AND NOT indisunique`,
    );
    for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
    await client.query('ALTER TABLE links SET (autovacuum_enabled = false)');
    await client.query('UPDATE environments SET link_host = $2 WHERE id = $1', [environmentId, BENCH_HOST]);
  });
}

export interface FilledRows {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  onRow(count: number): void;
}

/** Creates the rows of the links `from` to `to`, and the indexes that are read. */
export async function fillLinkRows(databaseUrl: string, environmentId: string, { from, to, onRow }: FilledRows): Promise<void> {
  await withoutTriggers(databaseUrl, async (client) => {
    await client.query(`ALTER TABLE links DROP CONSTRAINT ${UNIQUE}`);
    const size = to - from;
    for (let done = 0; done < size; done += CHUNK) {
      const count = Math.min(CHUNK, size - done);
      await client.query(FILL, [environmentId, from, done, size, count]);
      onRow(from + done + count);
    }
    await client.query(`SET maintenance_work_mem = '1GB'; ALTER TABLE links ADD CONSTRAINT ${UNIQUE} UNIQUE (environment_id, path)`);
    await client.query('VACUUM ANALYZE links');
    await client.query('CHECKPOINT');
  });
}

function withoutTriggers(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await work(client);
  });
}
