import type { ClientBase } from 'pg';
import type { Metadata } from '../../shared/metadata/answer.js';
import type { StatusMeaning } from '../../shared/metadata/configuration.js';
import type { MetadataAnswerKey } from './read-metadata-answers.js';

/** An answer to be shared. Times are milliseconds from now. */
export interface NewMetadataAnswer extends MetadataAnswerKey {
  /** The item's number of invalidations before the API was asked; `0` without a row. */
  readonly invalidation: string;
  readonly outcome: 'ok' | 'missing';
  readonly meaning: StatusMeaning | null;
  readonly metadata: Metadata | null;
  readonly fetched_ms: number;
  readonly expires_ms: number;
  readonly keep_ms: number;
}

/**
 * Stores answers, each only where its item was not invalidated since: where there is no row, or one with the number that
 * was read before the call, and no newer answer. No item twice. Written in the order of the ids, as every writer of this
 * table does, so that writers wait for each other and never in a circle.
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
      ORDER BY resource_type_id COLLATE "C", generation, item_id COLLATE "C"
      ON CONFLICT (resource_type_id, generation, item_id) DO UPDATE SET outcome = excluded.outcome, meaning = excluded.meaning,
        metadata = excluded.metadata, fetched_at = excluded.fetched_at, expires_at = excluded.expires_at, keep_until = excluded.keep_until
      WHERE stored.invalidation = excluded.invalidation AND (stored.fetched_at IS NULL OR stored.fetched_at <= excluded.fetched_at)`,
    values: [
      answers.map((answer) => answer.resource_type_id),
      answers.map((answer) => answer.generation),
      answers.map((answer) => answer.item_id),
      answers.map((answer) => answer.invalidation),
      answers.map((answer) => answer.outcome),
      answers.map((answer) => answer.meaning),
      answers.map((answer) => (answer.metadata === null ? null : JSON.stringify(answer.metadata))),
      answers.map((answer) => answer.fetched_ms),
      answers.map((answer) => answer.expires_ms),
      answers.map((answer) => answer.keep_ms),
    ],
  });
}
