import type { Answer, Metadata } from './answer.js';
import type { StatusMeaning } from './configuration.js';

/** An answer as it is remembered, wherever it is. Instants are milliseconds since the epoch. */
export interface RememberedAnswer {
  /** Of the configuration under which it was given: under another one it is worth nothing. */
  readonly generation: number;
  readonly outcome: 'ok' | 'missing';
  readonly meaning: StatusMeaning;
  /** Null where the item is missing. */
  readonly metadata: Metadata | null;
  readonly fetched_at_ms: number;
  /** The end of its TTL: past it the API is asked again. */
  readonly expires_at_ms: number;
  /** The end of its use: until then it stands in for an API that fails. */
  readonly keep_until_ms: number;
}

/** The answer as a card is made from it. */
export function answerOf({ outcome, meaning, metadata }: Pick<RememberedAnswer, 'outcome' | 'meaning' | 'metadata'>): Answer {
  return { outcome, reason: null, status: null, metadata, meaning, warnings: [], issues: [] };
}
