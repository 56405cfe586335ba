import type { Scheduler } from '../../shared/base/scheduler.js';
import { metadataOf } from '../../shared/metadata/answer.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import { blocklistKeys } from '../../shared/resolve/blocklist.js';
import { AdaptiveTimeout, CallbackWait } from '../database/adaptive-timeout.js';
import { LookupUnavailableError } from '../database/lookup-connection.js';
import { SHARED_ANSWER_DEADLINE_MS, SHARED_ANSWER_ROUND_TRIP_MS_MAX, SHARED_ANSWER_SHORT_DEADLINE_MS } from './shared-answer-limits.js';
import type { MetadataAnswerKey, MetadataAnswerRow, NewMetadataAnswer } from './sql.js';
import type { SharedAnswer, SharedReading } from './type-actor.js';

/** What the reader needs of its connection. */
export interface AnswerLookup {
  readonly isAway: () => boolean;
  /** Rejects with `LookupUnavailableError` if the database could not be queried. */
  read(keys: readonly MetadataAnswerKey[]): Promise<readonly MetadataAnswerRow[]>;
  /** Returns the keys that are on a block list. Rejects likewise. */
  readListed(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface SharedAnswersOptions {
  readonly lookup: AnswerLookup;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule?: Scheduler;
}

export interface SharedAnswersStats {
  readonly found: number;
  /** Questions that were given up or could not be sent. */
  readonly unread: number;
}

interface Reading {
  readonly key: MetadataAnswerKey;
  settle(row: SharedReading): void;
}

/** A question about the block list. Settled once. */
interface Judging {
  readonly keys: readonly string[];
  settle(listed: ReadonlySet<string>): void;
  fail(error: unknown): void;
}

/** The maximum number of items in one statement. */
const BATCH_MAX = 500;

const UNREAD: SharedReading = { kind: 'unread' };
const NONE_LISTED: ReadonlySet<string> = new Set();

/**
 * Reads the answers that all engines share, and the block list. One statement of each kind is under way at a time, for everything that
 * was requested during the previous one. So a flood of items costs a few statements, not one for each.
 */
export class SharedAnswers {
  readonly #options: SharedAnswersOptions;
  readonly #timeout: AdaptiveTimeout;
  readonly #waiting: Reading[] = [];
  #reading = false;
  readonly #judged: Judging[] = [];
  #judging = false;
  readonly #counts = { found: 0, unread: 0 };

  constructor(options: SharedAnswersOptions) {
    this.#options = options;
    this.#timeout = new AdaptiveTimeout({
      longMs: SHARED_ANSWER_DEADLINE_MS,
      shortMs: SHARED_ANSWER_SHORT_DEADLINE_MS,
      roundTripMsMax: SHARED_ANSWER_ROUND_TRIP_MS_MAX,
      now: options.now,
      ...(options.schedule === undefined ? {} : { schedule: options.schedule }),
    });
  }

  /** Reads what the database has for the item. Never rejects; `unread` if the database is away or takes too long. */
  read(key: MetadataAnswerKey): Promise<SharedReading> {
    if (this.#options.lookup.isAway()) {
      this.#counts.unread += 1;
      return Promise.resolve(UNREAD);
    }
    return new Promise((resolve) => {
      let open = true;
      const wait = new CallbackWait(() => settle(UNREAD));
      this.#timeout.begin(wait);
      const settle = (reading: SharedReading): void => {
        if (!open) return;
        open = false;
        this.#timeout.end(wait);
        if (reading.kind === 'unread') this.#counts.unread += 1;
        else if (reading.answer !== null) this.#counts.found += 1;
        resolve(reading);
      };
      this.#waiting.push({ key, settle });
      if (!this.#reading) void this.#readAll();
    });
  }

  /** Returns the URLs that are on a block list. Never rejects; returns none if the database is away or takes too long. */
  async listedUrls(urls: readonly string[]): Promise<ReadonlySet<string>> {
    const keysOf = new Map(urls.map((url) => [url, blocklistKeys(url)]));
    const keys = [...new Set([...keysOf.values()].flat())];
    if (keys.length === 0 || this.#options.lookup.isAway()) return NONE_LISTED;
    const listed = await this.#listedOf(keys);
    return new Set(urls.filter((url) => keysOf.get(url)?.some((key) => listed.has(key))));
  }

  #listedOf(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return new Promise((resolve, reject) => {
      const wait = new CallbackWait(() => resolve(NONE_LISTED));
      this.#timeout.begin(wait);
      const ended = <Value>(settle: (value: Value) => void) => {
        return (value: Value) => {
          this.#timeout.end(wait);
          settle(value);
        };
      };
      this.#judged.push({ keys, settle: ended(resolve), fail: ended(reject) });
      if (!this.#judging) void this.#judgeAll();
    });
  }

  stats(): SharedAnswersStats {
    return { ...this.#counts };
  }

  async #readAll(): Promise<void> {
    this.#reading = true;
    // What is requested in the same turn goes into the first statement.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#readBatch(this.#waiting.splice(0, BATCH_MAX));
    this.#reading = false;
  }

  async #judgeAll(): Promise<void> {
    this.#judging = true;
    await Promise.resolve();
    while (this.#judged.length > 0) await this.#judgeBatch(this.#judged.splice(0, BATCH_MAX));
    this.#judging = false;
  }

  async #judgeBatch(batch: readonly Judging[]): Promise<void> {
    const { lookup, now } = this.#options;
    const startedAt = now();
    try {
      const listed = await lookup.readListed([...new Set(batch.flatMap(({ keys }) => keys))]);
      this.#timeout.answered(now() - startedAt);
      for (const { settle } of batch) settle(listed);
    } catch (error) {
      if (error instanceof LookupUnavailableError) for (const { settle } of batch) settle(NONE_LISTED);
      else for (const { fail } of batch) fail(error);
    }
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
    this.#timeout.answered(now() - startedAt);
    const found = new Map(rows.map((row) => [sharedKeyText(row), row]));
    for (const { key, settle } of batch) {
      const row = found.get(sharedKeyText(key));
      settle({ kind: 'read', invalidation: row?.invalidation ?? '0', answer: row === undefined ? null : answerOfRow(row, clock()) });
    }
  }
}

/** Returns the key as one string. */
export function sharedKeyText({ resource_type_id, generation, item_id }: MetadataAnswerKey): string {
  return `${resource_type_id}/${generation}/${item_id}`;
}

/** Returns the answer in the row, by this host's clock; null if the row only records an invalidation. */
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

/** Returns the row to write for an answer. Its times are relative to now, so that they follow the database's clock. */
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
