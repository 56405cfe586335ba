import type { Answer, Metadata } from './answer.js';
import type { StatusMeaning } from './configuration.js';

/** An answer in the form in which it is cached, in every place. Instants are milliseconds since the epoch. */
export interface RememberedAnswer {
  /** Of the configuration under which it was given. Under any other configuration the answer is useless. */
  readonly generation: number;
  readonly outcome: 'ok' | 'missing';
  readonly meaning: StatusMeaning;
  /** Null if the item is missing. */
  readonly metadata: Metadata | null;
  readonly fetched_at_ms: number;
  /** The end of its TTL. After it, the API is asked again. */
  readonly expires_at_ms: number;
  /** The end of its use. Until then, it is used when the API fails. */
  readonly keep_until_ms: number;
}

/** Returns the answer in the form from which a card is made. */
export function answerOf({ outcome, meaning, metadata }: Pick<RememberedAnswer, 'outcome' | 'meaning' | 'metadata'>): Answer {
  return { outcome, reason: null, status: null, metadata, meaning, warnings: [], issues: [] };
}
