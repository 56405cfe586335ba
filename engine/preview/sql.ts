import type { ClientBase } from 'pg';
import type { Metadata } from '../../shared/metadata/answer.js';
import type { StatusMeaning } from '../../shared/metadata/configuration.js';
import { listedKeysQuery } from '../../shared/resolve/blocklist.js';
import { columnsOf } from '../database/columns.js';
import { FIGURE_COLUMNS, type FigureRow } from './figures.js';

/** Counts of one resource type in one quarter of an hour. */
export interface IntervalFigures extends FigureRow {
  readonly interval_start_ms: number;
}

/** The names are our own columns; nothing in them comes from outside. */
const COLUMNS = FIGURE_COLUMNS.join(', ');
const GIVEN = FIGURE_COLUMNS.map((column) => `coalesce((counts->>'${column}')::bigint, 0)`).join(', ');
const ADDED = FIGURE_COLUMNS.map((column) => `${column} = stored.${column} + excluded.${column}`).join(', ');

/**
 * Adds a batch, in the statement that records its number in the engine's row. A batch that was added before, although the answer
 * was lost, is not added again. Figures of types that are gone are dropped. Rows are written in the order of their keys.
 */
export async function addMetadataFigures(
  client: ClientBase,
  batch: { readonly engineId: string; readonly number: number; readonly figures: readonly IntervalFigures[] },
): Promise<void> {
  await client.query({
    name: 'add_metadata_figures',
    text: `
      WITH noted AS (
        UPDATE engines SET figures_batch = $2 WHERE id = $1 AND figures_batch < $2 RETURNING 1
      )
      INSERT INTO metadata_figures AS stored (resource_type_id, interval_start, ${COLUMNS})
      SELECT given.resource_type_id, to_timestamp(interval_start_ms / 1000), ${GIVEN}
      FROM json_to_recordset($3) AS given (resource_type_id text, interval_start_ms float8, counts json)
      JOIN resource_types ON resource_types.id = given.resource_type_id
      WHERE EXISTS (SELECT FROM noted)
      ORDER BY given.resource_type_id COLLATE "C", interval_start_ms
      ON CONFLICT (resource_type_id, interval_start) DO UPDATE SET ${ADDED}`,
    values: [batch.engineId, batch.number, JSON.stringify(batch.figures)],
  });
}

/** Returns the keys that are on any of the operator's block lists. */
export async function readListedKeys(client: ClientBase, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ key: string }>(listedKeysQuery(keys));
  return new Set(rows.map(({ key }) => key));
}

/** The key of an answer in the database that all engines share. */
export interface MetadataAnswerKey {
  readonly resource_type_id: string;
  readonly generation: number;
  readonly item_id: string;
}

/** What the database has for an item. Times are milliseconds from now, negative for the past, because the clocks of hosts differ. */
export interface MetadataAnswerRow extends MetadataAnswerKey {
  readonly invalidation: string;
  /** Null if the row only records that the item was invalidated. */
  readonly outcome: 'ok' | 'missing' | null;
  readonly meaning: StatusMeaning | null;
  readonly metadata: Metadata | null;
  readonly fetched_ms: number | null;
  readonly expires_ms: number | null;
  readonly keep_ms: number;
}

/** Returns the rows of these items, in no particular order. An item that nobody has asked for has none. */
export async function readMetadataAnswers(client: ClientBase, keys: readonly MetadataAnswerKey[]): Promise<readonly MetadataAnswerRow[]> {
  const { rows } = await client.query<MetadataAnswerRow>({
    name: 'read_metadata_answers',
    text: `
      SELECT answer.resource_type_id, answer.generation, answer.item_id, answer.invalidation::text AS invalidation, answer.outcome,
        answer.meaning, answer.metadata,
        (extract(epoch FROM answer.fetched_at - now()) * 1000)::float8 AS fetched_ms,
        (extract(epoch FROM answer.expires_at - now()) * 1000)::float8 AS expires_ms,
        (extract(epoch FROM answer.keep_until - now()) * 1000)::float8 AS keep_ms
      FROM unnest($1::text[], $2::integer[], $3::text[]) AS asked (resource_type_id, generation, item_id)
      JOIN metadata_answers AS answer USING (resource_type_id, generation, item_id)`,
    values: columnsOf(keys, 'resource_type_id', 'generation', 'item_id'),
  });
  return rows;
}

/** Sends each text to the channel with the same index. */
export async function notifyOwners(client: ClientBase, channels: readonly string[], texts: readonly string[]): Promise<void> {
  await client.query({
    name: 'notify_owners',
    text: 'SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS asked (channel, payload)',
    values: [channels, texts],
  });
}

/** An answer to share. Times are milliseconds from now. */
export interface NewMetadataAnswer extends MetadataAnswerKey {
  /** The item's invalidation count before the API was asked; `0` if there was no row. */
  readonly invalidation: string;
  readonly outcome: 'ok' | 'missing';
  readonly meaning: StatusMeaning | null;
  readonly metadata: Metadata | null;
  readonly fetched_ms: number;
  readonly expires_ms: number;
  readonly keep_ms: number;
}

/**
 * Stores answers, each only if its item was not invalidated since: if there is no row, or the row has the invalidation count that
 * was read before the call and no newer answer. Answers of a resource type that is gone with its project are not stored. No item
 * may be given twice. Rows are written in the order of the ids, as every writer of this table does, so that writers wait for each
 * other but never deadlock.
 *
 * The statement does not wait for the server's disk, because what a crash loses is asked for again. `synchronous_commit` is set
 * for this transaction alone, because the session may be PgBouncer's, which gives it to other clients.
 */
export async function storeMetadataAnswers(client: ClientBase, answers: readonly NewMetadataAnswer[]): Promise<void> {
  await client.query({
    name: 'store_metadata_answers',
    text: `
      INSERT INTO metadata_answers AS stored (resource_type_id, generation, item_id, invalidation, outcome, meaning, metadata,
        fetched_at, expires_at, keep_until)
      SELECT resource_type_id, generation, item_id, invalidation, outcome, meaning, metadata,
        now() + make_interval(secs => fetched_ms / 1000), now() + make_interval(secs => expires_ms / 1000),
        now() + make_interval(secs => keep_ms / 1000)
      FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::json[], $8::float8[], $9::float8[],
        $10::float8[]) AS given (resource_type_id, generation, item_id, invalidation, outcome, meaning, metadata, fetched_ms, expires_ms, keep_ms)
      WHERE EXISTS (SELECT FROM resource_types WHERE resource_types.id = given.resource_type_id)
        AND (SELECT set_config('synchronous_commit', 'off', true)) = 'off'
      ORDER BY resource_type_id COLLATE "C", generation, item_id COLLATE "C"
      ON CONFLICT (resource_type_id, generation, item_id) DO UPDATE SET outcome = excluded.outcome, meaning = excluded.meaning,
        metadata = excluded.metadata, fetched_at = excluded.fetched_at, expires_at = excluded.expires_at, keep_until = excluded.keep_until
      WHERE stored.invalidation = excluded.invalidation AND (stored.fetched_at IS NULL OR stored.fetched_at <= excluded.fetched_at)`,
    values: [
      ...columnsOf(answers, 'resource_type_id', 'generation', 'item_id', 'invalidation', 'outcome', 'meaning'),
      answers.map((answer) => (answer.metadata === null ? null : JSON.stringify(answer.metadata))),
      ...columnsOf(answers, 'fetched_ms', 'expires_ms', 'keep_ms'),
    ],
  });
}
