import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../shared/base/clock.js';
import { ANSWER_STORE_BYTES_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { currentBoot } from '../../shared/base/process-identity.js';
import { decodeRecord, encodeRecord } from '../../shared/feed/codec.js';
import type { RememberedAnswer } from '../../shared/metadata/remembered.js';
import { ANSWER_SPACES, type AnswerSpace, EPOCH_KEY, openSpace, releaseAnswers } from './answer-store.js';
import { answersFolder } from './copies.js';
import { type OpenEnvironment, openEnvironment, type RootEnvironment, type StoreEnvironment, writeTransaction } from './environment.js';
import {
  makeStoreFolder,
  newGenerationName,
  readPointer,
  removeOthers,
  removePointer,
  reportedDamage,
  swapPointer,
} from './generations.js';
import { noteOurCodec, readNumber, speaksOurCodec } from './keys.js';

/** Key of the name of the space that is being filled. */
const FILLING_KEY = 'm/filling';
/**
 * Key of the boot in which the store was written. Its pages are never flushed explicitly, so after a crash of the system they
 * are worthless.
 */
const BOOT_KEY = 'm/boot';

/** Number of puts after which the space's size is checked again. */
const PUTS_PER_LOOK = 64;

export interface AnswerWriterOptions {
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly bytesMax?: number;
  /** Returns the id of the system's boot; null if it is unknown. */
  readonly bootId?: () => string | null;
}

interface OpenAnswers {
  readonly name: string;
  readonly handle: OpenEnvironment;
  readonly spaces: Readonly<Record<AnswerSpace, StoreEnvironment>>;
  filling: AnswerSpace;
  puts: number;
}

/**
 * The one writer of a host's answers. Everything is written synchronously, at 10 µs each, and never flushed. On any failure,
 * the store is discarded and another one begun. No call throws, unless not even that is possible and readers may still see
 * answers that must not be shown.
 *
 * Besides the answers it keeps a few notes for the process that continues after this one; see `note`.
 */
export class AnswerWriter {
  readonly #options: AnswerWriterOptions;
  readonly #folder: string;
  readonly #spaceBytesMax: number;
  /** Null on a system without a name for its boot, where every start begins with an empty store. */
  readonly #boot: string | null;
  #open: OpenAnswers | null = null;
  #thrownAway = 0;

  constructor(options: AnswerWriterOptions) {
    this.#options = options;
    this.#folder = answersFolder(options.dataDir);
    this.#spaceBytesMax = (options.bytesMax ?? ANSWER_STORE_BYTES_MAX) / 2;
    this.#boot = (options.bootId ?? currentBoot)();
    this.#begin(() => this.#openExisting());
  }

  /** How often the store was discarded. Each time, all earlier notes were lost. */
  get thrownAway(): number {
    return this.#thrownAway;
  }

  find(key: string): RememberedAnswer | undefined {
    return this.#use(({ spaces }) => {
      for (const space of ANSWER_SPACES) {
        const bytes = spaces[space].getBinaryFast(key);
        const answer = bytes === undefined ? null : decodeRecord<RememberedAnswer>(key, bytes, bytes.length);
        if (answer !== null) return answer;
      }
      return undefined;
    });
  }

  /** Stores the answer in place of the one under the key. */
  put(key: string, answer: RememberedAnswer): void {
    this.#use((open) => {
      if (++open.puts >= PUTS_PER_LOOK) this.#turnIfFull(open);
      const { handle, spaces, filling } = open;
      writeTransaction(handle.environment, () => {
        spaces[filling].putSync(key, encodeRecord(answer, key));
        spaces[otherSpace(filling)].removeSync(key);
      });
    });
  }

  /**
   * Removes the answers under the keys. When it returns, no reader finds any of them. If the store was discarded instead (see
   * `thrownAway`), this holds ANSWERS_REFRESH_MS later.
   */
  remove(keys: readonly string[]): void {
    this.#takeOut((open) => {
      for (const key of keys) for (const space of ANSWER_SPACES) open.spaces[space].removeSync(key);
    });
  }

  /** Removes everything, like `remove`. */
  clear(): void {
    this.#takeOut((open) => {
      for (const space of ANSWER_SPACES) open.spaces[space].clearSync();
    });
  }

  /** Counts how often answers were removed early; null while there is no store. */
  epoch(): number | null {
    return this.#use(({ handle }) => readNumber(handle.environment, EPOCH_KEY)) ?? null;
  }

  /**
   * Stores a value for the process that continues after this one, however this one ends. Keys begin with `n/`. A store that is
   * discarded, or was written before the system's last boot, has no notes.
   */
  note(key: `n/${string}`, value: string): void {
    this.#use(({ handle }) => writeTransaction(handle.environment, () => void handle.environment.putSync(key, Buffer.from(value))));
  }

  /** Returns the notes whose keys begin with the prefix. */
  notes(prefix: `n/${string}`): readonly (readonly [key: `n/${string}`, value: string])[] {
    const read = this.#use(({ handle }) =>
      Array.from(
        handle.environment.getRange({ start: prefix, end: `${prefix}\uffff` }),
        ({ key, value }) => [key as `n/${string}`, value.toString()] as const,
      ),
    );
    return read ?? [];
  }

  dropNotes(keys: readonly `n/${string}`[]): void {
    if (keys.length === 0) return;
    this.#use(({ handle }) =>
      writeTransaction(handle.environment, () => {
        for (const key of keys) handle.environment.removeSync(key);
      }),
    );
  }

  /** Must be called about every second. Checks the readers' reports, and whether the folder was changed from outside. */
  inspect(): void {
    const open = this.#open;
    if (open === null) {
      this.#begin(() => null);
      return;
    }
    const reason =
      readPointer(this.#folder) === open.name ? reportedDamage(this.#folder, open.name) : 'the folder was changed from outside';
    if (reason !== null) {
      this.#throwAway(reason);
      return;
    }
    removeOthers(this.#folder, []);
    // Frees the slot of a reader that was killed, because it would keep its pages from being reused.
    open.handle.environment.readerCheck();
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.handle.close();
  }

  #use<Value>(work: (open: OpenAnswers) => Value): Value | undefined {
    if (this.#open === null) return undefined;
    try {
      return work(this.#open);
    } catch (error) {
      this.#throwAway(error);
      return undefined;
    }
  }

  /** If the store refuses, it is discarded entirely. Without a store there is nothing to remove. */
  #takeOut(work: (open: OpenAnswers) => void): void {
    this.#use((open) => {
      const { environment } = open.handle;
      writeTransaction(environment, () => {
        work(open);
        environment.putSync(EPOCH_KEY, Buffer.from(String(readNumber(environment, EPOCH_KEY) + 1)));
      });
    });
  }

  #turnIfFull(open: OpenAnswers): void {
    open.puts = 0;
    if (bytesOf(open.spaces[open.filling]) < this.#spaceBytesMax) return;
    const next = otherSpace(open.filling);
    writeTransaction(open.handle.environment, () => {
      open.spaces[next].clearSync();
      open.handle.environment.putSync(FILLING_KEY, Buffer.from(next));
    });
    open.filling = next;
  }

  /** If the disk is full, the host has no store until `inspect` finds space. */
  #throwAway(why: unknown): void {
    this.#options.log.error({ code: 'answer_store_discarded', reason: String(why) }, 'discarding the store of answers');
    this.#thrownAway += 1;
    const open = this.#open;
    this.#open = null;
    if (open !== null) releaseAnswers(open.handle, this.#options.log);
    this.#begin(() => null);
    // If there is a new store, the pointer makes readers leave the old one. If there is none, they must not find the old one any more.
    if (this.#open === null) removePointer(this.#folder);
  }

  #begin(existing: () => OpenAnswers | null): void {
    const { log } = this.#options;
    try {
      makeStoreFolder(this.#folder);
      this.#open = existing() ?? this.#create();
    } catch (error) {
      log.error(
        { code: 'answer_store_unavailable', err: error },
        'the store of answers cannot be used; answers come from PostgreSQL and from the APIs',
      );
    }
  }

  #openExisting(): OpenAnswers | null {
    const name = readPointer(this.#folder);
    if (name === null || reportedDamage(this.#folder, name) !== null) return null;
    let handle: OpenEnvironment | null = null;
    try {
      handle = openEnvironment(join(this.#folder, name), 'cache');
      const { environment } = handle;
      const ours = speaksOurCodec(environment) && this.#boot !== null && readText(environment, BOOT_KEY) === this.#boot;
      if (ours) return describe(name, handle);
    } catch (error) {
      this.#options.log.error({ code: 'answer_store_unopenable', err: error }, 'the existing store of answers cannot be opened');
    }
    if (handle !== null) releaseAnswers(handle, this.#options.log);
    return null;
  }

  #create(): OpenAnswers {
    const name = newGenerationName(this.#options.clock);
    const handle = openEnvironment(join(this.#folder, name), 'cache');
    try {
      const { environment } = handle;
      writeTransaction(environment, () => {
        noteOurCodec(environment);
        environment.putSync(BOOT_KEY, Buffer.from(this.#boot ?? ''));
        environment.putSync(FILLING_KEY, Buffer.from(ANSWER_SPACES[0]));
      });
      const open = describe(name, handle);
      swapPointer(this.#folder, name);
      return open;
    } catch (error) {
      releaseAnswers(handle, this.#options.log);
      rmSync(join(this.#folder, name), { recursive: true, force: true });
      throw error;
    }
  }
}

function describe(name: string, handle: OpenEnvironment): OpenAnswers {
  const { environment } = handle;
  const spaces = { first: openSpace(environment, 'first'), second: openSpace(environment, 'second') };
  const filling: AnswerSpace = readText(environment, FILLING_KEY) === 'second' ? 'second' : 'first';
  return { name, handle, spaces, filling, puts: PUTS_PER_LOOK };
}

function otherSpace(space: AnswerSpace): AnswerSpace {
  return space === 'first' ? 'second' : 'first';
}

function readText(environment: RootEnvironment, key: string): string {
  const bytes = environment.getBinaryFast(key);
  return bytes === undefined ? '' : bytes.toString('utf8', 0, bytes.length);
}

/** The mdb_stat of the space, for which lmdb has no type. */
interface PageCounts {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

function bytesOf(space: StoreEnvironment): number {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = space.getStats() as PageCounts;
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
}
