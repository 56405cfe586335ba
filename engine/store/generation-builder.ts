import { currentBoot } from '../../shared/base/process-identity.js';
import { CODEC_VERSION, decodeRecord, encodeRecord, type StoredObject } from '../../shared/feed/codec.js';
import type { FeedCursor } from '../../shared/records/records.js';
import { type OpenEnvironment, writeTransaction } from './environment.js';
import { CODEC_KEY, CURSOR_KEY, PROGRESS_KEY, readEnvironmentNumbers, type StoreKey, TABLE_RANGES } from './keys.js';
import { type StoreChange, writeChange } from './store-change.js';

/** How far an unfinished generation is: what a bootstrap needs to know to go on with it. */
export interface BuildProgress {
  /** Feed rows up to here are in what has been copied, whatever was copied since. */
  readonly cursor: FeedCursor;
  /** The kind of object that is copied next, or the one in the middle of which it is; null once all are copied. */
  readonly kind: string | null;
  /** Where in that kind: values of the columns by which it is paged; null at its beginning. */
  readonly after: readonly string[] | null;
}

/** What the builder needs of the store it builds for. */
export interface BuilderOwner {
  publish(cursor: FeedCursor): Promise<void>;
  discard(): void;
  /** Notes how large the data file is by now. */
  grown(): void;
}

/**
 * Fills a new generation. It is nobody's until `finish`. Each batch carries the progress it leads to in its own transaction, so that a
 * process that dies at any moment leaves a generation that says exactly what is in it.
 */
export class GenerationBuilder {
  readonly #handle: OpenEnvironment;
  readonly #owner: BuilderOwner;
  #progress: BuildProgress | null;
  #isIntact = true;
  #tablesChanged: boolean;

  /** `progress` is how far an earlier builder came with the generation. */
  constructor(handle: OpenEnvironment, progress: BuildProgress | null, owner: BuilderOwner) {
    this.#handle = handle;
    this.#progress = progress;
    // Whether they were published is not known.
    this.#tablesChanged = progress !== null;
    this.#owner = owner;
  }

  /** Null before the first batch that had one. */
  get progress(): BuildProgress | null {
    return this.#progress;
  }

  /** Writes one batch. Key order makes LMDB four times as fast and the file half as large. Without a progress the generation cannot be gone on with. */
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

  /** Writes changes that the feed brought. */
  apply(changes: readonly StoreChange[], cursor: FeedCursor): void {
    this.put(changes, { kind: null, after: null, ...this.#progress, cursor });
  }

  environmentNumbers(): ReadonlyMap<string, number> {
    const { environment } = this.#handle;
    environment.resetReadTxn();
    return readEnvironmentNumbers(environment);
  }

  /** What the tables are made of so far, if that has changed since it was last asked for; else null. */
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

  /** Makes everything durable, then makes readers switch to it. */
  async finish(cursor: FeedCursor): Promise<void> {
    const { environment } = this.#handle;
    this.#isIntact = false;
    writeTransaction(environment, () => {
      environment.putSync(CODEC_KEY, Buffer.from(String(CODEC_VERSION)));
      environment.putSync(CURSOR_KEY, encodeRecord(cursor, CURSOR_KEY));
    });
    await this.#handle.close();
    await this.#owner.publish(cursor);
  }

  /** Throws the unfinished generation away. */
  async abandon(): Promise<void> {
    await this.#handle.close();
    this.#owner.discard();
  }

  /** Leaves the generation to a later builder; one that could not be written is thrown away, since a disk that is full would stay full. */
  async suspend(): Promise<void> {
    if (!this.#isIntact || this.#progress === null) await this.abandon();
    else await this.#handle.close();
  }
}

interface StoredProgress extends BuildProgress {
  readonly boot: string | null;
  readonly codec: number;
  /** How often it was gone on with since the last batch. */
  readonly resumed: number;
}

/** Without a batch in between a generation is gone on with so often: writing to it may be what ends the process. */
const RESUMED_MAX = 3;

export function encodeProgress({ cursor, kind, after }: BuildProgress, resumed = 0): Buffer {
  const stored: StoredProgress = { boot: currentBoot(), codec: CODEC_VERSION, resumed, cursor: { ...cursor }, kind, after };
  return Buffer.from(JSON.stringify(stored));
}

/**
 * The progress of a generation that is to be gone on with, or why it is not. Nothing of it was flushed to disk: it is whole after
 * the end of a process, but not after that of the system.
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
