import type { ClientBase } from 'pg';
import type { EnvironmentName } from '../../shared/records/records.js';
import { columnsOf } from '../database/columns.js';

/** Clicks of a batch that belong to one shard of the environments. */
export interface ClickBatchRow {
  readonly shard: number;
  readonly clicks: number;
  /** Times of the first and the last click. */
  readonly from_at_ms: number;
  readonly to_at_ms: number;
}

/** Records, in the transaction that stores the clicks, that they are there to be counted. */
export async function addClickBatch(client: ClientBase, batchId: string, rows: readonly ClickBatchRow[]): Promise<void> {
  await client.query({
    name: 'add_click_batch',
    text: `INSERT INTO click_batches (batch_id, shard, clicks, from_at, to_at)
           SELECT $1, shard, clicks, from_at, to_at
           FROM unnest($2::smallint[], $3::integer[], $4::timestamptz[], $5::timestamptz[]) AS given (shard, clicks, from_at, to_at)`,
    values: [
      batchId,
      ...columnsOf(rows, 'shard', 'clicks'),
      rows.map(({ from_at_ms }) => new Date(from_at_ms)),
      rows.map(({ to_at_ms }) => new Date(to_at_ms)),
    ],
  });
}

/**
 * Like `addClickBatch`, for clicks that are not counted: it only lets readers of the stream of clicks find the batch. If part
 * of the batch was added before, because one of its segments could not be read then, readers read the whole batch again.
 */
export async function addUncountedBatch(client: ClientBase, batchId: string, rows: readonly ClickBatchRow[]): Promise<void> {
  await client.query({
    name: 'add_uncounted_batch',
    text: `INSERT INTO click_log_batches AS part (batch_id, shards, from_at, to_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (batch_id) DO UPDATE
           SET shards = ARRAY(SELECT DISTINCT unnest(part.shards || excluded.shards)),
             from_at = least(part.from_at, excluded.from_at),
             to_at = greatest(part.to_at, excluded.to_at),
             xid = excluded.xid,
             stored_at = excluded.stored_at`,
    values: [
      batchId,
      rows.map(({ shard }) => shard),
      new Date(Math.min(...rows.map(({ from_at_ms }) => from_at_ms))),
      new Date(Math.max(...rows.map(({ to_at_ms }) => to_at_ms))),
    ],
  });
}

export interface HashKeysRow {
  /** `2026-11-20` */
  readonly day: string;
  readonly visitor_key: Buffer;
  readonly address_key: Buffer;
}

/** Proposes keys for days. A day that has keys keeps them, so that all shippers of all hosts use the same keys. */
export async function addHashKeys(client: ClientBase, proposed: readonly HashKeysRow[]): Promise<void> {
  await client.query({
    name: 'add_hash_keys',
    text: `
      INSERT INTO hash_keys (day, visitor_key, address_key)
      SELECT day, visitor_key, address_key
      FROM unnest($1::date[], $2::bytea[], $3::bytea[]) AS given (day, visitor_key, address_key)
      ORDER BY day
      ON CONFLICT (day) DO NOTHING`,
    values: columnsOf(proposed, 'day', 'visitor_key', 'address_key'),
  });
}

/**
 * Creates missing partitions for the days (`2026-11-20`, UTC). Must run in its own transaction, because creating one locks the
 * whole table for a moment.
 */
export async function ensureDayPartitions(
  client: ClientBase,
  table: 'clicks' | 'open_clicks' | 'click_devices' | 'events' | 'webhook_deliveries',
  days: readonly string[],
): Promise<void> {
  await client.query({
    name: 'ensure_day_partitions',
    text: 'SELECT ensure_day_partition($1, day) FROM unnest($2::date[]) AS day',
    values: [table, days],
  });
}

/** Returns a number for the clicks of one transaction, larger than those given out before. */
export async function nextClickBatch(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ batch_id: string }>({
    name: 'next_click_batch',
    text: `SELECT nextval(pg_get_serial_sequence('click_batches', 'batch_id')) AS batch_id`,
  });
  return rows[0]?.batch_id as string;
}

export interface ClickEnvironmentRow {
  readonly number: number;
  readonly id: string;
  readonly name: EnvironmentName;
  readonly time_zone: string;
}

/** Returns those of the environments that were deleted with their project. */
export async function readErasedEnvironments(client: ClientBase, numbers: readonly number[]): Promise<readonly number[]> {
  const { rows } = await client.query<{ number: number }>({
    name: 'read_erased_environments',
    text: 'SELECT number FROM erased_environments WHERE number = ANY ($1::integer[])',
    values: [numbers],
  });
  return rows.map(({ number }) => number);
}

/** Returns what the shipper needs of the environments with these numbers. */
export async function readClickEnvironments(client: ClientBase, numbers: readonly number[]): Promise<readonly ClickEnvironmentRow[]> {
  const { rows } = await client.query<ClickEnvironmentRow>({
    name: 'read_click_environments',
    text: `
      SELECT environment.number, environment.id, environment.name, project.time_zone
      FROM environments AS environment
      JOIN projects AS project ON project.id = environment.project_id
      WHERE environment.number = ANY ($1::integer[])`,
    values: [numbers],
  });
  return rows;
}

/** A subscriber to `click.created`: an active endpoint, or a client that is currently listing events. */
export interface ClickSubscriber {
  /** Number of the environment. */
  readonly number: number;
  /** Null for a client that lists events. It is sent nothing; the events are only stored. */
  readonly webhook_id: string | null;
  /** The endpoint's deliveries of clicks that are not yet finished. */
  readonly queued: number;
}

/** Returns the subscribers of the environments with these numbers. */
export async function readClickSubscribers(client: ClientBase, numbers: readonly number[]): Promise<readonly ClickSubscriber[]> {
  const { rows } = await client.query<ClickSubscriber>({
    name: 'read_click_subscribers',
    text: `
      SELECT environment.number, endpoint.id AS webhook_id, coalesce(backlog.queued, 0)::float8 AS queued
      FROM webhook_endpoints AS endpoint
      JOIN environments AS environment ON environment.id = endpoint.environment_id
      LEFT JOIN webhook_backlogs AS backlog ON backlog.webhook_id = endpoint.id
      WHERE environment.number = ANY ($1::integer[]) AND endpoint.status = 'active' AND 'click.created' = ANY (endpoint.events)
      UNION ALL
      SELECT environment.number, NULL, 0
      FROM click_listeners AS listener
      JOIN environments AS environment ON environment.id = listener.environment_id
      WHERE environment.number = ANY ($1::integer[]) AND listener.until > statement_timestamp()`,
    values: [numbers],
  });
  return rows;
}

/** Returns the keys of those of the days that have keys. */
export async function readHashKeys(client: ClientBase, days: readonly string[]): Promise<readonly HashKeysRow[]> {
  const { rows } = await client.query<HashKeysRow>({
    name: 'read_hash_keys',
    text: 'SELECT day::text AS day, visitor_key, address_key FROM hash_keys WHERE day = ANY ($1::date[])',
    values: [days],
  });
  return rows;
}

export interface UserAgentRow {
  /** The value of `clicks.user_agent_hash`. */
  readonly user_agent_hash: string;
  readonly user_agent: string;
  /** Day of the latest click, `2026-11-20`, UTC. */
  readonly last_day: string;
}

/**
 * Stores the texts behind the hashes of user agents, in the transaction that stores their clicks. Rows are written in the order
 * of their hashes, so that shippers cannot deadlock.
 */
export async function rememberUserAgents(client: ClientBase, rows: readonly UserAgentRow[]): Promise<void> {
  await client.query({
    name: 'remember_user_agents',
    text: `
      INSERT INTO user_agents AS known (user_agent_hash, user_agent, last_day)
      SELECT hash, text, day FROM unnest($1::bigint[], $2::text[], $3::date[]) AS given (hash, text, day) ORDER BY hash
      ON CONFLICT (user_agent_hash) DO UPDATE SET last_day = excluded.last_day WHERE known.last_day < excluded.last_day`,
    values: columnsOf(rows, 'user_agent_hash', 'user_agent', 'last_day'),
  });
}
