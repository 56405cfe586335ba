import type { Answer } from '../../shared/metadata/answer.js';
import type { StatusMeaning } from '../../shared/metadata/configuration.js';
import { answerOf, type RememberedAnswer } from '../../shared/metadata/remembered.js';
import type { Queryable } from '../db/database.js';

/** An answer from the cache that all engines share, which may still be used. */
export interface SharedAnswer {
  readonly answer: Answer;
  /** Whether it is within its TTL. */
  readonly fresh: boolean;
  readonly fetched_at: Date;
  readonly expires_at: Date;
}

interface AnswerRow extends Pick<RememberedAnswer, 'outcome' | 'metadata'>, Omit<SharedAnswer, 'answer'> {
  readonly meaning: StatusMeaning | null;
}

/** The remembered answer for the item under the current configuration; null if there is none, or none that may be used. */
export async function readRemembered(
  database: Queryable,
  api: { readonly resource_type_id: string; readonly generation: number },
  itemId: string,
): Promise<SharedAnswer | null> {
  const { rows } = await database.query<AnswerRow>({
    name: 'read_metadata_answer',
    text: `SELECT outcome, meaning, metadata, expires_at > now() AS fresh, fetched_at, expires_at
           FROM metadata_answers
           WHERE resource_type_id = $1 AND generation = $2 AND item_id = $3 AND outcome IS NOT NULL AND keep_until > now()`,
    values: [api.resource_type_id, api.generation, itemId],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const { outcome, meaning, metadata, fresh, fetched_at, expires_at } = row;
  return { answer: answerOf({ outcome, meaning: meaning ?? 'published', metadata }), fresh, fetched_at, expires_at };
}
