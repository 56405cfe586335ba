import { join } from 'node:path';
import type { Logger } from '../../shared/base/log.js';
import { decodeRecord } from '../../shared/feed/codec.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import { answersFolder } from './copies.js';
import { type OpenEnvironment, openEnvironment, type RootEnvironment, type StoreEnvironment } from './environment.js';
import { NO_GENERATION, readPointer, reportDamage } from './generations.js';
import { readNumber, speaksOurCodec } from './keys.js';

/**
 * Answers of metadata APIs, shared by the processes of one host: an LMDB environment of its own below `DATA_DIR/answers`, laid
 * out like that of the configuration. `background` writes, redirect processes read. It is only a cache: bounded, discarded on
 * any error and at every reboot, and everything in it can be requested again.
 *
 * Answers are in two spaces, one of which is being filled. When it is full, the other one is emptied and filled instead.
 * Answers that are requested meanwhile are written again; the rest goes with its space. An answer is in at most one space.
 */
export const ANSWER_SPACES = ['first', 'second'] as const;
export type AnswerSpace = (typeof ANSWER_SPACES)[number];

/** Counts the transactions that removed answers early, as decimal text. */
export const EPOCH_KEY = 'm/epoch';

export function answerKey(resourceTypeId: string, itemId: string): string {
  return `${resourceTypeId}/${itemId}`;
}

/** An answer with the bytes it was stored as, so that a later read can tell whether they have changed. */
export interface StoredAnswer {
  readonly bytes: Buffer;
  readonly answer: RememberedAnswer;
}

/** A redirect process's view. No call throws, whatever happened to the store. */
export interface AnswerReader {
  /**
   * Returns what is stored under the key now: an answer is no longer returned after its removal was committed. If the bytes are
   * still those of `known`, returns that same object.
   */
  find(key: string, known?: StoredAnswer): StoredAnswer | undefined;
  /** A number that changes whenever answers were removed early; null while there is no store. */
  epoch(): number | null;
  stats(): { readonly open: boolean; readonly damages: number };
  close(): Promise<void>;
}

/** How old what was read from `CURRENT` may be, in milliseconds. */
export const ANSWERS_REFRESH_MS = 5;
/** How long to wait before opening a store again that could not be opened. */
const REOPEN_MS = 1000;

interface OpenAnswers {
  readonly name: string;
  readonly handle: OpenEnvironment;
  readonly spaces: readonly StoreEnvironment[];
}

/** `now` returns monotonic milliseconds. */
export function openAnswerReader(dataDir: string, log: Logger, now: () => number = () => performance.now()): AnswerReader {
  return new LmdbAnswerReader(answersFolder(dataDir), log, now);
}

class LmdbAnswerReader implements AnswerReader {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #now: () => number;
  #open: OpenAnswers | null = null;
  #nextRefreshMs = Number.NEGATIVE_INFINITY;
  #damages = 0;
  #distrusted: string | null = null;

  constructor(folder: string, log: Logger, now: () => number) {
    this.#folder = folder;
    this.#log = log;
    this.#now = now;
  }

  find(key: string, known?: StoredAnswer): StoredAnswer | undefined {
    return this.#read((open) => {
      for (const space of open.spaces) {
        const bytes = space.getBinaryFast(key);
        if (bytes === undefined) continue;
        if (known !== undefined && known.bytes.length === bytes.length && known.bytes.equals(bytes.subarray(0, bytes.length))) return known;
        const answer = decodeRecord<RememberedAnswer>(key, bytes, bytes.length);
        if (answer !== null) return { bytes: Buffer.from(bytes.subarray(0, bytes.length)), answer };
        this.#distrust(open, 'an answer is damaged');
      }
      return undefined;
    });
  }

  epoch(): number | null {
    return this.#read((open) => readNumber(open.handle.environment, EPOCH_KEY)) ?? null;
  }

  stats(): { readonly open: boolean; readonly damages: number } {
    return { open: this.#open !== null, damages: this.#damages };
  }

  async close(): Promise<void> {
    this.#nextRefreshMs = Number.POSITIVE_INFINITY;
    const open = this.#open;
    this.#open = null;
    await open?.handle.close();
  }

  /** lmdb keeps one snapshot for some milliseconds. Here every read takes the latest one, which costs 0.7 µs. */
  #read<Value>(look: (open: OpenAnswers) => Value): Value | undefined {
    if (this.#now() >= this.#nextRefreshMs) this.#refresh();
    const open = this.#open;
    if (open === null) return undefined;
    try {
      open.handle.environment.resetReadTxn();
      return look(open);
    } catch (error) {
      this.#distrust(open, String(error));
      this.#drop(open);
      return undefined;
    }
  }

  #refresh(): void {
    if (this.#nextRefreshMs === Number.POSITIVE_INFINITY) return;
    this.#nextRefreshMs = this.#now() + ANSWERS_REFRESH_MS;
    try {
      const name = readPointer(this.#folder);
      if (name === (this.#open?.name ?? null)) return;
      if (this.#open !== null) this.#drop(this.#open);
      if (name !== null && name !== NO_GENERATION) this.#openNamed(name);
    } catch (error) {
      this.#log.error({ code: 'answer_store_unopenable', err: error }, 'the store of answers cannot be opened');
      this.#nextRefreshMs = this.#now() + REOPEN_MS;
    }
  }

  #openNamed(name: string): void {
    const handle = openEnvironment(join(this.#folder, name), 'read');
    try {
      if (speaksOurCodec(handle.environment)) {
        this.#open = { name, handle, spaces: ANSWER_SPACES.map((space) => openSpace(handle.environment, space)) };
        return;
      }
      this.#log.warn({ code: 'answer_store_codec_differs', name }, 'the store of answers is written in another codec');
      this.#nextRefreshMs = this.#now() + REOPEN_MS;
    } finally {
      if (this.#open === null) releaseAnswers(handle, this.#log);
    }
  }

  #drop(open: OpenAnswers): void {
    this.#open = null;
    releaseAnswers(open.handle, this.#log);
  }

  /** Reports the store to the writer, which discards it. Once per store. */
  #distrust(open: OpenAnswers, reason: string): void {
    this.#damages += 1;
    if (this.#distrusted === open.name) return;
    this.#distrusted = open.name;
    this.#log.error({ code: 'answer_store_damaged', name: open.name, reason }, 'the store of answers is damaged');
    try {
      reportDamage(this.#folder, open.name, reason);
    } catch (error) {
      this.#log.error({ code: 'damage_unreported', err: error }, 'the damage could not be reported');
    }
  }
}

/** One of the two spaces, in an environment that has them. */
export function openSpace(environment: RootEnvironment, space: AnswerSpace): StoreEnvironment {
  return environment.openDB({ name: space, encoding: 'binary' });
}

/** Closes a store of answers without waiting for it. */
export function releaseAnswers(handle: OpenEnvironment, log: Logger): void {
  handle
    .close()
    .catch((error: unknown) => log.error({ code: 'answer_store_close_failed', err: error }, 'the store of answers did not close'));
}
