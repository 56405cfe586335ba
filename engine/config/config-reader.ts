import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PATH_CHARACTERS_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { CODEC_VERSION } from '../../shared/feed/codec.js';
import type { LinkRecord } from '../../shared/records/records.js';
import { LINK_INDEX_FILE } from '../link-index/file.js';
import type { IndexedLink } from '../link-index/indexed-link.js';
import { LinkIndexReader } from '../link-index/reader.js';
import { storeFolder } from '../store/copies.js';
import { isStoreError, type OpenEnvironment, openEnvironment, releaseGeneration } from '../store/environment.js';
import { isWhole, NO_GENERATION, readPointer } from '../store/generations.js';
import { aliasKey, CODEC_KEY, CURSOR_KEY, linkKey, readNumber, readRecord, speaksOurCodec, TABLES_KEY } from '../store/keys.js';
import { DamageReports } from './damage-reports.js';
import { StoredTable, type TableInput } from './stored-table.js';

export interface ConfigReaderStats {
  /** Name of the open generation, or null while there is none to read. */
  readonly generation: string | null;
  /** Number of values or pages that could not be read since the process started. */
  readonly damages: number;
  /** Whether links are looked up in the link index first. */
  readonly indexed: boolean;
  /** Look-ups that LMDB answered although the link index lacked the link, which is in LMDB for a moment before it is in the index. */
  readonly unindexed: number;
}

/** A process's view of the host's copy of the configuration. No call throws, whatever happened to the store. */
export interface ConfigReader {
  /** The link, whatever its state; undefined if the store lacks it, cannot read it, or does not exist: ask the read-through. */
  findLink(environmentNumber: number, path: string): LinkRecord | undefined;
  /** Returns the link from the link index, valid until the next call; null if `findLink` must be asked. Does not refresh the state. */
  findIndexedLink(environmentNumber: number, path: string): IndexedLink | null;
  /** Returns the path of the link with this alias; undefined if the store does not have it, cannot read it, or does not exist. */
  findAlias(environmentNumber: number, address: string): string | undefined;
  /** Returns a number that changes whenever an environment or another part of the table changed, or the store was swapped. */
  tableVersion(): number;
  /** What is stored now. Unreadable values are as they were last known, so that a damaged store makes no host unknown. */
  readTableInput(): TableInput;
  /** Whether there is a generation to read. */
  hasCopy(): boolean;
  /** Whether objects missing from the store do not exist: false without a store, with only its tables, or after damage was found. */
  isWhole(): boolean;
  stats(): ConfigReaderStats;
  close(): Promise<void>;
}

/** How old what was read from `CURRENT` and the table's version may be, in milliseconds. A refresh takes 3 µs. */
export const REFRESH_MS = 5;

/** How long to wait before opening a generation again that could not be opened, in milliseconds. Another one is opened immediately. */
const REOPEN_MS = 1000;

/** How often a process without a link index looks for one, in milliseconds. A look takes 10 µs. */
const ATTACH_MS = 20;

interface OpenGeneration {
  readonly name: string;
  readonly handle: OpenEnvironment;
  readonly whole: boolean;
  tables: number;
}

/**
 * Opens the store below `dataDir` for reading. It need not exist yet. The reader follows `CURRENT` by itself without a timer:
 * calls refresh its state, at most every 5 ms. `findIndexedLink` does not: a visit has just asked for the table's version.
 *
 * It reports what it cannot read to the writer (`reportDamage`). Damaged values are skipped, and a damaged tree is closed.
 */
export function openConfigReader(dataDir: string, log: Logger, now: () => number = performance.now.bind(performance)): ConfigReader {
  return new LmdbConfigReader(storeFolder(dataDir), log, now);
}

class LmdbConfigReader implements ConfigReader {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #now: () => number;
  #open: OpenGeneration | null = null;
  /** A generation that must not be read, and when to try it again. */
  #refused: { readonly name: string; readonly untilMs: number } | null = null;
  #nextRefreshMs = Number.NEGATIVE_INFINITY;
  #version = 0;
  readonly #table = new StoredTable();
  readonly #damage: DamageReports;
  readonly #index = new LinkIndexReader(() => this.#damage.ofIndex(this.#open?.name ?? null));
  #nextAttachMs = Number.NEGATIVE_INFINITY;
  #unindexed = 0;

  constructor(folder: string, log: Logger, now: () => number) {
    this.#folder = folder;
    this.#log = log;
    this.#now = now;
    this.#damage = new DamageReports(folder, log, now);
  }

  findLink(environmentNumber: number, path: string): LinkRecord | undefined {
    if (this.#now() >= this.#nextRefreshMs) this.#refresh();
    const open = this.#open;
    if (open === null || path.length > PATH_CHARACTERS_MAX) return undefined;
    try {
      if (this.#index.attached) {
        const indexed = this.#index.find(environmentNumber, path);
        if (indexed !== null) return indexed.record();
        // LMDB reads the state that it saw first in this turn of the event loop, and the index may have returned something newer since.
        open.handle.environment.resetReadTxn();
      }
      const link = readRecord(open.handle.environment, linkKey(environmentNumber, path));
      if (link === undefined) return undefined;
      if (link !== null) {
        if (this.#index.attached) this.#unindexed += 1;
        return link;
      }
      this.#damage.ofGeneration(open.name, 'a link is damaged');
    } catch (error) {
      this.#fail(open, error);
    }
    return undefined;
  }

  findIndexedLink(environmentNumber: number, path: string): IndexedLink | null {
    return this.#open === null ? null : this.#index.find(environmentNumber, path);
  }

  findAlias(environmentNumber: number, address: string): string | undefined {
    if (this.#now() >= this.#nextRefreshMs) this.#refresh();
    const open = this.#open;
    if (open === null) return undefined;
    try {
      const alias = readRecord(open.handle.environment, aliasKey(environmentNumber, address));
      if (alias !== null) return alias?.link_path;
      this.#damage.ofGeneration(open.name, 'an alias is damaged');
    } catch (error) {
      this.#fail(open, error);
    }
    return undefined;
  }

  tableVersion(): number {
    if (this.#now() >= this.#nextRefreshMs) this.#refresh();
    return this.#version;
  }

  readTableInput(): TableInput {
    this.#refresh();
    const open = this.#open;
    if (open !== null) this.#readTable(open);
    return this.#table.input();
  }

  #readTable(open: OpenGeneration): void {
    const onDamage = (key: string) => this.#damage.ofGeneration(open.name, `the value of ${JSON.stringify(key)} is damaged`);
    try {
      this.#table.read(open.name, open.handle.environment, onDamage);
    } catch (error) {
      this.#fail(open, error);
    }
  }

  hasCopy(): boolean {
    if (this.#now() >= this.#nextRefreshMs) this.#refresh();
    return this.#open !== null;
  }

  isWhole(): boolean {
    const open = this.#open;
    return open?.whole === true && !this.#damage.metIn(open.name);
  }

  stats(): ConfigReaderStats {
    return {
      generation: this.#open?.name ?? null,
      damages: this.#damage.count,
      indexed: this.#index.attached,
      unindexed: this.#unindexed,
    };
  }

  async close(): Promise<void> {
    this.#nextRefreshMs = Number.POSITIVE_INFINITY;
    const open = this.#open;
    this.#open = null;
    this.#index.detach();
    await open?.handle.close();
  }

  #refresh(): void {
    if (this.#nextRefreshMs === Number.POSITIVE_INFINITY) return;
    this.#nextRefreshMs = this.#now() + REFRESH_MS;
    const pointer = this.#readPointer();
    const open = this.#open;
    if (pointer === null || pointer === open?.name) {
      // If the folder was deleted, the mapping still contains everything. It is read until there is a new generation.
      if (open !== null) this.#readTablesCount(open);
      if (open === this.#open && !this.#index.attached && this.#now() >= this.#nextAttachMs) this.#attachIndex();
      return;
    }
    if (this.#refused?.name === pointer && this.#now() < this.#refused.untilMs) return;
    this.#switchTo(pointer);
  }

  #readPointer(): string | null {
    try {
      return readPointer(this.#folder);
    } catch (error) {
      this.#log.error({ code: 'store_folder_unreadable', err: error }, 'the folder of the configuration store cannot be read');
      this.#nextRefreshMs = this.#now() + REOPEN_MS;
      return null;
    }
  }

  /** The index contains no more than LMDB, and may appear and disappear at any time. */
  #attachIndex(): void {
    const open = this.#open;
    this.#nextAttachMs = this.#now() + ATTACH_MS;
    if (open === null || !open.whole) return;
    try {
      const cursor = readRecord(open.handle.environment, CURSOR_KEY);
      const path = join(this.#folder, open.name, LINK_INDEX_FILE);
      if (!cursor || !existsSync(path)) return;
      const fault = this.#index.attach(path, cursor.position);
      if (fault === null) this.#log.info({ code: 'link_index_mapped', generation: open.name }, 'link index mapped');
      else this.#log.debug({ code: 'link_index_unread', generation: open.name, fault }, 'link index is not read');
    } catch (error) {
      this.#fail(open, error);
    }
  }

  #readTablesCount(open: OpenGeneration): void {
    try {
      // Otherwise LMDB reads the state that it saw first in this turn of the event loop.
      open.handle.environment.resetReadTxn();
      const tables = readNumber(open.handle.environment, TABLES_KEY);
      if (tables === open.tables) return;
      open.tables = tables;
      this.#version += 1;
    } catch (error) {
      this.#fail(open, error);
    }
  }

  #switchTo(name: string): void {
    const before = this.#open;
    if (name === NO_GENERATION) {
      if (before !== null) this.#drop(before);
      return;
    }
    const opened = this.#tryOpen(name);
    // The open generation is older than the one that CURRENT names, but better than nothing while PostgreSQL is away.
    if (opened === null) return;
    this.#refused = null;
    if (before !== null) this.#drop(before);
    this.#open = opened;
    this.#version += 1;
    this.#log.info({ code: 'store_opened', generation: name }, 'configuration store opened');
  }

  #tryOpen(name: string): OpenGeneration | null {
    this.#refused = { name, untilMs: this.#now() + REOPEN_MS };
    let handle: OpenEnvironment | null = null;
    try {
      if (!isWhole(this.#folder, name)) {
        this.#damage.ofGeneration(name, 'the data file is missing or was cut short');
        return null;
      }
      handle = openEnvironment(join(this.#folder, name), 'read');
      if (speaksOurCodec(handle.environment)) {
        const whole = handle.environment.doesExist(CURSOR_KEY);
        return { name, handle, whole, tables: readNumber(handle.environment, TABLES_KEY) };
      }
      this.#log.warn(
        { code: 'store_codec_differs', generation: name, codec: readNumber(handle.environment, CODEC_KEY), expected: CODEC_VERSION },
        'configuration store is written in another codec',
      );
    } catch (error) {
      if (isStoreError(error)) this.#damage.ofGeneration(name, String(error));
      else this.#log.error({ code: 'store_unopenable', generation: name, err: error }, 'configuration store cannot be opened');
    }
    if (handle !== null) releaseGeneration(handle, this.#log);
    return null;
  }

  /** LMDB cannot walk its tree, or the operating system refused. Nothing more is read from this generation for now. */
  #fail(open: OpenGeneration, error: unknown): void {
    this.#log.error({ code: 'store_unreadable', generation: open.name, err: error }, 'configuration store cannot be read');
    this.#refused = { name: open.name, untilMs: this.#now() + REOPEN_MS };
    if (isStoreError(error)) {
      this.#refused = { name: open.name, untilMs: Number.POSITIVE_INFINITY };
      this.#damage.ofGeneration(open.name, String(error));
    }
    this.#drop(open);
  }

  #drop(open: OpenGeneration): void {
    if (this.#open === open) this.#open = null;
    this.#index.detach();
    this.#version += 1;
    releaseGeneration(open.handle, this.#log);
  }
}
