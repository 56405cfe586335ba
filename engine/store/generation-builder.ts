import { currentBoot } from '../../shared/base/process-identity.js';
import { CODEC_VERSION, decodeRecord, encodeRecord, type StoredObject } from '../../shared/feed/codec.js';
import type { FeedCursor } from '../../shared/records/records.js';
import { type OpenEnvironment, writeTransaction } from './environment.js';
import { CURSOR_KEY, noteOurCodec, PROGRESS_KEY, readEnvironmentNumbers, type StoreKey, TABLE_RANGES } from './keys.js';
import { type StoreChange, writeChange } from './store-change.js';

/** How far an unfinished generation is: what a bootstrap needs to continue it. */
export interface BuildProgress {
  /** Feed rows up to here are included in what has been copied, whenever it was copied. */
  readonly cursor: FeedCursor;
  /** The kind of object that is being copied or comes next; null after all are copied. */
  readonly kind: string | null;
  /** The position in that kind: values of the columns by which it is paged; null at its beginning. */
  readonly after: readonly string[] | null;
}

/** What the builder needs from the store for which it builds. */
export interface BuilderOwner {
  publish(cursor: FeedCursor): Promise<void>;
  discard(): void;
  /** Records the current size of the data file. */
  grown(): void;
}

/**
 * Fills a new generation. No reader sees it before `finish`. Each batch contains the progress it leads to in its own
 * transaction, so that a process that dies at any moment leaves a generation that records exactly what is in it.
 */
export class GenerationBuilder {
  readonly #handle: OpenEnvironment;
  readonly #owner: BuilderOwner;
  #progress: BuildProgress | null;
  #isIntact = true;
  #tablesChanged: boolean;

  /** `progress` is how far an earlier builder has got with the generation. */
  constructor(handle: OpenEnvironment, progress: BuildProgress | null, owner: BuilderOwner) {
    this.#handle = handle;
    this.#progress = progress;
    // It is unknown whether the tables were published.
    this.#tablesChanged = progress !== null;
    this.#owner = owner;
  }

  /** Null before the first batch that had one. */
  get progress(): BuildProgress | null {
    return this.#progress;
  }

  /**
   * Writes one batch. In key order, LMDB is four times as fast and the file half as large. A batch without progress leaves a
   * generation that cannot be continued.
   */
  put(changes: readonly StoreChange[], progress: BuildProgress | null = null): void {
    const { environment } = this.#handle;
    this.#isIntact = false;
    writeTransaction(environment, () => {
      for (const change of changes) writeChange(environment, change);
      if (progress !== null) environment.putSync(PROGRESS_KEY, encodeProgress(progress));
    });
    if (progress !== null) {
      this.#owner.grown();
      this.#progress = progress;
      this.#isIntact = true;
    }
    this.#tablesChanged ||= changes.some(({ changesTable }) => changesTable);
  }

  /** Writes changes from the feed. */
  apply(changes: readonly StoreChange[], cursor: FeedCursor): void {
    this.put(changes, { kind: null, after: null, ...this.#progress, cursor });
  }

  environmentNumbers(): ReadonlyMap<string, number> {
    const { environment } = this.#handle;
    environment.resetReadTxn();
    return readEnvironmentNumbers(environment);
  }

  /** Returns the current tables if they have changed since the last call, else null. */
  takeTables(): readonly StoreChange[] | null {
    if (!this.#tablesChanged) return null;
    this.#tablesChanged = false;
    const { environment } = this.#handle;
    environment.resetReadTxn();
    const tables: StoreChange[] = [];
    for (const range of TABLE_RANGES)
      for (const { key, value } of environment.getRange(range)) {
        const record = decodeRecord<StoredObject>(key, value, value.length);
        if (record !== null) tables.push({ id: record.id, key: key as StoreKey<StoredObject>, record, changesTable: true });
      }
    return tables;
  }

  /** Makes everything durable, then makes readers switch to this generation. */
  async finish(cursor: FeedCursor): Promise<void> {
    const { environment } = this.#handle;
    this.#isIntact = false;
    writeTransaction(environment, () => {
      noteOurCodec(environment);
      environment.putSync(CURSOR_KEY, encodeRecord(cursor, CURSOR_KEY));
    });
    await this.#handle.close();
    await this.#owner.publish(cursor);
  }

  /** Discards the unfinished generation. */
  async abandon(): Promise<void> {
    await this.#handle.close();
    this.#owner.discard();
  }

  /**
   * Leaves the generation to a later builder. A generation that could not be written is discarded, because a full disk would
   * otherwise stay full.
   */
  async suspend(): Promise<void> {
    if (!this.#isIntact || this.#progress === null) await this.abandon();
    else await this.#handle.close();
  }
}

interface StoredProgress extends BuildProgress {
  readonly boot: string | null;
  readonly codec: number;
  /** How often it was resumed since the last batch. */
  readonly resumed: number;
}

/**
 * How often a generation is resumed without another batch in between. The number is limited because writing to it may be what
 * ends the process.
 */
const RESUMED_MAX = 3;

export function encodeProgress({ cursor, kind, after }: BuildProgress, resumed = 0): Buffer {
  const stored: StoredProgress = { boot: currentBoot(), codec: CODEC_VERSION, resumed, cursor: { ...cursor }, kind, after };
  return Buffer.from(JSON.stringify(stored));
}

/**
 * Returns the progress of a generation that can be continued, or why it cannot. Nothing of it was flushed to disk: it is whole
 * after a crash of the process, but not after one of the system.
 */
export function decodeProgress(
  bytes: Buffer | undefined,
): { readonly progress: BuildProgress; readonly resumed: number } | { readonly fault: string } {
  if (bytes === undefined) return { fault: 'it does not say how far it had come' };
  const boot = currentBoot();
  const { boot: builtIn, codec, resumed, ...progress } = JSON.parse(bytes.toString()) as StoredProgress;
  if (codec !== CODEC_VERSION) return { fault: 'written in another codec' };
  if (boot === null || builtIn !== boot) return { fault: 'made before the machine was last started' };
  if (resumed >= RESUMED_MAX) return { fault: `resumed ${resumed} times without completing another batch` };
  return { progress, resumed };
}
