import { renameSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../shared/base/clock.js';
import { STORED_FILES_CERTAIN_MS } from '../../../shared/base/limits.js';
import type { Logger } from '../../../shared/base/log.js';
import { attempt } from '../../mapped/mapped-file.js';
import { isShippedName, listFolder, removeFile, shippedName, unshippedName } from '../../spool/segment-folder.js';
import type { SpoolKeys } from '../../spool/spool-keys.js';
import { RetryWaits } from './retry-waits.js';
import { SegmentReadError } from './segment-read-error.js';
import { SegmentReader } from './segment-reader.js';
import type { ShippedSegment } from './sql.js';

/** A segment that is stored to its end. */
interface Kept extends ShippedSegment {
  readonly name: string;
  /** From when on it is kept. */
  readonly sinceMs: number;
  /** When it was stored, at the earliest. */
  readonly storedMs: number;
}

export interface KeptSegmentsSettings {
  readonly dir: string;
  readonly keys: SpoolKeys;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a file is kept after all of it was stored; 0 removes it at once. */
  readonly keepMs: number;
}

/** What is known of files that the system does not let be read. */
export interface FilesAtRest {
  /** Whether the file is to be left out now. */
  rests(name: string): boolean;
  leaveOut(error: SegmentReadError): void;
}

/**
 * Files of segments that are stored, kept for some minutes: a database that fails over to a replica may lose what it had
 * acknowledged, clicks and the count of their segment in one. A segment that it lacks becomes one to be shipped again. Kept
 * files make room for new clicks where the spool is full (segment-folder.ts).
 *
 * The database forgets segments that were stored days ago. Of a file as old as that it cannot say whether the clicks were
 * lost, and shipping them again would double them: such a file counts as stored. A file's time of modification tells its age.
 */
export class KeptSegments {
  readonly #settings: KeptSegmentsSettings;
  readonly #kept = new Map<string, Kept>();
  /** Files that the disk did not let be renamed or removed. */
  readonly #waits: RetryWaits;
  /** Those of them that the database lacks. */
  readonly #lacking = new Set<string>();
  /** Those that are stored and still have their first name. */
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

  /** Takes over the file of a segment that is stored to the place where its reader stands. */
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

  /** Whether the file is stored, and only waits to be removed: opened again, it would count as another one. */
  holds(name: string): boolean {
    return this.#unremoved.has(name);
  }

  /** Finds those that the process before has kept. Their time begins again. One that cannot be read holds up no other. */
  async look(unreadable: FilesAtRest): Promise<void> {
    for (const name of this.#unremoved) {
      if (!this.#waits.rests(name)) this.#remove(name);
      if (!this.#waits.has(name)) this.#unremoved.delete(name);
    }
    for (const name of listFolder(this.#settings.dir)) {
      if (!isShippedName(name) || this.#kept.has(name) || unreadable.rests(name) || this.#waits.rests(name)) continue;
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
    const { dir, clock, keys, logger } = this.#settings;
    const opened = await SegmentReader.open(join(dir, name), keys);
    if ('gone' in opened) return;
    if ('fault' in opened) {
      const why = opened.fault;
      if (!this.#waits.has(name))
        logger.error({ code: 'kept_segment_damaged', segment: name, why }, 'the file of a stored segment was damaged; it is removed');
      this.#remove(name);
      return;
    }
    const { id } = opened.reader;
    const { committed_bytes, committed_clicks } = await opened.reader.progress().finally(() => opened.reader.close());
    // Its writer did not come to say how much there is: the click log will.
    if (committed_clicks === 0) this.#rename(name, unshippedName(name));
    else {
      const place = { segment_id: id, shipped_bytes: committed_bytes, shipped_clicks: committed_clicks };
      this.#kept.set(name, { name, ...place, sinceMs: clock(), storedMs });
    }
  }

  /** Given what the database has of them all: what it lacks is to be shipped again; of the others, those whose time is over go. Returns how many it lacks. */
  compare(stored: ReadonlyMap<string, ShippedSegment>): number {
    const { clock, keepMs, logger } = this.#settings;
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
          logger.warn(
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

  /** One that cannot be renamed stays kept, is not counted again, and is tried again. */
  #shipAgain(name: string): void {
    if (this.#waits.rests(name)) return;
    if (this.#rename(name, unshippedName(name)) || !this.#waits.rests(name)) {
      this.#kept.delete(name);
      this.#lacking.delete(name);
    } else this.#lacking.add(name);
  }

  /** Whether the database may have forgotten a segment that was stored then. */
  #isForgotten(storedMs: number): boolean {
    return this.#settings.clock() - storedMs > STORED_FILES_CERTAIN_MS;
  }

  #storedMs(name: string): number {
    const { dir, clock } = this.#settings;
    const status = attempt(() => statSync(join(dir, name)));
    // Where the system does not say it, opening the file will tell why.
    return 'value' in status ? status.value.mtimeMs : clock();
  }

  /** Notes with the file when it was stored. If that fails the file counts as older than it is, and goes sooner. */
  #stamp(name: string, nowMs: number): void {
    const { dir, logger } = this.#settings;
    const at = new Date(nowMs);
    const stamped = attempt(() => utimesSync(join(dir, name), at, at));
    if ('error' in stamped && stamped.error !== 'ENOENT')
      logger.warn({ code: 'segment_unstamped', segment: name, error: stamped.error }, 'the time of a stored segment could not be noted');
  }

  /** False where it failed: the file made room for another, or the disk refuses. Then the file rests. */
  #rename(from: string, to: string): boolean {
    const { dir, logger } = this.#settings;
    const renamed = attempt(() => renameSync(join(dir, from), join(dir, to)));
    const error = 'error' in renamed ? renamed.error : null;
    if (this.#isFirstFailure(from, error))
      logger.error({ code: 'segment_unrenamable', segment: from, error }, 'a stored segment could not be renamed');
    return error === null;
  }

  #remove(name: string): void {
    const { dir, logger } = this.#settings;
    const error = removeFile(join(dir, name));
    if (this.#isFirstFailure(name, error))
      logger.error({ code: 'segment_unremovable', segment: name, error }, 'a stored segment could not be removed');
  }

  /** Notes what became of a file. Returns whether it is to be logged: a disk that refuses is told of once a file. */
  #isFirstFailure(name: string, error: string | null): boolean {
    if (error !== null && error !== 'ENOENT') return this.#waits.note(name) === 1;
    this.#waits.forget(name);
    return error !== null;
  }
}
