import { join } from 'node:path';
import type { Clock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import type { Logger } from '../../shared/base/log.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { decodeRecord, encodeRecord, type StoredObject } from '../../shared/feed/codec.js';
import type { FeedCursor, LinkRecord } from '../../shared/records/records.js';
import { storeFolder } from './copies.js';
import {
  isStoreError,
  measure,
  type OpenEnvironment,
  openEnvironment,
  releaseGeneration,
  StoreDamagedError,
  writeTransaction,
} from './environment.js';
import { GenerationBuilder } from './generation-builder.js';
import {
  dataFile,
  diedInCheck,
  endCheck,
  isWhole,
  makeStoreFolder,
  moveAside,
  NO_GENERATION,
  newGenerationName,
  noteBuilding,
  noteBytes,
  readPointer,
  removeOthers,
  reportedDamage,
  startCheck,
  swapPointer,
  syncGeneration,
} from './generations.js';
import { CURSOR_KEY, LINK_RANGE, readEnvironmentNumbers, readNumber, readRecord, speaksOurCodec, TABLES_KEY, TEXT_KEYS } from './keys.js';
import { type StoreChange, writeChange } from './store-change.js';
import { openNewGeneration, publishTablesAlone } from './tables-generation.js';
import { dropUnfinished, openUnfinished } from './unfinished.js';

interface OpenGeneration {
  readonly name: string;
  readonly handle: OpenEnvironment;
  readonly inode: number;
  notedBytes: number;
  cursor: FeedCursor;
}

/**
 * What the writer has. `none`: nothing to follow, a bootstrap is needed; an old generation may still serve readers.
 * `whole`: follows. `doubted`: holds damage; nothing more is written to it, and it serves until the next one is built.
 */
type WriterState =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly open: OpenGeneration }
  | { readonly kind: 'doubted'; readonly open: OpenGeneration };

const PREDECESSORS: Predecessors<WriterState['kind']> = {
  none: ['none', 'whole', 'doubted'],
  whole: ['none', 'whole', 'doubted'],
  doubted: ['whole'],
};

/** Called right after every transaction, before the next one begins: the generation, its changes, the feed position they lead to. */
export type AppliedListener = (generation: string, changes: readonly StoreChange[], position: number) => void;

/** The one writer of a host's store. Every method that touches LMDB throws `StoreDamagedError` where a bootstrap is the remedy. */
export class ConfigWriter {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #clock: Clock;
  onApplied: AppliedListener | null = null;
  #state: WriterState = { kind: 'none' };
  /** The published generation that holds only the tables. */
  #interim: string | null = null;

  constructor(folder: string, log: Logger, clock: Clock) {
    this.#folder = folder;
    this.#log = log;
    this.#clock = clock;
  }

  /** Takes up the generation that `CURRENT` names, where it is fit to be followed. */
  open(): void {
    makeStoreFolder(this.#folder);
    removeOthers(this.#folder, []);
    const name = readPointer(this.#folder);
    if (name === null || name === NO_GENERATION) return;
    if (!isWhole(this.#folder, name)) {
      this.#log.error({ code: 'store_cut_short', generation: name }, 'configuration store is missing or was cut short; moved aside');
      moveAside(this.#folder, name);
      return;
    }
    const reason = diedInCheck(this.#folder, name)
      ? 'the process that opened it last died while checking it'
      : reportedDamage(this.#folder, name);
    if (reason !== null) {
      this.#log.error({ code: 'store_untrusted', generation: name, reason }, 'configuration store is not trusted and will be rebuilt');
      return;
    }
    this.#openExisting(name);
  }

  #openExisting(name: string): void {
    startCheck(this.#folder, name);
    let handle: OpenEnvironment | null = null;
    try {
      handle = openEnvironment(join(this.#folder, name), 'follow');
      const cursor = speaksOurCodec(handle.environment) ? readRecord(handle.environment, CURSOR_KEY) : null;
      if (cursor) {
        this.#become({ kind: 'whole', open: this.#describe(name, handle, cursor) });
        return;
      }
      if (cursor === undefined) {
        // The process before was still copying what is to come after the tables.
        this.#interim = name;
        return;
      }
      this.#log.warn(
        { code: 'store_codec_differs', generation: name },
        'configuration store is written in another codec or has no cursor, and will be rebuilt',
      );
    } catch (error) {
      if (!isStoreError(error)) throw error;
      this.#log.error({ code: 'store_unopenable', generation: name, err: error }, 'configuration store cannot be opened; moved aside');
      moveAside(this.#folder, name);
    } finally {
      if (this.#state.kind === 'none') {
        endCheck(this.#folder, name);
        if (handle !== null) releaseGeneration(handle, this.#log);
      }
    }
  }

  #describe(name: string, handle: OpenEnvironment, cursor: FeedCursor): OpenGeneration {
    const file = dataFile(this.#folder, name);
    if (file === null) throw new StoreDamagedError('the data file is gone');
    return { name, handle, inode: file.inode, notedBytes: file.bytes, cursor };
  }

  /** Name of the generation being followed, or null. */
  generation(): string | null {
    return this.#state.kind === 'whole' ? this.#state.open.name : null;
  }

  /** The folder of a generation. */
  folderOf(generation: string): string {
    return join(this.#folder, generation);
  }

  /** Whether readers have a whole copy to read, be it old or doubted. */
  serves(): boolean {
    const name = readPointer(this.#folder);
    return name !== null && name !== NO_GENERATION && name !== this.#interim;
  }

  /** Whether readers have nothing at all. Where the folder was deleted they still have what they mapped. */
  servesNothing(): boolean {
    return this.#state.kind === 'none' && !this.serves();
  }

  /** Returns how far the store is; null if it has to be built again. */
  cursor(): FeedCursor | null {
    return this.#state.kind === 'whole' ? this.#state.open.cursor : null;
  }

  /** Numbers of the stored environments by id. */
  environmentNumbers(): ReadonlyMap<string, number> {
    if (this.#state.kind !== 'whole') return new Map();
    const { open } = this.#state;
    return this.#guard(open, () => readEnvironmentNumbers(open.handle.environment));
  }

  /** Writes the changes and the cursor in one LMDB transaction. When it returns, readers see them. */
  apply(changes: readonly StoreChange[], cursor: FeedCursor): void {
    invariant(this.#state.kind === 'whole', 'only a whole generation follows the feed');
    const { open } = this.#state;
    const { environment } = open.handle;
    this.#guard(open, () =>
      writeTransaction(environment, () => {
        for (const change of changes) writeChange(environment, change);
        if (changes.some((change) => change.changesTable))
          environment.putSync(TABLES_KEY, Buffer.from(String(readNumber(environment, TABLES_KEY) + 1)));
        environment.putSync(CURSOR_KEY, encodeRecord(cursor, CURSOR_KEY));
      }),
    );
    open.cursor = cursor;
    this.onApplied?.(open.name, changes, cursor.position);
  }

  /**
   * Looks at the folder as an operator or a reader may have left it; called at every poll. Returns what is wrong, in which
   * case the store has to be built again, or null.
   */
  inspect(): string | null {
    if (this.#state.kind !== 'whole') return 'there is no whole generation';
    const { open } = this.#state;
    const file = dataFile(this.#folder, open.name);
    const reason =
      readPointer(this.#folder) !== open.name || file === null || file.inode !== open.inode
        ? 'the folder was changed from outside'
        : file.bytes < open.notedBytes
          ? 'the data file was cut short'
          : reportedDamage(this.#folder, open.name);
    if (reason !== null) this.#doubt(open, reason);
    else if (file !== null && file.bytes > open.notedBytes) {
      noteBytes(this.#folder, open.name, file.bytes);
      open.notedBytes = file.bytes;
    }
    return reason;
  }

  /**
   * Reads up to `limit` values after the key and checks their sums. Returns the last key read, or null at the end. Damage
   * puts the generation in doubt, which `cursor` and `inspect` then say.
   */
  check(afterKey: string | null, limit: number): string | null {
    if (this.#state.kind !== 'whole') return null;
    const { open } = this.#state;
    const walked = this.#walk(open, { start: afterKey, limit }, () => undefined);
    if (walked.more || this.#state.kind !== 'whole') return walked.last;
    endCheck(this.#folder, open.name);
    return null;
  }

  /**
   * Gives up to `limit` links after the key to `visit`, in the order of their keys. Returns the last key, or null at the
   * end. Damage puts the generation in doubt, and ends the reading.
   */
  readLinks(afterKey: string | null, limit: number, visit: (key: string, link: LinkRecord) => void): string | null {
    invariant(this.#state.kind === 'whole', 'links are read from a whole generation');
    const range = { start: afterKey ?? LINK_RANGE.start, end: LINK_RANGE.end, limit };
    const walked = this.#walk(this.#state.open, range, (key, record) => visit(key, record as LinkRecord));
    return walked.more ? walked.last : null;
  }

  /** About how many values the generation has, and how many bytes they take; zeros if there is none. */
  size(): { readonly values: number; readonly bytes: number } {
    if (this.#state.kind !== 'whole') return { values: 0, bytes: 0 };
    const { open } = this.#state;
    return this.#guard(open, () => measure(open.handle.environment));
  }

  /** Reads up to `limit` values whose keys come after `start` and checks their sums. */
  #walk(
    open: OpenGeneration,
    { start, end, limit }: { readonly start: string | null; readonly end?: string; readonly limit: number },
    visit: (key: string, record: StoredObject) => void,
  ): { readonly last: string | null; readonly more: boolean } {
    const range = { limit, ...(start === null ? {} : { start, exclusiveStart: true }), ...(end === undefined ? {} : { end }) };
    let last: string | null = null;
    let read = 0;
    this.#guard(open, () => {
      for (const { key, value } of open.handle.environment.getRange(range)) {
        read += 1;
        last = key;
        if (TEXT_KEYS.has(key)) continue;
        const record = decodeRecord<StoredObject>(key, value, value.length);
        if (record === null) {
          this.#doubt(open, `the value of ${JSON.stringify(key)} is damaged`);
          return;
        }
        visit(key, record);
      }
    });
    return { last, more: read === limit };
  }

  /** Goes on with the generation that was left unfinished, or begins a new one, beside the one that serves. One at a time. */
  async build(): Promise<GenerationBuilder> {
    const left = await openUnfinished(this.#folder, this.#log);
    const name = left?.name ?? newGenerationName(this.#clock);
    makeStoreFolder(this.#folder);
    noteBuilding(this.#folder, name);
    const handle = left?.handle ?? openNewGeneration(this.#folder, name);
    return new GenerationBuilder(handle, left?.progress ?? null, {
      publish: (cursor) => this.#publish(name, cursor),
      discard: () => dropUnfinished(this.#folder),
      grown: () => {
        const file = dataFile(this.#folder, name);
        if (file === null) throw new StoreDamagedError('the data file is gone');
        noteBytes(this.#folder, name, file.bytes);
      },
    });
  }

  /** Removes what was left unfinished, where the generation that serves can be followed. */
  dropUnfinished(): void {
    dropUnfinished(this.#folder);
  }

  /**
   * Gives readers the tables alone, where they have nothing: hosts are known then and links are looked up in PostgreSQL,
   * until the whole generation is built. Without a cursor nobody takes it for one that can be followed. Where tables were published
   * before, these take their place; the ones before them are kept for who is just opening them.
   */
  async publishTables(changes: readonly StoreChange[]): Promise<void> {
    const name = newGenerationName(this.#clock);
    await publishTablesAlone(this.#folder, name, changes);
    removeOthers(this.#folder, this.#interim === null ? [] : [this.#interim]);
    this.#interim = name;
  }

  async #publish(name: string, cursor: FeedCursor): Promise<void> {
    await syncGeneration(this.#folder, name);
    const handle = openEnvironment(join(this.#folder, name), 'follow');
    let open: OpenGeneration;
    try {
      open = this.#describe(name, handle, cursor);
      swapPointer(this.#folder, name);
      noteBuilding(this.#folder, null);
    } catch (error) {
      await handle.close();
      throw error;
    }
    const before = this.#state;
    this.#become({ kind: 'whole', open });
    if (before.kind === 'none') return;
    releaseGeneration(before.open.handle, this.#log);
    if (before.kind === 'doubted') moveAside(this.#folder, before.open.name);
  }

  /** Removes what no reader opens any more. To be called some seconds after a swap, when readers have noticed it. */
  removeOldGenerations(): void {
    removeOthers(this.#folder, []);
  }

  async close(): Promise<void> {
    const state = this.#state;
    this.#become({ kind: 'none' });
    if (state.kind === 'none') return;
    await state.open.handle.environment.flushed;
    await state.open.handle.close();
    endCheck(this.#folder, state.open.name);
  }

  #doubt(open: OpenGeneration, reason: string): void {
    if (this.#state.kind !== 'whole') return;
    this.#log.error({ code: 'store_damaged', generation: open.name, reason }, 'configuration store is damaged and will be rebuilt');
    this.#become({ kind: 'doubted', open });
  }

  #become(state: WriterState): void {
    assertTransition("the store's writer", PREDECESSORS, this.#state.kind, state.kind);
    this.#state = state;
  }

  #guard<Value>(open: OpenGeneration, read: () => Value): Value {
    try {
      return read();
    } catch (error) {
      throw this.#broken(open, error);
    }
  }

  /** The error to throw. If LMDB itself failed, the generation is moved aside immediately, because reading on could end the process. */
  #broken(open: OpenGeneration, error: unknown): unknown {
    if (!isStoreError(error)) return error;
    this.#log.error({ code: 'store_broken', generation: open.name, err: error }, 'configuration store is broken; moved aside');
    this.#become({ kind: 'none' });
    try {
      moveAside(this.#folder, open.name);
    } finally {
      releaseGeneration(open.handle, this.#log);
    }
    return new StoreDamagedError('LMDB cannot use the store', { cause: error });
  }
}

/** Opens the store below `dataDir` for writing. A process never opens it so after it has opened it for reading alone. */
export function openConfigWriter(dataDir: string, log: Logger, clock: Clock): ConfigWriter {
  const writer = new ConfigWriter(storeFolder(dataDir), log, clock);
  writer.open();
  return writer;
}
