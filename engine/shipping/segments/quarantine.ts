import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../shared/base/clock.js';
import type { Logger } from '../../../shared/base/log.js';
import { attempt } from '../../mapped/mapped-file.js';
import { listFolder, QUARANTINE, removeFile } from '../../spool/segment-folder.js';
import { RetryWaits } from './retry-waits.js';

/** What could not be read is kept for the operator, but not without end. */
const QUARANTINED_MAX = 8;

export interface QuarantineSettings {
  /** The spool's folder. */
  readonly dir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The folder of segments that were set aside. Where the disk does not let a file be moved there, its name is remembered and the move
 * is tried again: read under its old name it would be found damaged once more, or taken for one that is stored, and be removed.
 */
export class Quarantine {
  readonly #settings: QuarantineSettings;
  readonly #folder: string;
  /** Why each file could not be moved. */
  readonly #unmoved = new Map<string, string>();
  readonly #waits: RetryWaits;
  /** How many files were moved. */
  moved = 0;

  constructor(settings: QuarantineSettings) {
    this.#settings = settings;
    this.#folder = join(settings.dir, QUARANTINE);
    this.#waits = new RetryWaits(settings.clock);
  }

  /** Whether the file is to be moved: nothing else may be done with it. */
  holds(name: string): boolean {
    return this.#unmoved.has(name);
  }

  /** '' or why a file could not be moved. */
  get trouble(): string {
    for (const [name, error] of this.#unmoved) return `${name} cannot be moved to ${QUARANTINE}/: ${error}`;
    return '';
  }

  /** Moves the file, at once or as soon as the disk lets it. Logged once. */
  add(name: string, why: string): void {
    const error = this.#move(name);
    this.#settings.logger.error({ code: 'segment_set_aside', segment: name, why, error }, 'a click segment was set aside');
  }

  /** Tries those again whose time has come. */
  retry(): void {
    for (const name of this.#unmoved.keys()) if (!this.#waits.rests(name)) this.#move(name);
  }

  /** Returns null, or the error's name. */
  #move(name: string): string | null {
    const moved = attempt(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      renameSync(join(this.#settings.dir, name), join(this.#folder, name));
    });
    const error = 'error' in moved ? moved.error : null;
    if (error === null || error === 'ENOENT') {
      this.#unmoved.delete(name);
      this.#waits.forget(name);
    } else {
      this.#unmoved.set(name, error);
      this.#waits.note(name);
    }
    if (error === null) {
      this.moved++;
      this.#removeOldest();
    }
    return error;
  }

  #removeOldest(): void {
    const kept = listFolder(this.#folder).toSorted();
    for (const oldest of kept.slice(0, Math.max(0, kept.length - QUARANTINED_MAX))) removeFile(join(this.#folder, oldest));
  }
}
