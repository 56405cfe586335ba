import { renameSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../shared/base/clock.js';
import { STORED_FILES_CERTAIN_MS } from '../../../shared/base/limits.js';
import type { Logger } from '../../../shared/base/log.js';
import { attempt } from '../../mapped/mapped-file.js';
import type { Progress } from '../../spool/segment.js';
import { isShippedName, listFolder, removeFile, shippedName, unshippedName } from '../../spool/segment-folder.js';
import type { SpoolKeys } from '../../spool/spool-keys.js';
import { RetryWaits } from './retry-waits.js';
import { SegmentReadError } from './segment-read-error.js';
import { SegmentReader } from './segment-reader.js';
import type { ShippedSegment } from './sql.js';

/** A segment whose clicks are all stored. */
interface Kept extends ShippedSegment {
  readonly name: string;
  /** Time since which it is kept. */
  readonly sinceMs: number;
  /** Earliest time at which it may have been stored. */
  readonly storedMs: number;
}

export interface KeptSegmentsSettings {
  readonly dir: string;
  readonly keys: SpoolKeys;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a file is kept after all of it was stored; 0 removes it immediately. */
  readonly keepMs: number;
}

/** Tracks files that the system fails to read. */
export interface WaitingFiles {
  /** Whether to leave the file out for now. */
  isWaiting(name: string): boolean;
  leaveOut(error: SegmentReadError): void;
}

/**
 * Files of segments whose clicks are stored, kept for some minutes. A database that fails over to a replica may lose what it
 * had acknowledged: clicks together with the count of their segment. A segment that the database lacks is shipped again. Kept
 * files are removed to make room for new clicks when the spool is full (segment-folder.ts).
 *
 * The database forgets segments that were stored days ago. For a file that old it cannot say whether the clicks were lost, and
 * shipping them again would duplicate them, so such a file counts as stored. The file's modification time gives its age.
 */
export class KeptSegments {
  readonly #settings: KeptSegmentsSettings;
  readonly #kept = new Map<string, Kept>();
  /** Files that could not be renamed or removed. */
  readonly #waits: RetryWaits;
  /** Those of them that the database lacks. */
  readonly #lacking = new Set<string>();
  /** Files whose clicks are stored but which still have their first name. */
  readonly #unremoved = new Set<string>();

  constructor(settings: KeptSegmentsSettings) {
    this.#settings = settings;
    this.#waits = new RetryWaits(settings.clock);
  }

  get count(): number {
    return this.#kept.size;
  }

  get ids(): readonly string[] {
    return [...this.#kept.values()].map(({ segment_id }) => segment_id);
  }

  /** Takes over the file of a segment that is stored up to the reader's position. */
  keep(name: string, { id, position, click_number }: Pick<SegmentReader, 'id' | 'position' | 'click_number'>): void {
    const { clock, keepMs } = this.#settings;
    const kept = shippedName(name);
    if (keepMs === 0 || kept === null || click_number === 0) this.#remove(name);
    else if (this.#rename(name, kept)) {
      const now = clock();
      this.#stamp(kept, now);
      this.#kept.set(kept, {
        name: kept,
        segment_id: id,
        shipped_bytes: position,
        shipped_clicks: click_number,
        sinceMs: now,
        storedMs: now,
      });
    } else this.#remove(name);
    if (this.#waits.has(name)) this.#unremoved.add(name);
  }

  /** Whether the file's clicks are stored and it only waits to be removed. If it were opened again, it would count as another segment. */
  holds(name: string): boolean {
    return this.#unremoved.has(name);
  }

  /** Finds the files that the previous process kept. Their time begins again. A file that cannot be read does not hold up the others. */
  async look(unreadable: WaitingFiles): Promise<void> {
    for (const name of this.#unremoved) {
      if (!this.#waits.isWaiting(name)) this.#remove(name);
      if (!this.#waits.has(name)) this.#unremoved.delete(name);
    }
    for (const name of listFolder(this.#settings.dir)) {
      if (!isShippedName(name) || this.#kept.has(name) || unreadable.isWaiting(name) || this.#waits.isWaiting(name)) continue;
      const storedMs = this.#storedMs(name);
      try {
        if (this.#isForgotten(storedMs)) this.#remove(name);
        else await this.#takeUp(name, storedMs);
      } catch (error) {
        if (!(error instanceof SegmentReadError)) throw error;
        unreadable.leaveOut(error);
      }
    }
  }

  async #takeUp(name: string, storedMs: number): Promise<void> {
    const { dir, clock, keys, log } = this.#settings;
    const opened = await SegmentReader.open(join(dir, name), keys);
    if ('gone' in opened) return;
    if ('fault' in opened) {
      const why = opened.fault;
      if (!this.#waits.has(name))
        log.error({ code: 'kept_segment_damaged', segment: name, why }, 'the file of a stored segment was damaged; it is removed');
      this.#remove(name);
      return;
    }
    const { id } = opened.reader;
    let progress: Progress;
    try {
      progress = opened.reader.progress();
    } finally {
      await opened.reader.close();
    }
    const { committed_bytes, committed_clicks } = progress;
    // The writer never recorded how much it wrote. Rename the file back, because the click log knows how far it is stored.
    if (committed_clicks === 0) this.#rename(name, unshippedName(name));
    else {
      const place = { segment_id: id, shipped_bytes: committed_bytes, shipped_clicks: committed_clicks };
      this.#kept.set(name, { name, ...place, sinceMs: clock(), storedMs });
    }
  }

  /**
   * Compares all kept files with the rows of the database. Those that the database lacks are shipped again. Of the others,
   * those whose time is over are removed. Returns how many are newly found missing.
   */
  compare(stored: ReadonlyMap<string, ShippedSegment>): number {
    const { clock, keepMs, log } = this.#settings;
    let lacking = 0;
    for (const kept of [...this.#kept.values()]) {
      const row = stored.get(kept.segment_id);
      const age = clock() - kept.sinceMs;
      const lacks =
        row === undefined
          ? !this.#isForgotten(kept.storedMs)
          : row.shipped_clicks < kept.shipped_clicks || row.shipped_bytes < kept.shipped_bytes;
      if (lacks) {
        if (!this.#lacking.has(kept.name)) {
          lacking++;
          log.warn(
            { code: 'clicks_shipped_again', segment: kept.name, clicks: kept.shipped_clicks },
            'the database has lost clicks that it had stored; storing them again',
          );
        }
        this.#shipAgain(kept.name);
      } else if (row === undefined || age >= keepMs || age < 0) {
        this.#kept.delete(kept.name);
        this.#remove(kept.name);
      }
    }
    return lacking;
  }

  /** A file that cannot be renamed stays kept. It is not counted again, and the renaming is retried. */
  #shipAgain(name: string): void {
    if (this.#waits.isWaiting(name)) return;
    if (this.#rename(name, unshippedName(name)) || !this.#waits.isWaiting(name)) {
      this.#kept.delete(name);
      this.#lacking.delete(name);
    } else this.#lacking.add(name);
  }

  /** Whether the database may have forgotten a segment that was stored at this time. */
  #isForgotten(storedMs: number): boolean {
    return this.#settings.clock() - storedMs > STORED_FILES_CERTAIN_MS;
  }

  #storedMs(name: string): number {
    const { dir, clock } = this.#settings;
    const status = attempt(() => statSync(join(dir, name)));
    // If the system does not report it, opening the file shows why.
    return 'value' in status ? status.value.mtimeMs : clock();
  }

  /** Records the time of storing in the file. If that fails, the file counts as older than it is and is removed sooner. */
  #stamp(name: string, nowMs: number): void {
    const { dir, log } = this.#settings;
    const at = new Date(nowMs);
    const stamped = attempt(() => utimesSync(join(dir, name), at, at));
    if ('error' in stamped && stamped.error !== 'ENOENT')
      log.warn({ code: 'segment_unstamped', segment: name, error: stamped.error }, 'the time of a stored segment could not be noted');
  }

  /**
   * Returns false if it failed: the file was removed to make room, or the disk refuses. In the second case the file is left
   * alone for a while.
   */
  #rename(from: string, to: string): boolean {
    const { dir, log } = this.#settings;
    const renamed = attempt(() => renameSync(join(dir, from), join(dir, to)));
    const error = 'error' in renamed ? renamed.error : null;
    if (this.#isFirstFailure(from, error))
      log.error({ code: 'segment_unrenamable', segment: from, error }, 'a stored segment could not be renamed');
    return error === null;
  }

  #remove(name: string): void {
    const { dir, log } = this.#settings;
    const error = removeFile(join(dir, name));
    if (this.#isFirstFailure(name, error))
      log.error({ code: 'segment_unremovable', segment: name, error }, 'a stored segment could not be removed');
  }

  /** Records the outcome for a file. Returns whether to log it: a disk that refuses is logged once per file. */
  #isFirstFailure(name: string, error: string | null): boolean {
    if (error !== null && error !== 'ENOENT') return this.#waits.note(name) === 1;
    this.#waits.forget(name);
    return error !== null;
  }
}
