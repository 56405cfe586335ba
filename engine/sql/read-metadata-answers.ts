import type { ClientBase } from 'pg';
import type { Metadata } from '../../shared/metadata/answer.js';
import type { StatusMeaning } from '../../shared/metadata/configuration.js';

export interface MetadataAnswerKey {
  readonly resource_type_id: string;
  readonly generation: number;
  readonly item_id: string;
}

/** What stands for an item. Times are milliseconds from now, negative for what has passed: clocks of hosts differ. */
export interface MetadataAnswerRow extends MetadataAnswerKey {
  readonly invalidation: string;
  /** Null where the row only says that the item was invalidated. */
  readonly outcome: 'ok' | 'missing' | null;
  readonly meaning: StatusMeaning | null;
  readonly metadata: Metadata | null;
  readonly fetched_ms: number | null;
  readonly expires_ms: number | null;
  readonly keep_ms: number;
}

/** The rows of these items, in no order; an item nobody has asked for has none. */
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
    values: [keys.map((key) => key.resource_type_id), keys.map((key) => key.generation), keys.map((key) => key.item_id)],
  });
  return rows;
}
