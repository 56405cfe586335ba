import { join } from 'node:path';
import { InvariantError } from '../../shared/base/invariant.js';
import { LINK_INDEX_FILE_BYTES_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { type Scheduler, systemScheduler } from '../../shared/base/scheduler.js';
import type { FeedCursor, LinkRecord } from '../../shared/records/records.js';
import type { AppliedListener } from '../store/config-writer.js';
import { parseLinkKey } from '../store/keys.js';
import type { StoreChange } from '../store/store-change.js';
import { LINK_INDEX_FILE, takeDamageReport } from './file.js';
import { dropIndex } from './index-set.js';
import { IndexMappings } from './mappings.js';
import { LinkIndexWriter } from './writer.js';

/** What the keeper needs from the store's writer. */
export interface IndexedStore {
  onApplied: AppliedListener | null;
  generation(): string | null;
  folderOf(generation: string): string;
  cursor(): FeedCursor | null;
  size(): { readonly values: number; readonly bytes: number };
  readLinks(afterKey: string | null, limit: number, visit: (key: string, link: LinkRecord) => void): string | null;
}

/**
 * Keeps the link index of the generation that `background` follows. It is notified of every transaction right after LMDB has
 * committed it and before the next one begins, so the index is at most some microseconds behind LMDB.
 *
 * `none`       Nothing is written: there is no generation, or no index could be made. LMDB answers. Exits: `following`
 *              if an earlier process left a file at the exact position of the store; otherwise `building`, immediately
 *              for another generation, and at `retryAtMs` after a failure.
 * `building`   `next` is filled from LMDB, some links at a time, and also receives every change. `serving`, if any, is
 *              the previous file, which receives every change too. Exits: `following` after all links are read; `none` if
 *              they cannot be read; `building` again, with more room, if `next` ran full.
 * `following`  `serving` receives every change. Exits: `building` if it is nearly full, was found damaged or was
 *              changed from outside; `none` if it ran full before that, or the generation is no longer followed.
 */
type KeeperState =
  | { readonly kind: 'none'; readonly retryAtMs: number }
  | { readonly kind: 'building'; readonly serving: LinkIndexWriter | null; readonly next: LinkIndexWriter; afterKey: string | null }
  | { readonly kind: 'following'; readonly serving: LinkIndexWriter };

export interface LinkIndexStats {
  readonly state: KeeperState['kind'];
  readonly links: number;
  readonly bytes: number;
  /** Number of files of the index. */
  readonly files: number;
  /** Number of indexes built in this process. */
  readonly builds: number;
}

export interface LinkIndexKeeper {
  /** Starts with the file of an earlier process if it can be used. Must be called before any transaction of this process. */
  start(): void;
  stop(): void;
  stats(): LinkIndexStats;
}

/** A thousand links take 3 to 4 ms. Between steps, this process does its other work. */
const LINKS_PER_STEP = 1000;
const STEP_PAUSE_MS = 1;
const LOOK_MS = 1000;
const RETRY_MS = 60_000;
/** A new file is begun when this share of the current one is used, so that it is ready before the current one is full. */
const FILL_MAX = 0.85;
/**
 * Room for the records of a new file, relative to LMDB's pages. With links of the usual size, a factor of 1 leaves a third for
 * changes. A record's longer head is added for each link.
 */
const ROOM_FACTOR = 1;
const ROOM_BYTES_PER_LINK = 24;
/** Additional room for new links. Without it, a small file would be full before the next one is built. */
const SPARE_LINKS = 5000;
const SPARE_RECORD_BYTES = 2 * 1024 * 1024;
/** An arena that is this full when new was given too little room. The table's room is counted in links, and is always sufficient. */
const ARENA_FILL_NEW_MAX = 0.7;

export interface KeeperOptions {
  readonly store: IndexedStore;
  readonly log: Logger;
  readonly schedule?: Scheduler;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Maximum size of one file in bytes. Tests make many files of few links. */
  readonly fileBytesMax?: number;
}

export function createLinkIndexKeeper(options: KeeperOptions): LinkIndexKeeper {
  return new TimedKeeper({ schedule: systemScheduler, now: () => performance.now(), fileBytesMax: LINK_INDEX_FILE_BYTES_MAX, ...options });
}

class TimedKeeper implements LinkIndexKeeper {
  readonly #store: IndexedStore;
  readonly #log: Logger;
  readonly #schedule: Scheduler;
  readonly #now: () => number;
  readonly #fileBytesMax: number;
  readonly #mappings = new IndexMappings();
  #state: KeeperState = { kind: 'none', retryAtMs: 0 };
  #generation: string | null = null;
  #cancel: (() => void) | null = null;
  #looksSoon = false;
  /** Grows if an arena was too small for the records. */
  #roomFactor = ROOM_FACTOR;
  #builds = 0;
  /** A file that serves is not replaced before this time, because there was no room or disk space for another one. */
  #nextBuildMs = 0;

  constructor({ store, log, schedule, now, fileBytesMax }: Required<KeeperOptions>) {
    this.#store = store;
    this.#log = log;
    this.#schedule = schedule;
    this.#now = now;
    this.#fileBytesMax = fileBytesMax;
  }

  start(): void {
    this.#store.onApplied = (generation, changes, position) => this.#applied(generation, changes, position);
    this.#round();
  }

  stop(): void {
    this.#store.onApplied = null;
    this.#cancel?.();
    this.#cancel = null;
    this.#letGo(0);
  }

  stats(): LinkIndexStats {
    const state = this.#state;
    const index = state.kind === 'none' ? null : state.kind === 'building' ? (state.serving ?? state.next) : state.serving;
    const { links, bytes, files } = index?.stats() ?? { links: 0, bytes: 0, files: 0 };
    return { state: state.kind, links, bytes, files, builds: this.#builds };
  }

  #round(): void {
    this.#looksSoon = false;
    try {
      this.#look();
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      // LMDB or the system refused. The writer of the store reports the details.
      this.#log.error({ code: 'link_index_failed', err: error }, 'the link index could not be updated');
      // The generation may still be followed, and readers would continue to read a file that gets no more changes.
      if (this.#state.kind !== 'none') this.#state.serving?.supersede();
      this.#letGo(RETRY_MS);
    }
    this.#lookIn(this.#state.kind === 'building' ? STEP_PAUSE_MS : LOOK_MS);
  }

  #lookIn(milliseconds: number): void {
    this.#cancel = this.#schedule(milliseconds, () => this.#round());
  }

  #look(): void {
    const generation = this.#store.generation();
    if (generation !== this.#generation) {
      this.#letGo(0);
      this.#generation = generation;
      this.#roomFactor = ROOM_FACTOR;
      if (generation !== null) this.#takeUp();
      return;
    }
    const state = this.#state;
    if (state.kind === 'building') this.#buildSome(state);
    else if (state.kind === 'following') this.#inspect(state.serving);
    else if (generation !== null && this.#now() >= state.retryAtMs) this.#build(null);
  }

  #path(): string {
    return join(this.#store.folderOf(this.#generation as string), LINK_INDEX_FILE);
  }

  /**
   * Uses the file of an earlier process only if it is at the store's exact position. Otherwise a transaction was applied only
   * in part, or not at all.
   */
  #takeUp(): void {
    const position = this.#store.cursor()?.position;
    if (position === undefined) return;
    const resumed = LinkIndexWriter.resume(this.#mappings, this.#path(), position);
    if ('writer' in resumed) {
      this.#state = { kind: 'following', serving: resumed.writer };
      this.#noteUnremovable(resumed.writer.removeOthers());
      return;
    }
    this.#log.info({ code: 'link_index_not_resumed', reason: resumed.fault }, 'no usable link index of an earlier process was found');
    this.#noteUnremovable(dropIndex(this.#path()));
    this.#build(null);
  }

  #noteUnremovable(error: string | null): void {
    if (error === null) return;
    this.#log.error({ code: 'link_index_unremovable', error }, 'an old link index cannot be removed; delete its files by hand');
  }

  #build(serving: LinkIndexWriter | null): void {
    const { values, bytes } = this.#store.size();
    const room = {
      links: values + SPARE_LINKS,
      record_bytes: Math.ceil((bytes + values * ROOM_BYTES_PER_LINK) * this.#roomFactor) + SPARE_RECORD_BYTES,
    };
    const created = LinkIndexWriter.create(this.#mappings, this.#path(), room, this.#fileBytesMax);
    if ('writer' in created) {
      this.#state = { kind: 'building', serving, next: created.writer, afterKey: null };
      return;
    }
    this.#log.warn({ code: 'link_index_unavailable', reason: created.fault }, 'no link index can be created; only LMDB is used');
    this.#giveUpNext(serving, RETRY_MS);
  }

  /** The previous file, if any, continues to serve. Otherwise there is no file until the retry. */
  #giveUpNext(serving: LinkIndexWriter | null, retryMs: number): void {
    this.#nextBuildMs = this.#now() + retryMs;
    this.#state = serving === null ? { kind: 'none', retryAtMs: this.#nextBuildMs } : { kind: 'following', serving };
  }

  #buildSome(state: KeeperState & { readonly kind: 'building' }): void {
    let full = false;
    const last = this.#store.readLinks(state.afterKey, LINKS_PER_STEP, (key, link) => {
      full ||= putLink(state.next, key, link) === 'full';
    });
    // Damage was found, and the generation is no longer followed.
    if (this.#store.generation() !== this.#generation) return;
    state.afterKey = last;
    if (full) this.#giveMoreRoom(state);
    else if (last === null) this.#publish(state);
  }

  /**
   * The next look begins another file, with room for the number of links at that time: `#inspect` finds the serving one as full
   * as before.
   */
  #giveMoreRoom({ serving, next }: { readonly serving: LinkIndexWriter | null; readonly next: LinkIndexWriter }): void {
    if (next.stats().table_fill < 1) this.#roomFactor *= 2;
    next.discard();
    this.#giveUpNext(serving, 0);
  }

  #publish({ serving, next }: { readonly serving: LinkIndexWriter | null; readonly next: LinkIndexWriter }): void {
    next.reached(this.#store.cursor()?.position ?? -1);
    const error = next.publish();
    if (error !== null) {
      this.#log.error({ code: 'link_index_not_placed', error }, 'the link index could not be activated');
      next.discard();
      this.#giveUpNext(serving, RETRY_MS);
      return;
    }
    // Supersede the previous index only after the new one has its name, so that readers that detach find it.
    leave(serving);
    this.#noteUnremovable(next.removeOthers());
    this.#builds += 1;
    if (next.stats().arena_fill > ARENA_FILL_NEW_MAX) this.#roomFactor *= 2;
    this.#state = { kind: 'following', serving: next };
    this.#log.info({ code: 'link_index_built', ...next.stats() }, 'link index built');
  }

  #inspect(serving: LinkIndexWriter): void {
    if (this.#now() < this.#nextBuildMs) return;
    const stats = serving.stats();
    const inPlace = serving.isInPlace();
    const damaged = takeDamageReport(this.#path());
    if (inPlace && !damaged && !isNearlyFull(serving)) return;
    this.#log.info({ code: 'link_index_rebuilding', ...stats, inPlace, damaged }, 'rebuilding the link index');
    this.#build(serving);
  }

  /** Runs right after the transaction. Nothing in here fails: the writer of the store does not depend on an index. */
  #applied(generation: string, changes: readonly StoreChange[], position: number): void {
    const state = this.#state;
    if (generation !== this.#generation || state.kind === 'none') return;
    const next = state.kind === 'building' ? state.next : null;
    const fits = next === null || putAll(next, changes, position);
    let { serving } = state;
    if (serving !== null && !putAll(serving, changes, position)) {
      this.#log.warn({ code: 'link_index_full' }, 'the link index is full and the next one is not ready; LMDB is used until then');
      leave(serving);
      serving = null;
    }
    if (next === null) {
      if (serving === null) this.#giveUpNext(null, 0);
    } else if (!fits) this.#giveMoreRoom({ serving, next });
    else if (serving !== state.serving && state.kind === 'building') this.#state = { ...state, serving };
    this.#lookSoonIfNearlyFull();
  }

  /** A burst of new links would fill the rest of the file before the next look is due. */
  #lookSoonIfNearlyFull(): void {
    const state = this.#state;
    if (state.kind !== 'following' || this.#looksSoon || this.#now() < this.#nextBuildMs || !isNearlyFull(state.serving)) return;
    this.#looksSoon = true;
    this.#cancel?.();
    this.#lookIn(STEP_PAUSE_MS);
  }

  /** Readers are not notified: the generation gets no more changes, or the next process continues with the file. */
  #letGo(retryMs: number): void {
    const state = this.#state;
    this.#state = { kind: 'none', retryAtMs: this.#now() + retryMs };
    if (state.kind === 'none') return;
    state.serving?.close();
    if (state.kind === 'building') state.next.discard();
  }
}

function isNearlyFull(index: LinkIndexWriter): boolean {
  const { table_fill, arena_fill } = index.stats();
  return table_fill >= FILL_MAX || arena_fill >= FILL_MAX;
}

/** Makes readers detach from the file, and closes it. */
function leave(index: LinkIndexWriter | null): void {
  index?.supersede();
  index?.close();
}

function putLink(index: LinkIndexWriter, key: string, link: LinkRecord): ReturnType<LinkIndexWriter['put']> {
  const parsed = parseLinkKey(key);
  return parsed === null ? 'left_out' : index.put(parsed.environment_number, parsed.path, link);
}

/** Returns false if the index ran full, and no longer equals the store. */
function putAll(index: LinkIndexWriter, changes: readonly StoreChange[], position: number): boolean {
  for (const { key, record } of changes) {
    const parsed = parseLinkKey(key);
    if (parsed === null) continue;
    // LMDB keeps a key that another object has taken since. Then the index merely lacks a link that LMDB has.
    if (record === null) index.remove(parsed.environment_number, parsed.path);
    else if (index.put(parsed.environment_number, parsed.path, record as LinkRecord) === 'full') return false;
  }
  index.reached(position);
  return true;
}
