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
import {
  CURSOR_KEY,
  LINK_RANGE,
  readEnvironmentNumbers,
  readNumber,
  readRecord,
  speaksOurCodec,
  TABLE_CHANGES_KEY,
  TABLES_KEY,
  TEXT_KEYS,
} from './keys.js';
import { type StoreChange, writeChange } from './store-change.js';
import { encodeTableChanges, NO_TABLE_CHANGES, type TableChanges, withTransaction } from './table-changes.js';
import { openNewGeneration, publishTablesAlone } from './tables-generation.js';
import { dropUnfinished, openUnfinished } from './unfinished.js';

interface OpenGeneration {
  readonly name: string;
  readonly handle: OpenEnvironment;
  readonly inode: number;
  notedBytes: number;
  cursor: FeedCursor;
  /** Those of transactions since this process opened the generation. */
  tableChanges: TableChanges;
}

/**
 * State of the writer. `none`: there is no generation to follow, and a bootstrap is needed; an old generation may still serve
 * readers. `whole`: follows the feed. `doubted`: the generation is damaged. It is no longer written, and serves until the next
 * one is built.
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

/**
 * Called right after every transaction, before the next one begins, with the generation, its changes, and the feed position
 * they lead to.
 */
export type AppliedListener = (generation: string, changes: readonly StoreChange[], position: number) => void;

/** The one writer of a host's store. Every method that uses LMDB throws `StoreDamagedError` if a bootstrap is the remedy. */
export class ConfigWriter {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #clock: Clock;
  onApplied: AppliedListener | null = null;
  #state: WriterState = { kind: 'none' };
  /** Name of the published generation that contains only the tables. */
  #interim: string | null = null;

  constructor(folder: string, log: Logger, clock: Clock) {
    this.#folder = folder;
    this.#log = log;
    this.#clock = clock;
  }

  /** Opens the generation that `CURRENT` names, if it can be followed. */
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
        // The previous process was still copying what follows the tables.
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
    return { name, handle, inode: file.inode, notedBytes: file.bytes, cursor, tableChanges: NO_TABLE_CHANGES };
  }

  /** Returns the name of the generation being followed, or null. */
  generation(): string | null {
    return this.#state.kind === 'whole' ? this.#state.open.name : null;
  }

  /** Returns the folder of a generation. */
  folderOf(generation: string): string {
    return join(this.#folder, generation);
  }

  /** Whether readers have a whole copy to read, even an old or doubted one. */
  serves(): boolean {
    const name = readPointer(this.#folder);
    return name !== null && name !== NO_GENERATION && name !== this.#interim;
  }

  /** Whether readers have nothing at all. If the folder was deleted, they still have what they mapped. */
  servesNothing(): boolean {
    return this.#state.kind === 'none' && !this.serves();
  }

  /** Returns how far the store is; null if it must be rebuilt. */
  cursor(): FeedCursor | null {
    return this.#state.kind === 'whole' ? this.#state.open.cursor : null;
  }

  /** Returns the numbers of the stored environments, by id. */
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
    const ofTable = changes.filter((change) => change.changesTable).map(({ key }) => key);
    let { tableChanges } = open;
    this.#guard(open, () =>
      writeTransaction(environment, () => {
        for (const change of changes) writeChange(environment, change);
        if (ofTable.length > 0) {
          tableChanges = withTransaction(tableChanges, readNumber(environment, TABLES_KEY), ofTable);
          environment.putSync(TABLES_KEY, Buffer.from(String(tableChanges.tables)));
          environment.putSync(TABLE_CHANGES_KEY, encodeTableChanges(tableChanges));
        }
        environment.putSync(CURSOR_KEY, encodeRecord(cursor, CURSOR_KEY));
      }),
    );
    open.cursor = cursor;
    open.tableChanges = tableChanges;
    this.onApplied?.(open.name, changes, cursor.position);
  }

  /**
   * Checks whether an operator changed the folder or a reader reported damage; called at every poll. Returns the problem,
   * because of which the store must be rebuilt, or null.
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
   * Reads up to `limit` values after the key and checks their checksums. Returns the last key read, or null at the end. Damage
   * puts the generation in doubt; `cursor` and `inspect` then report it.
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
   * Passes up to `limit` links after the key to `visit`, in the order of their keys. Returns the last key, or null at the end.
   * Damage puts the generation in doubt, and ends the reading.
   */
  readLinks(afterKey: string | null, limit: number, visit: (key: string, link: LinkRecord) => void): string | null {
    invariant(this.#state.kind === 'whole', 'links are read from a whole generation');
    const range = { start: afterKey ?? LINK_RANGE.start, end: LINK_RANGE.end, limit };
    const walked = this.#walk(this.#state.open, range, (key, record) => visit(key, record as LinkRecord));
    return walked.more ? walked.last : null;
  }

  /** Returns the approximate number of values in the generation, and of bytes that they take; zeros if there is none. */
  size(): { readonly values: number; readonly bytes: number } {
    if (this.#state.kind !== 'whole') return { values: 0, bytes: 0 };
    const { open } = this.#state;
    return this.#guard(open, () => measure(open.handle.environment));
  }

  /** Reads up to `limit` values whose keys come after `start` and checks their checksums. */
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

  /** Continues the generation that was left unfinished, or begins a new one, beside the one that serves. Only one at a time. */
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

  /** Removes an unfinished generation. Called if the generation that serves can be followed. */
  dropUnfinished(): void {
    dropUnfinished(this.#folder);
  }

  /**
   * Publishes only the tables to readers that have nothing: hosts are then known, and links are looked up in PostgreSQL until
   * the whole generation is built. Without a cursor, this generation is not mistaken for one that can be followed. If tables
   * were published before, these replace them. The previous ones are kept for readers that are just opening them.
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

  /** Removes generations that no reader opens any more. Must be called some seconds after a swap, when readers have noticed it. */
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

/** Opens the store below `dataDir` for writing. A process must not call this after it has opened the store only for reading. */
export function openConfigWriter(dataDir: string, log: Logger, clock: Clock): ConfigWriter {
  const writer = new ConfigWriter(storeFolder(dataDir), log, clock);
  writer.open();
  return writer;
}
