import type pg from 'pg';
import { INVALIDATION_MARK_SECONDS } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { RoundLoop, type RoundLoopStats } from '../database/round-loop.js';
import { ANSWERS_UNWRITTEN_MAX } from './shared-answer-limits.js';
import { rowOfAnswer, sharedKeyText } from './shared-answers.js';
import { storeMetadataAnswers } from './sql.js';
import type { SharedAnswer } from './type-actor.js';

export interface WriteBehindOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: () => number;
}

export interface WriteBehindStats extends RoundLoopStats {
  readonly waiting: number;
  readonly dropped: number;
}

/** The maximum number of answers in one statement. */
const BATCH_MAX = 500;
/**
 * An answer that has waited longer, because the database could not be written to, is not written: its item may have been
 * invalidated since, and the mark that says so may be gone. The limit is a minute shorter, because clocks differ.
 */
const WAIT_MS_MAX = (INVALIDATION_MARK_SECONDS - 60) * 1000;
/** How often the connection is checked while there is nothing to write. */
const IDLE_MS = 30_000;

/** Answers on their way into the database that all engines share. Each is written at once, with those that arrived meanwhile. */
export class WriteBehind {
  readonly #clock: () => number;
  /** By key: of two answers for one item, only the later is written. */
  readonly #answers = new Map<string, SharedAnswer>();
  readonly #loop: RoundLoop;
  #dropped = 0;

  constructor({ clock, ...options }: WriteBehindOptions) {
    this.#clock = clock;
    this.#loop = new RoundLoop({
      ...options,
      part: 'answers written',
      round: (client) => this.#writeAll(client),
      lastRound: async (client) => void (await this.#writeAll(client)),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Writes what there is, once. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  store(answer: SharedAnswer): void {
    const key = sharedKeyText(answer);
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    if (this.#answers.size > ANSWERS_UNWRITTEN_MAX) {
      const [oldest] = this.#answers.keys();
      this.#answers.delete(oldest as string);
      this.#dropped += 1;
    }
    this.#loop.raise();
  }

  stats(): WriteBehindStats {
    return { ...this.#loop.stats(), waiting: this.#answers.size, dropped: this.#dropped };
  }

  /** Drops answers that have waited too long. They stay on the host. */
  #dropOld(nowMs: number): void {
    for (const [key, { answer }] of this.#answers) {
      if (nowMs - answer.fetched_at_ms < WAIT_MS_MAX) continue;
      this.#answers.delete(key);
      this.#dropped += 1;
    }
  }

  async #writeAll(client: pg.Client): Promise<number> {
    while (this.#answers.size > 0) {
      const now = this.#clock();
      this.#dropOld(now);
      const batch = [...this.#answers].slice(0, BATCH_MAX);
      await storeMetadataAnswers(
        client,
        batch.map(([, answer]) => rowOfAnswer(answer, now)),
      );
      // An answer that arrived meanwhile stays.
      for (const [key, answer] of batch) if (this.#answers.get(key) === answer) this.#answers.delete(key);
    }
    return IDLE_MS;
  }
}
