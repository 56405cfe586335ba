import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../shared/base/clock.js';
import type { Logger } from '../../../shared/base/log.js';
import { attempt } from '../../mapped/mapped-file.js';
import { isShippedName, listFolder, removeFile, shippedName, unshippedName } from '../../spool/segment-folder.js';
import type { SpoolKeys } from '../../spool/spool-keys.js';
import { SegmentReader } from './segment-reader.js';
import type { ShippedSegment } from './sql.js';

/** A segment that is stored to its end. */
interface Kept extends ShippedSegment {
  readonly name: string;
  readonly sinceMs: number;
}

export interface KeptSegmentsSettings {
  readonly dir: string;
  readonly keys: SpoolKeys;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a file is kept after all of it was stored; 0 removes it at once. */
  readonly keepMs: number;
}

/**
 * Files of segments that are stored, kept for some minutes: a database that fails over to a replica may lose what it had
 * acknowledged, clicks and the count of their segment in one. A segment that it lacks becomes one to be shipped again. Kept
 * files make room for new clicks where the spool is full (segment-folder.ts).
 */
export class KeptSegments {
  readonly #settings: KeptSegmentsSettings;
  readonly #kept = new Map<string, Kept>();

  constructor(settings: KeptSegmentsSettings) {
    this.#settings = settings;
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
    else if (this.#rename(name, kept))
      this.#kept.set(kept, { name: kept, segment_id: id, shipped_bytes: position, shipped_clicks: click_number, sinceMs: clock() });
    else this.#remove(name);
  }

  /** Finds those that the process before has kept. Their time begins again. */
  async look(): Promise<void> {
    const { dir, clock, keys } = this.#settings;
    for (const name of listFolder(dir)) {
      if (!isShippedName(name) || this.#kept.has(name)) continue;
      const opened = await SegmentReader.open(join(dir, name), keys);
      if (!('reader' in opened)) continue;
      const { committed_bytes, committed_clicks } = await opened.reader.progress();
      await opened.reader.close();
      const { id } = opened.reader;
      // Its writer did not come to say how much there is: the click log will.
      if (committed_clicks === 0) this.#rename(name, unshippedName(name));
      else
        this.#kept.set(name, { name, segment_id: id, shipped_bytes: committed_bytes, shipped_clicks: committed_clicks, sinceMs: clock() });
    }
  }

  /** Given what the database has of them all: what it lacks is to be shipped again; of the others, those whose time is over go. Returns how many it lacks. */
  compare(stored: ReadonlyMap<string, ShippedSegment>): number {
    const { clock, keepMs, logger } = this.#settings;
    let lacking = 0;
    for (const kept of [...this.#kept.values()]) {
      const row = stored.get(kept.segment_id);
      const age = clock() - kept.sinceMs;
      if (row === undefined || row.shipped_clicks < kept.shipped_clicks || row.shipped_bytes < kept.shipped_bytes) {
        lacking++;
        this.#kept.delete(kept.name);
        logger.warn(
          { code: 'clicks_shipped_again', segment: kept.name, clicks: kept.shipped_clicks },
          'the database lacks clicks that it had stored; they are shipped again',
        );
        this.#rename(kept.name, unshippedName(kept.name));
      } else if (age >= keepMs || age < 0) {
        this.#kept.delete(kept.name);
        this.#remove(kept.name);
      }
    }
    return lacking;
  }

  /** False where it failed: the file made room for another, or the disk refuses. */
  #rename(from: string, to: string): boolean {
    const { dir, logger } = this.#settings;
    const renamed = attempt(() => renameSync(join(dir, from), join(dir, to)));
    if ('error' in renamed)
      logger.error({ code: 'segment_unrenamable', segment: from, error: renamed.error }, 'a stored segment could not be renamed');
    return !('error' in renamed);
  }

  #remove(name: string): void {
    const { dir, logger } = this.#settings;
    const error = removeFile(join(dir, name));
    if (error !== null) logger.error({ code: 'segment_unremovable', segment: name, error }, 'a stored segment could not be removed');
  }
}
