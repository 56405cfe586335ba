import type { Later } from '../../shared/base/later.js';
import { SHARED_ANSWER_DEADLINE_MS, SHARED_ANSWER_WARY_DEADLINE_MS } from '../../shared/base/limits.js';
import { metadataOf } from '../../shared/metadata/answer.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import { LookupUnavailableError } from '../sql/lookup-connection.js';
import type { MetadataAnswerRow } from '../sql/read-metadata-answers.js';
import type { NewMetadataAnswer } from '../sql/store-metadata-answers.js';
import { Patience } from '../store/patience.js';
import type { SharedAnswer, SharedKey, SharedReading } from './type-actor.js';

/** What the reader needs of its connection. */
export interface AnswerLookup {
  readonly isAway: () => boolean;
  /** Rejects with `LookupUnavailableError` where the database could not be asked. */
  read(keys: readonly SharedKey[]): Promise<readonly MetadataAnswerRow[]>;
}

export interface SharedAnswersOptions {
  readonly lookup: AnswerLookup;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly later?: Later;
}

export interface SharedAnswersStats {
  readonly asked: number;
  readonly found: number;
  /** Questions that were given up, or could not be put. */
  readonly unread: number;
}

interface Reading {
  readonly key: SharedKey;
  settle(row: SharedReading): void;
}

/** Items of one statement. */
const BATCH_MAX = 500;

const UNREAD: SharedReading = { kind: 'unread' };

/**
 * Reads from the answers that all engines share. One statement is under way at a time, for everything that was asked for
 * while the one before it was: a flood of items costs a few statements, not one for each.
 */
export class SharedAnswers {
  readonly #options: SharedAnswersOptions;
  readonly #patience: Patience;
  readonly #waiting: Reading[] = [];
  #reading = false;
  readonly #counts = { asked: 0, found: 0, unread: 0 };

  constructor(options: SharedAnswersOptions) {
    this.#options = options;
    this.#patience = new Patience({
      patientMs: SHARED_ANSWER_DEADLINE_MS,
      waryMs: SHARED_ANSWER_WARY_DEADLINE_MS,
      ...(options.later === undefined ? {} : { later: options.later }),
    });
  }

  /** What stands for the item. Never rejects; `unread` where the database is away or takes longer than it may. */
  read(key: SharedKey): Promise<SharedReading> {
    this.#counts.asked += 1;
    if (this.#options.lookup.isAway()) {
      this.#counts.unread += 1;
      return Promise.resolve(UNREAD);
    }
    return new Promise((resolve) => {
      let open = true;
      const end = this.#patience.begin(() => settle(UNREAD));
      const settle = (reading: SharedReading): void => {
        if (!open) return;
        open = false;
        end();
        if (reading.kind === 'unread') this.#counts.unread += 1;
        else if (reading.answer !== null) this.#counts.found += 1;
        resolve(reading);
      };
      this.#waiting.push({ key, settle });
      if (!this.#reading) void this.#readAll();
    });
  }

  stats(): SharedAnswersStats {
    return { ...this.#counts };
  }

  async #readAll(): Promise<void> {
    this.#reading = true;
    // What is asked for in the same turn goes into the first statement.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#readBatch(this.#waiting.splice(0, BATCH_MAX));
    this.#reading = false;
  }

  async #readBatch(batch: readonly Reading[]): Promise<void> {
    const { lookup, now, clock } = this.#options;
    const startedAt = now();
    let rows: readonly MetadataAnswerRow[];
    try {
      rows = await lookup.read(batch.map(({ key }) => key));
    } catch (error) {
      if (!(error instanceof LookupUnavailableError)) throw error;
      for (const { settle } of batch) settle(UNREAD);
      return;
    }
    this.#patience.answered(now() - startedAt);
    const found = new Map(rows.map((row) => [sharedKeyText(row), row]));
    for (const { key, settle } of batch) {
      const row = found.get(sharedKeyText(key));
      settle({ kind: 'read', invalidation: row?.invalidation ?? '0', answer: row === undefined ? null : answerOfRow(row, clock()) });
    }
  }
}

/** The key as one text. */
export function sharedKeyText({ resource_type_id, generation, item_id }: SharedKey): string {
  return `${resource_type_id}/${generation}/${item_id}`;
}

/** The answer in the row, by this host's clock; null where the row says only that there was an invalidation. */
function answerOfRow(row: MetadataAnswerRow, nowMs: number): RememberedAnswer | null {
  const { generation, outcome, meaning, metadata, fetched_ms, expires_ms, keep_ms } = row;
  if (outcome === null || fetched_ms === null || expires_ms === null) return null;
  return {
    generation,
    outcome,
    meaning: meaning ?? 'published',
    metadata: metadata === null ? null : metadataOf((field) => metadata[field] ?? null),
    fetched_at_ms: nowMs + Math.round(fetched_ms),
    expires_at_ms: nowMs + Math.round(expires_ms),
    keep_until_ms: nowMs + Math.round(keep_ms),
  };
}

/** The row to be written for an answer, by the database's clock. */
export function rowOfAnswer({ answer, ...key }: SharedAnswer, nowMs: number): NewMetadataAnswer {
  const { outcome, meaning, metadata, fetched_at_ms, expires_at_ms, keep_until_ms } = answer;
  return {
    ...key,
    outcome,
    meaning: outcome === 'ok' ? meaning : null,
    metadata,
    fetched_ms: fetched_at_ms - nowMs,
    expires_ms: expires_at_ms - nowMs,
    keep_ms: keep_until_ms - nowMs,
  };
}
